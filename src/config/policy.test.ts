import { describe, expect, test } from "vitest";
import { kinds } from "../kinds/registry.ts";
import { MOST_WILDCARDS } from "./manage.ts";
import { loadNamedPolicy, loadPolicy, readOwnPolicy } from "./policy.ts";

// The meaning of a file of guard rails: a guard rail that is read wrongly protects nothing, without a message.

const options = (text: string) => ({ file: "guards.yaml", readFile: async () => text, kinds });
const load = (policy: string) => loadPolicy(options(`version: 1\npolicy: ${policy}\n`));
async function found(read: ReturnType<typeof load>) {
  const result = await read;
  if (!result.ok) return result.diagnostics.map(({ code, at }) => `${code} ${at?.line}:${at?.column}`);
  const { limits, protect, lockout, minOwners } = result.value;
  return {
    limits: Object.fromEntries(Object.entries(limits).map(([name, { most }]) => [name, most])),
    protect: protect.map(({ pattern }) => pattern),
    lockout,
    owners: minOwners?.least,
  };
}
const nothing = { limits: {}, protect: [], lockout: undefined, owners: undefined };

describe("guard rails", () => {
  test.each<{ policy: string; means: Partial<typeof nothing> | { limits: object } | object }>([
    { policy: "{limits: {changes: 0}}", means: { limits: { changes: 0 } } },
    { policy: "{limits: {changes: 7, removals: 3}}", means: { limits: { changes: 7, removals: 3 } } },
    { policy: "{limits: {channels: {removals: 2}}}", means: { limits: { "channels.removals": 2 } } },
    {
      policy: "{limits: {changes: 5, channels: {changes: 200}, user_groups: {removals_percent: 100}}}",
      means: { limits: { changes: 5, "channels.changes": 200, "user_groups.removals_percent": 100 } },
    },
    { policy: "{limits: {removals_percent: 0}}", means: { limits: { removals_percent: 0 } } },
    { policy: "{limits: {removals_percent: 100}}", means: { limits: { removals_percent: 100 } } },
    { policy: "{limits: {changes: 101}}", means: { limits: { changes: 101 } } },
    { policy: '{protect: ["channels:*", "user_group:s?"]}', means: { protect: ["channels:*", "user_group:s?"] } },
    { policy: "{lockout: refuse}", means: { lockout: "refuse" } },
    { policy: "{min_owners: 1}", means: { owners: 1 } },
  ])("$policy", async ({ policy, means }) => expect(await found(load(policy))).toEqual({ ...nothing, ...means }));

  test.each<{ policy: string; errors: readonly string[] }>([
    { policy: "{limits: {changes: -1}}", errors: ["policy/limit 2:28"] },
    { policy: "{limits: {changes: 1.5}}", errors: ["policy/limit 2:28"] },
    { policy: "{limits: {changes: many}}", errors: ["policy/limit 2:28"] },
    { policy: '{limits: {changes: "3"}}', errors: ["policy/limit 2:28"] },
    { policy: "{limits: {removals_percent: 101}}", errors: ["policy/limit 2:37"] },
    { policy: "{limits: {channels: {removals_percent: 101}}}", errors: ["policy/limit 2:48"] },
    { policy: "{limits: {channels: 3}}", errors: ["policy/unknown-limit 2:19"] },
    { policy: "{limits: {channels: {channels: {changes: 1}}}}", errors: ["policy/unknown-limit 2:30"] },
    { policy: "{limits: {chanels: {changes: 1}}}", errors: ["policy/unknown-limit 2:19"] },
    { policy: "{limits: 3}", errors: ["policy/not-a-map 2:18"] },
    { policy: "{limit: {changes: 1}}", errors: ["policy/unknown 2:10"] },
    { policy: "{protect: channel:a}", errors: ["policy/not-a-list 2:19"] },
    { policy: '{protect: ["channel: a"]}', errors: ["policy/protect 2:20"] },
    { policy: '{protect: ["channel:a "]}', errors: ["policy/protect 2:20"] },
    { policy: '{protect: ["chanel:a"]}', errors: ["policy/protect 2:20"] },
    { policy: "{sync: channels.*.subscribers}", errors: ["policy/sync 2:16"] },
    { policy: "{sync: [channels.subscribers]}", errors: ["policy/sync 2:17"] },
    { policy: "{sync: ['*.*.members', 3]}", errors: ["policy/sync 2:17", "policy/sync 2:32"] },
    { policy: "{lockout: true}", errors: ["policy/lockout 2:19"] },
    { policy: "{min_owners: 0}", errors: ["policy/min-owners 2:22"] },
    { policy: "{min_owners: 1.5}", errors: ["policy/min-owners 2:22"] },
    { policy: "[]", errors: ["policy/not-a-map 2:9"] },
    { policy: "other.yaml", errors: ["policy/missing 1:1"] },
  ])("$policy is refused", async ({ policy, errors }) =>
    expect([...new Set(await asList(load(policy)))].sort()).toEqual([...errors].sort()),
  );

  async function asList(read: ReturnType<typeof load>): Promise<readonly string[]> {
    const result = await found(read);
    return Array.isArray(result) ? result : ["accepted"];
  }

  test.each([
    { wildcards: MOST_WILDCARDS, others: 5, accepted: true },
    { wildcards: MOST_WILDCARDS + 1, others: 0, accepted: false },
  ])("$wildcards patterns with wildcards, $others without: $accepted", async ({ wildcards, others, accepted }) => {
    const patterns = [
      ...Array.from({ length: wildcards }, (_, n) => `"channel:a${n}*"`),
      ...Array.from({ length: others }, (_, n) => `"channel:b${n}"`),
    ];
    const result = await load(`{protect: [${patterns.join(", ")}]}`);
    expect(result.ok).toBe(accepted);
    if (result.ok) expect(result.value.protect).toHaveLength(wildcards + others);
    else
      expect(result.diagnostics).toMatchObject([
        { code: "policy/protect", fact: { patterns: wildcards, most: MOST_WILDCARDS } },
      ]);
  });

  test("each has its place", async () => {
    const result = await load('{limits: {changes: 1}, protect: ["channel:a"], lockout: allow, min_owners: 2}');
    expect(result).toMatchObject({
      ok: true,
      value: {
        limits: { changes: { at: { line: 2, column: 28 } } },
        protect: [{ at: { line: 2, column: 42 } }],
        lockoutAt: { line: 2, column: 65 },
        minOwners: { at: { line: 2, column: 84 } },
      },
    });
  });

  test.each(["version: 1\nchannels: {}\nsettings: {}\n", "version: 1\npolicy: {}\nchannels: {}\n"])(
    "the file of an organization is no policy file: nothing of it is to be deleted",
    async (text) =>
      expect(await loadPolicy(options(text))).toMatchObject({
        ok: false,
        diagnostics: [{ code: "policy/missing", fact: { section: "channels" } }],
      }),
  );

  test("a policy file has no other keys", async () => {
    const result = await loadPolicy(options("version: 1\npolicy: {}\nrealm: x\n"));
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code: "policy/unknown", fact: { where: "file" } }] });
    expect((await loadPolicy(options("version: 1\npolicy: [\n"))).ok).toBe(false);
  });
});

describe("the guard rails of a file that a command names", () => {
  const files: { readonly [path: string]: string } = {
    "base/rails.yaml": "version: 1\npolicy: {limits: {removals: 3}}\n",
  };
  const named = (text: string) =>
    loadNamedPolicy({
      file: "base/realm.yaml",
      kinds: options("").kinds,
      readFile: async (path) => (path === "base/realm.yaml" ? text : (files[path] ?? "")),
    });

  test.each([
    { what: "one that names a policy beside it", text: "version: 1\npolicy: rails.yaml\nchannels: {}\n", most: 3 },
    { what: "one without sections", text: "version: 1\nrealm: https://chat.example.org\n", most: undefined },
  ])("$what", async ({ text, most }) => {
    const found = await named(text);
    expect(found).toMatchObject({ ok: true });
    expect(found.ok && found.value.limits.removals?.most).toBe(most);
  });

  test.each(["version: 1\npolicy: {limits: {removals: many}}\nchannels: {}\n", "version: 1\nrailz: {}\n"])(
    "%j has errors",
    async (text) => expect((await named(text)).ok).toBe(false),
  );
});

describe("the guard rails of a file that has errors elsewhere", () => {
  const own = (text: string) => readOwnPolicy(options(`version: 1\n${text}`));

  test("may be in a file that this file names, or absent", async () => {
    expect(await own("policy: guards/main.yaml\n")).toMatchObject({
      ok: true,
      value: { policy: { file: "guards/main.yaml", at: { line: 2, column: 9 } } },
    });
    expect(await own("channels: {}\n")).toEqual({ ok: true, value: {}, warnings: [] });
  });

  test.each(["policy: '  '\n", "policy: {\n"])("are an error if they have errors themselves: %s", async (text) =>
    expect((await own(text)).ok).toBe(false),
  );
});
