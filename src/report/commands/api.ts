import { padTo } from "../style.ts";

/** The text of `realmctl api --list` about an operation. */
interface ListedOperation {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  readonly about: string;
}

interface ListedParam {
  readonly name: string;
  readonly about: string;
  /** The type of a parameter; undefined for a part of the path. */
  readonly type?: string;
  readonly required: boolean;
  readonly level: number;
  readonly until?: number;
}

export function operationsText(operations: readonly ListedOperation[]): string {
  const width = Math.max(...operations.map(({ name }) => name.length)) + 2;
  const lines = operations.map(
    ({ name, method, template, about }) =>
      `${padTo(name, width)}${padTo(method, 7)}${template}\n${padTo("", width)}${about}`,
  );
  return `${lines.join("\n")}\n`;
}

/** What happens if the same request is sent twice. */
const REPEATED = {
  read: "It only reads.",
  idempotent: "A second request changes nothing more.",
  guarded: "The server refuses a second request.",
  unsafe: "A second request has the effect twice.",
} as const satisfies Record<"read" | "idempotent" | "guarded" | "unsafe", string>;

export function operationText(
  operation: ListedOperation & {
    readonly level: number;
    readonly repeat: keyof typeof REPEATED;
    readonly recovery: string;
  },
  params: readonly ListedParam[],
): string {
  const { name, method, template, level, about, repeat, recovery } = operation;
  const since = level === 0 ? "" : ` Since feature level ${level}.`;
  return `${[
    `${name}  ${method} ${template}`,
    `${about}${since}`,
    `${REPEATED[repeat]} If the answer is lost: ${recovery}.`,
    ...params.map((param) => {
      const type = param.type === undefined ? "" : `: ${param.type}`;
      return `  --${param.name}${marks(param)}\n      ${param.about}${type}`;
    }),
  ].join("\n")}\n`;
}

function marks({ required, level, until }: ListedParam): string {
  const words = [
    ...(required ? ["required"] : []),
    ...(level > 0 ? [`since feature level ${level}`] : []),
    ...(until === undefined ? [] : [`gone at feature level ${until}`]),
  ];
  return words.length === 0 ? "" : `  (${words.join(", ")})`;
}
