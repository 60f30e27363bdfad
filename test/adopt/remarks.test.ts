import { expect, test } from "vitest";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { commentsIn } from "../../src/source/nodes.ts";
import { RUNS } from "../properties/arbitrary.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { adopted, one, planned } from "./files.ts";

// Edits by hand of what lists hold, each entry with a remark about itself: the remark stays with it, whatever it is called now.

const PEOPLE = ["ada", "chiara", "dmitri", "elif", "farah", "gustavo", "hana"].map((name) => `${name}@acme.example`);
const HOSTS = ["jira", "trac", "wiki", "mail", "docs"];

interface Edits {
  readonly members: readonly string[];
  readonly hidden: readonly string[];
  readonly joined: readonly string[];
  readonly left: readonly string[];
  /** Of linkifiers and profile fields. */
  readonly renamed: readonly string[];
  readonly removed: readonly string[];
  readonly isFlow: boolean;
}

const some = (of: readonly string[]) => fc.shuffledSubarray([...of]);
const edits: fc.Arbitrary<Edits> = fc.record({
  members: fc.shuffledSubarray([...PEOPLE], { minLength: 2 }),
  hidden: some(PEOPLE.filter((email) => !email.startsWith("ada"))),
  joined: some(PEOPLE),
  left: some(PEOPLE),
  renamed: some(HOSTS),
  removed: fc.subarray(HOSTS, { maxLength: 2 }),
  isFlow: fc.boolean(),
});

const patternOf = (host: string, isRenamed: boolean): string =>
  `${isRenamed ? "NEW-" : ""}${host.toUpperCase()}-(?P<id>[0-9]+)`;
const templateOf = (host: string): string => `https://${host}.example.org/{id}`;
const hintOf = (host: string): string => `the name in ${host}`;

function fileOf({ members, isFlow }: Edits): string {
  const item = (first: string, rest: string, host: string): string =>
    isFlow ? `  - {${first}, ${rest}} # ${host}\n` : `  - ${first} # ${host}\n    ${rest}\n`;
  return `version: 1
linkifiers:
${HOSTS.map((host) => item(`pattern: '${patternOf(host, false)}'`, `url_template: '${templateOf(host)}'`, host)).join("")}
profile_fields:
${HOSTS.map((host) => item(`name: Name ${host}`, isFlow ? `type: short_text, hint: ${hintOf(host)}` : `type: short_text\n    hint: ${hintOf(host)}`, host)).join("")}
user_groups:
  crew:
    members:
${members.map((email) => `      - ${email} # ${email}\n`).join("")}`;
}

function realmAfter({ members, hidden, joined, left, renamed, removed }: Edits): Snapshot {
  const there = HOSTS.filter((host) => !removed.includes(host));
  const now = new Set([...members.filter((email) => !left.includes(email)), ...joined]);
  const snapshot = realmOf({
    linkifiers: there.map((host) => ({
      pattern: patternOf(host, renamed.includes(host)),
      url_template: templateOf(host),
    })),
    profile_fields: there.map((host) => ({
      name: `${renamed.includes(host) ? "Called" : "Name"} ${host}`,
      type: "short_text",
      hint: hintOf(host),
    })),
    user_groups: [{ name: "crew", members: [...now] }],
  });
  const hides = (email: string | null): boolean => email !== null && hidden.includes(email);
  return {
    ...snapshot,
    users: snapshot.users.map((user) => (hides(user.delivery_email) ? { ...user, delivery_email: null } : user)),
  };
}

/** The ids of people by the first part of their addresses. */
const idsOf = ({ users }: Snapshot): ReadonlyMap<string, number> =>
  new Map(users.map(({ full_name, user_id }) => [full_name.split(" ")[0]?.toLowerCase() ?? "", user_id]));

test("whatever somebody renames, hides, adds or removes in lists: nothing differs then, and remarks stay with their entries", async () => {
  let renamed = 0;
  await fc.assert(
    fc.asyncProperty(edits, async (edit) => {
      const file = fileOf(edit);
      const snapshot = realmAfter(edit);
      const { files, left } = await adopted(one(file), snapshot);
      const after = files.get("realm.yaml") ?? "";
      expect([left, (await planned(files, snapshot)).changes]).toEqual([0, []]);
      expect(
        commentsIn(after)
          .map(({ text }) => text)
          .sort(),
      ).toEqual(
        commentsIn(file)
          .map(({ text }) => text)
          .sort(),
      );
      const ids = idsOf(snapshot);
      const found: string[] = [];
      for (const line of after.split("\n")) {
        const [, entry = "", remark = ""] = /^\s*- (.*\S) # (\S+)$/.exec(line) ?? [];
        if (entry === "") continue;
        found.push(remark);
        const name = remark.split("@")[0] ?? "";
        const isOwn = entry.toLowerCase().includes(name) || entry === `id: ${ids.get(name)}`;
        expect(isOwn, line).toBe(true);
      }
      const hosts = HOSTS.filter((host) => !edit.removed.includes(host));
      const members = edit.members.filter((email) => !edit.left.includes(email) || edit.joined.includes(email));
      expect(found.sort()).toEqual([...hosts, ...hosts, ...members].sort());
      renamed += edit.renamed.length;
    }),
    { numRuns: Math.max(20, RUNS) },
  );
  expect(renamed).toBeGreaterThan(20);
}, 120_000);
