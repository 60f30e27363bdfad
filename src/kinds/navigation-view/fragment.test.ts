import { expect, test } from "vitest";
import { fragmentCause, isBuiltIn } from "./kind.ts";

test.each([
  ["inbox", true],
  ["narrow/has/reaction/sender/me", true],
  ["Inbox", false],
  ["narrow/is/alerted", false],
])("%s is built in: %s", (fragment, builtIn) => expect(isBuiltIn(fragment)).toBe(builtIn));

test.each(["inbox", "narrow/topic/with/1", "narrow/channel/7-a.b/topic/x.20y", "anything at all?", "a/#/b", "ü/…"])(
  "%s names a view",
  (fragment) => expect(fragmentCause(fragment)).toBeUndefined(),
);

test.each([
  ["", "empty"],
  ["#inbox", "hash"],
  ["https://chat.example.org/#narrow/is/dm", "hash"],
  ["narrow/../inbox", "dots"],
  ["Inbox", "case"],
])("%j does not name a view: %s", (fragment, cause) => expect(fragmentCause(fragment)).toMatchObject({ cause }));
