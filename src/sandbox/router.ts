import type { Endpoint } from "./endpoint.ts";

/** The endpoints of a path at one feature level. */
export interface Route {
  /** The endpoints in the order of their definition, which 405 answers show. */
  readonly endpoints: readonly Endpoint[];
  readonly pathArgs: { readonly [name: string]: string | number };
}

interface Compiled {
  readonly pattern: RegExp;
  readonly names: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly endpoints: Endpoint[];
}

/** Finds endpoints by path. Built once per level; it does not contain the endpoints of other levels. */
export class Router {
  private readonly compiled: readonly Compiled[];
  /** Paths without a placeholder, which match themselves alone and come before all others: most requests are for one of them. */
  private readonly literal: ReadonlyMap<string, Route>;

  constructor(endpoints: readonly Endpoint[], level: number) {
    const byPath = new Map<string, Compiled>();
    for (const endpoint of endpoints) {
      if (level < endpoint.level || level >= endpoint.until) continue;
      const known = byPath.get(endpoint.path);
      if (known === undefined) byPath.set(endpoint.path, { ...compile(endpoint.path), endpoints: [endpoint] });
      else known.endpoints.push(endpoint);
    }
    // "/users/me" before "/users/{email:str}": literal segments first.
    const sorted = [...byPath].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
    const isLiteral = ([, { names }]: (typeof sorted)[number]): boolean => names.length === 0;
    this.literal = new Map(
      sorted.filter(isLiteral).map(([path, { endpoints }]) => [path, { endpoints, pathArgs: {} }]),
    );
    this.compiled = sorted.filter((one) => !isLiteral(one)).map(([, compiled]) => compiled);
  }

  find(path: string): Route | undefined {
    const known = this.literal.get(path);
    if (known !== undefined) return known;
    for (const { pattern, names, endpoints } of this.compiled) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const pathArgs: { [name: string]: string | number } = {};
      names.forEach(({ name, isNumber }, index) => {
        const value = match[index + 1] ?? "";
        pathArgs[name] = isNumber ? Number(value) : value;
      });
      return { endpoints, pathArgs };
    }
    return undefined;
  }
}

const PLACEHOLDER = /\{(\w+)(?::(\w+))?\}/g;
/** The sort order of segments: literals, numbers, texts, then the rest of a path. */
const rank = (path: string): string =>
  path
    .split("/")
    .map((segment) =>
      segment.startsWith("{") ? (segment.includes(":path") ? "3" : segment.includes(":") ? "2" : "1") : `0${segment}`,
    )
    .join("/");

function compile(path: string): Omit<Compiled, "endpoints"> {
  const names: { name: string; isNumber: boolean }[] = [];
  const source = path.replace(PLACEHOLDER, (_, name: string, kind: string | undefined) => {
    names.push({ name, isNumber: kind === undefined });
    return kind === undefined ? "(\\d+)" : kind === "path" ? "(.+)" : "([^/]+)";
  });
  return { pattern: new RegExp(`^${source}$`, "s"), names };
}
