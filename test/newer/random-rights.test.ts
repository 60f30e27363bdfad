import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { World } from "../e2e/world.ts";
import { scenario } from "../properties/arbitrary.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";

const SCOPES = ["realm", "stream", "group"] as const;
type Scope = (typeof SCOPES)[number];

/** A right that no version of realmctl knows: what it belongs to, its rule, and which groups have it where it is stored. */
const right = fc.record({
  name: fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/).map((word) => `can_invented_${word}_group`),
  scope: fc.constantFrom(...SCOPES),
  rule: fc.record({
    require_system_group: fc.boolean(),
    allow_internet_group: fc.boolean(),
    allow_nobody_group: fc.constant(true),
    allow_everyone_group: fc.constant(true),
    default_group_name: fc.constantFrom("role:everyone", "role:members", "role:nobody"),
    default_for_system_groups: fc.constantFrom(null, "role:nobody"),
    allowed_system_groups: fc.constant<string[]>([]),
  }),
  holder: fc.constantFrom("role:owners", "role:moderators", "role:everyone", "role:nobody"),
  withPeople: fc.boolean(),
});
type Right = typeof right extends fc.Arbitrary<infer One> ? One : never;

/** The same organization on a server that describes these rights, and has values of them everywhere. */
function withRights(plain: Snapshot, rights: readonly Right[]): Snapshot {
  const id = (group: string): number => plain.user_groups.find(({ name }) => name === group)?.id ?? 0;
  const of = (scope: Scope) => rights.filter((each) => each.scope === scope);
  const rules = (scope: Scope) => Object.fromEntries(of(scope).map(({ name, rule }) => [name, rule]));
  const values = (scope: Scope) =>
    Object.fromEntries(
      of(scope).map(({ name, rule, holder, withPeople }) => [
        name,
        withPeople && !rule.require_system_group
          ? { direct_members: [plain.account.user_id], direct_subgroups: [id(holder)] }
          : id(holder),
      ]),
    );
  const known = plain.permission_settings;
  return {
    ...plain,
    permission_settings: known && {
      realm: { ...known.realm, ...rules("realm") },
      stream: { ...known.stream, ...rules("stream") },
      group: { ...known.group, ...rules("group") },
    },
    settings: { ...plain.settings, ...values("realm") },
    channels: plain.channels.map((channel) => ({ ...channel, ...values("stream") })),
    user_groups: plain.user_groups.map((group) => ({ ...group, ...values("group") })),
  };
}

const RULES = "version: 1\ntests: [{name: Guests, who: {role: guest}, can: {invite: organization}}]\n";
const COMMANDS = [
  "plan --all",
  "drift",
  "export",
  "export --snapshot read.json",
  "access organization",
  "access ada@acme.example",
  "access --as guest",
  "test --live",
  "whoami",
  "init --yes --no-workflows --file first.yaml",
];

/** The one line, with its label where it has one. */
const LINE =
  /(?:[Nn]ot known )?\d+ settings? of this server (?:is|are) newer than realmctl [^:]+: (?:can_invented_\w+(?:,? ?…? and \d+ more|, | and )?)+\.? ?/g;

/** What the commands print and write, without the line that names what is new, the list of `access`, and times and addresses. */
async function outputs(world: World, yaml: string, names: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  const plain = (text: string): string =>
    text
      .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
      .replaceAll(/\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)/g, "TIME")
      .replaceAll(/^.*rights that this version does not know[^\n]*\n(?: .*\n)*\n?/gm, "")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/\(\d+ requests?, [\d.]+ m?s\)/g, "(requests)")
      // What is not known counts as not watched.
      .replaceAll(/Watches (?:all )?\d+[^.]*?other fields/g, "Watches")
      .replaceAll(LINE, "");
  world.file("realm.yaml", yaml);
  world.file("realm.test.yaml", RULES);
  await world.realmctl("snapshot --out read.json");
  for (const line of COMMANDS) {
    const { code, out, err } = await world.realmctl(line);
    found.set(line, { code, out: plain(out).split(/(?<=[.;>]) */), err: plain(err) });
  }
  found.set("first.yaml", plain(world.read("first.yaml")));
  const known = (key: string, value: unknown): unknown => (names.includes(key) ? undefined : value);
  found.set("read.json", plain(JSON.stringify(JSON.parse(world.read("read.json"), known))));
  return found;
}

const RUNS = Number(process.env.REALMCTL_RUNS ?? 1);

test("whatever a server has beyond this version: nothing known changes in any output but the one line, and each right can be managed", async () => {
  const rights = fc.uniqueArray(right, { minLength: 2, maxLength: 8, selector: ({ name }) => name });
  await fc.assert(
    fc.asyncProperty(scenario, rights, async ({ overlay, yaml }, added) => {
      const plain = realmOf({ ...overlay, feature_level: 442 });
      const names = added.map(({ name }) => name);
      const [before, after] = await Promise.all(
        [plain, withRights(plain, added)].map(async (from) => World.start({ from })),
      );
      if (before === undefined || after === undefined) throw new RangeError("no worlds");
      const expected = await outputs(before, yaml, names);
      const shown = await outputs(after, yaml, names);
      for (const [line, output] of expected) expect({ line, output: shown.get(line) }).toEqual({ line, output });
      after.restart();
      const of = (scope: Scope): string =>
        JSON.stringify(
          Object.fromEntries(added.filter((each) => each.scope === scope).map(({ name }) => [name, "role:members"])),
        );
      const groups = `user_groups: {bakers: {members: [], permissions: ${of("group")}}}`;
      after.file(
        "realm.yaml",
        `version: 1\nsettings: {permissions: ${of("realm")}}\nchannels: {made: {permissions: ${of("stream")}}}\n${groups}\n`,
      );
      const applied = await after.realmctl("apply --yes --allow opened");
      expect(applied.code, applied.out + applied.err).toBe(EXIT.done);
      const again = await after.realmctl("plan --detailed-exit-code");
      expect(again.code, again.out).toBe(EXIT.done);
      const { realm } = after.sandbox.state();
      const members = after.group("role:members");
      for (const { name, scope } of added) if (scope === "realm") expect(realm[name]).toBe(members);
      const undone = await after.realmctl(`apply --undo .realmctl/${after.journals()[0]} --yes --allow opened`);
      expect(undone.code, undone.out + undone.err).toBe(EXIT.done);
      await Promise.all([before.end(), after.end()]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 240_000);
