import { type LogEntry, maskedParams } from "./log.ts";
import type { ParsedRequest } from "./request.ts";
import type { Performed } from "./running-realm.ts";

const KEPT_ENTRIES = 10_000;

/** The answered requests, oldest first. */
export class AnswerLog {
  readonly entries: LogEntry[] = [];

  add(at: number, { method, path, values }: ParsedRequest, { caller, answer }: Performed): void {
    const { status, body } = answer;
    this.entries.push({
      at,
      user_id: caller?.user_id ?? null,
      method,
      path,
      params: maskedParams(values),
      status,
      code: typeof body === "object" && typeof body.code === "string" ? body.code : null,
    });
    if (this.entries.length > KEPT_ENTRIES) this.entries.shift();
  }

  clear(): void {
    this.entries.length = 0;
  }
}
