import { expect, test } from "vitest";
import { runCommandLine } from "../support/cli/command-line.ts";

/** A file alone does not say how open a channel is without `privacy`: the server keeps what it is, and only a new one becomes public. */
const POSTING = "permissions: {can_send_message_group: role:moderators}";
const LEFT_OUT = `channels: {hall: {${POSTING}}}`;
const NAMED = `people: {ivo@example.org: {role: guest}}\nchannels: {hall: {subscribers: {users: [ivo@example.org]}}}`;
const PUBLIC = `channels: {hall: {privacy: public, ${POSTING}}}`;
const WHOLE = `manage: {channels: {unset: default}}\n${LEFT_OUT}`;

test.each([
  [LEFT_OUT, "who: {role: member}, can: {read: hall}", null],
  [LEFT_OUT, "who: {role: guest}, cannot: {read: hall}", null],
  [LEFT_OUT, "objects: hall, rights: {post: {exactly: role:moderators}}", null],
  [LEFT_OUT, "objects: hall, fields: {privacy: {is: public}}", null],
  // Whether the rule is about it.
  [LEFT_OUT, "objects: '*', privacy: private_*, rights: {read: {deny: role:members}}", null],
  [LEFT_OUT, "objects: '*', privacy: public, rights: {read: {allow: role:members}}", null],
  // Where it does not matter.
  [LEFT_OUT, "objects: hall, rights: {post: {only: role:moderators}}", true],
  [LEFT_OUT, "objects: '*', privacy: '*', rights: {post: {only: role:moderators}}", true],
  [LEFT_OUT, "objects: hall, rights: {administer: {only: role:administrators}}", true],
  [NAMED, "who: ivo@example.org, cannot: {read: hall}", false],
  // Where the file says it.
  [PUBLIC, "who: {role: member}, can: {read: hall}", true],
  [WHOLE, "who: {role: member}, can: {read: hall}", true],
] as const)("%j: %s", async (yaml, rule, expected) => {
  const files = {
    "realm.yaml": `version: 1\n${yaml}\n`,
    "realm.test.yaml": `version: 1\ntests:\n  - {name: x, ${rule}}\n`,
  };
  const { out } = await runCommandLine(["test", "--format", "json"], { files });
  const [found] = JSON.parse(out).rules;
  expect(found.holds, out).toBe(expected);
  if (expected === null && rule.includes("rights"))
    expect(found.because).toEqual(["the file does not give the privacy of hall"]);
});
