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

export function operationText(
  operation: ListedOperation & { readonly level: number; readonly repeat: string; readonly recovery: string },
  params: readonly ListedParam[],
): string {
  const { name, method, template, level, about, repeat, recovery } = operation;
  const since = level === 0 ? "" : ` Since feature level ${level}.`;
  return `${[
    `${name}  ${method} ${template}`,
    `${about}${since}`,
    `Repeating it: ${repeat}. After a lost answer: ${recovery}.`,
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
