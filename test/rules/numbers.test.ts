import { describe, expect, test } from "vitest";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { realmOf } from "../support/realm.ts";

/** Rules that contradict each other because of how many people they allow a right; and rules that do not. */
const live = realmOf({
  user_groups: [
    { name: "staff", members: ["hana@acme.example", "elif@acme.example"] },
    { name: "crew", members: ["elif@acme.example", "deploy-bot@localhost"] },
  ],
  channels: [{ name: "lobby" }, { name: "hall" }],
  subscribers: {},
});
const CONFIG = "version: 1\nchannels: {lobby: {}, hall: {}}\n";

/** Each doubtful rule, by its line. */
async function doubtful(rules: readonly string[], flags: readonly string[]): Promise<readonly number[]> {
  const lines = rules.map((rule, n) => `  - {name: r${n + 1}, ${rule}}\n`).join("");
  const files = {
    "realm.yaml": CONFIG,
    "realm.test.yaml": `version: 1\ntests:\n${lines}`,
    "s.json": snapshotText(live),
  };
  const { out } = await runCommandLine(["test", "--format", "json", ...flags], { files });
  const { warnings }: { warnings: readonly { code: string; at: { line: number } }[] } = JSON.parse(out);
  return warnings.filter(({ code }) => code === "rules/contradiction").map(({ at }) => at.line - 2);
}
const post = (more: string, on = "lobby") => `objects: ${on}, rights: {post: {${more}}}`;

describe("two rules", () => {
  test.each<{ fact: string; rules: readonly string[]; found: readonly number[] }>([
    { fact: "at least more than at most", rules: [post("at_least: 3"), post("at_most: 2")], found: [2] },
    { fact: "the other way around", rules: [post("at_most: 2"), post("at_least: 3")], found: [2] },
    { fact: "exactly this number", rules: [post("at_least: 2"), post("at_most: 2")], found: [] },
    { fact: "of different objects", rules: [post("at_least: 3"), post("at_most: 2", "hall")], found: [] },
    {
      fact: "of different rights",
      rules: [post("at_least: 3"), "objects: lobby, rights: {read: {at_most: 2}}"],
      found: [],
    },
    { fact: "by a pattern", rules: [post("at_least: 3", "'*'"), post("at_most: 2", "'lob*'")], found: [2] },
    {
      fact: "bots may make up the difference",
      rules: [`${post("at_least: 3")}, bots: true`, post("at_most: 2")],
      found: [],
    },
    {
      fact: "bots that count only for the smaller number do not make up the difference",
      rules: [post("at_least: 3"), `${post("at_most: 2")}, bots: true`],
      found: [2],
    },
    {
      fact: "each later rule that contradicts an earlier one",
      rules: [post("at_most: 2"), post("at_least: 3"), post("at_least: 4"), post("at_most: 1")],
      found: [2, 3, 4],
    },
    {
      fact: "a third, unrelated rule",
      rules: [post("at_most: 2"), post("at_least: 3"), post("at_least: 1")],
      found: [2],
    },
  ])("$fact", async ({ rules, found }) => {
    expect(await doubtful(rules, ["--snapshot", "s.json"])).toEqual(found);
    // Numbers contradict each other even without a reading.
    expect(await doubtful(rules, [])).toEqual(found);
  });
});

describe("a number and the people whom another rule names", () => {
  test.each<{ fact: string; rules: readonly string[]; found: readonly number[]; alone?: readonly number[] }>([
    { fact: "more people than allowed", rules: [post("at_most: 1"), post("allow: staff")], found: [2] },
    { fact: "as many people as allowed", rules: [post("at_most: 2"), post("allow: staff")], found: [] },
    {
      fact: "more people than allowed, in two rules",
      rules: [post("at_most: 1"), post("allow: hana@acme.example"), post("allow: elif@acme.example")],
      found: [3],
    },
    { fact: "a bot is not counted", rules: [post("at_most: 1"), post("allow: crew")], found: [] },
    {
      fact: "a bot is counted",
      rules: [`${post("at_most: 1")}, bots: true`, `${post("allow: crew")}, bots: true`],
      found: [2],
    },
    { fact: "fewer people than required", rules: [post("at_least: 2"), post("only: hana@acme.example")], found: [2] },
    { fact: "as many people as required", rules: [post("at_least: 2"), post("only: staff")], found: [] },
    {
      fact: "everybody except people who must not",
      rules: [post("deny: hana@acme.example"), post("at_least: 1")],
      found: [],
    },
    // Without a reading, one persona stands for everybody like them: nobody knows how many there are.
    {
      fact: "everybody with a role",
      rules: ["who: member, can: {post: lobby}", post("at_most: 2")],
      found: [2],
      alone: [],
    },
  ])("$fact", async ({ rules, found, alone }) => {
    expect(await doubtful(rules, ["--snapshot", "s.json"])).toEqual(found);
    if (alone !== undefined) expect(await doubtful(rules, [])).toEqual(alone);
  });
});
