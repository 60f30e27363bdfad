import { expect, test } from "vitest";
import { channel } from "./kind.ts";

/** What an undo restores, and what a plan says is lost for good. */
test.each([
  { field: "topics_policy", value: "inherit", canSet: true },
  { field: "topics_policy", value: "empty_topic_only", canSet: true },
  // Of a newer server: an undo that sent it ended with a stack trace.
  { field: "topics_policy", value: "vote", canSet: false },
  { field: "privacy", value: "public", canSet: true },
  { field: "privacy", value: "private and web-public", canSet: false },
  { field: "description", value: "vote", canSet: true },
])("$field can be set to $value: $canSet", ({ field, value, canSet }) =>
  expect(channel.calls.canSet?.(field, value)).toBe(canSet),
);
