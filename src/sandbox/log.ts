/** One answered request. Parameters with secrets are masked; credentials are never recorded. */
export interface LogEntry {
  /** The time in UNIX milliseconds. */
  readonly at: number;
  /** The user id of the caller; null without credentials. */
  readonly user_id: number | null;
  readonly method: string;
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly status: number;
  readonly code: string | null;
}

const SECRET = /key|password|token|secret/i;
export function maskedParams(values: ReadonlyMap<string, string>): { readonly [name: string]: string } {
  return Object.fromEntries([...values].map(([name, value]) => [name, SECRET.test(name) ? "***" : value]));
}
