/** The replayer that comes with the recordings: plain JavaScript, kept as it is, but for who lets time pass. */
declare module "*/recordings/replay.mjs" {
  export interface Replayed {
    readonly file: string;
    readonly steps: number;
    readonly failures: readonly {
      readonly step: number;
      readonly what: string;
      readonly note?: string;
      readonly problems: readonly string[];
    }[];
  }
  export function replayFile(
    file: string,
    options: {
      readonly base: string;
      readonly accounts: { readonly [name: string]: { readonly email: string; readonly api_key: string } };
      /** Lets some seconds pass; default: real ones. */
      readonly pass?: (seconds: number) => void;
    },
  ): Promise<Replayed>;
  /** A value with its {{names}} replaced. Throws for a name without a value. */
  export function fill(value: unknown, vars: { readonly [name: string]: unknown }): unknown;
  /** The value at a path such as `$.streams[name=general].stream_id`. Throws if there is nothing. */
  export function pick(body: unknown, path: string): unknown;
}
