import { Parser } from "yaml";
import { isObject } from "../model/json.ts";

export interface Comment {
  readonly start: number;
  /** The text of the comment with its "#", without the line end. */
  readonly text: string;
}

/** Every comment of a text, in its order. */
export function commentsIn(text: string): readonly Comment[] {
  const found: Comment[] = [];
  const queue: unknown[] = [...new Parser().parse(text)];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (Array.isArray(next)) queue.push(...next);
    else if (isObject(next)) {
      if (next.type === "comment" && typeof next.offset === "number" && typeof next.source === "string")
        found.push({ start: next.offset, text: next.source.trimEnd() });
      else queue.push(...Object.values(next).filter((value) => typeof value === "object" && value !== null));
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether the other text has every comment of the first one, as often. */
export function keepsComments(before: string, after: string): boolean {
  const left = new Map<string, number>();
  for (const { text } of commentsIn(after)) left.set(text, (left.get(text) ?? 0) + 1);
  return commentsIn(before).every(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  });
}
