import type { JsonObject } from "../model/json.ts";

/** One answer of a sandbox, before an interceptor can replace it. */
interface WatchedAnswer {
  /** The operation in the usual notation: `PATCH /streams/{stream_id}`. */
  readonly operation: string;
  readonly level: number;
  readonly status: number;
  /** The body of the answer; a text is an HTML page. */
  readonly body: JsonObject | string;
}
type Watcher = (answer: WatchedAnswer) => void;
let watcher: Watcher | undefined;

/** For tests, which check every answer of every sandbox in the process against the contract. Nothing else listens. */
export function watchAnswers(next: Watcher | undefined): void {
  watcher = next;
}
export const tellWatcher = (answer: WatchedAnswer): void => watcher?.(answer);
