import { describe, expect, test } from "vitest";
import type { DecodeContext } from "../model/decoding.ts";
import type { Path } from "../model/diagnostic.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot, SnapshotGroup, SnapshotUser } from "../model/snapshot.ts";
import { type GroupValueInput, resolveGroupValue, warnOfSlip } from "./references.ts";

const user = (user_id: number, full_name: string, delivery_email: string | null, is_active = true): SnapshotUser => ({
  user_id,
  email: `user${user_id}@chat.example.org`,
  delivery_email,
  full_name,
  role: 400,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  is_active,
});
const group = (id: number, name: string, members: number[], deactivated = false): SnapshotGroup => ({
  id,
  name,
  description: "",
  members,
  direct_subgroup_ids: [],
  is_system_group: name.startsWith("role:"),
  deactivated,
  creator_id: null,
  date_created: null,
});

const snapshot: Snapshot = {
  format: "realmctl.snapshot",
  version: 1,
  taken_at: "2026-11-21T12:00:00Z",
  server: { zulip_version: "12.1", feature_level: 482 },
  realm: { url: "https://chat.example.org", name: "Example" },
  account: { user_id: 1, email: "ada@example.org", full_name: "Ada", role: 100, is_bot: false },
  permission_settings: null,
  settings: {},
  users: [
    user(1, "Ada Okafor", "ada@example.org"),
    user(2, "Grace", null),
    user(3, "Bob", "bob@example.org", false),
    user(4, "Twin A", "twin@example.org"),
    user(5, "Twin B", "Twin@example.org"),
  ],
  user_groups: [
    group(10, "role:everyone", [1, 2, 4, 5]),
    group(11, "role:members", [1, 2]),
    group(12, "role:nobody", []),
    group(20, "engineering", [1, 2]),
    group(21, "staff", [1]),
    group(22, "retired", [], true),
  ],
  channels: [],
  default_channels: null,
  channel_folders: null,
  linkifiers: null,
  domains: null,
  navigation_views: null,
  subscribers: null,
  invites: null,
};

interface Found {
  readonly path: Path;
  readonly code: string;
  readonly severity: string;
  readonly fact?: object | undefined;
}
function resolve(value: GroupValueInput, realm: Realm | undefined, declared: readonly string[] = []) {
  const diagnostics: Found[] = [];
  const context: DecodeContext = {
    realm,
    declares: (kind, key) => kind === "user_group" && declared.includes(key),
    declaredNames: (kind) => (kind === "user_group" ? declared : []),
    report: (path, { severity = "error", ...finding }) => diagnostics.push({ path, severity, ...finding }),
  };
  const { known, isWhole } = resolveGroupValue(value, ["permissions", "x"], context);
  return { value: isWhole ? known : undefined, diagnostics };
}

const realm = new Realm(snapshot);
const groupCalled = (quoted: string) => ({ quoted, of: "user_group" });

test.each<{ value: GroupValueInput; canonical: unknown; declared?: string[] }>([
  { value: "staff", canonical: "staff" },
  { value: "role:everyone", canonical: "role:everyone" },
  { value: {}, canonical: "role:nobody" },
  { value: { groups: ["staff"] }, canonical: "staff" },
  { value: { groups: ["staff", "staff"], users: [] }, canonical: "staff" },
  {
    value: { groups: ["staff", "engineering"], users: ["ADA@example.org"] },
    canonical: { groups: ["engineering", "staff"], users: ["ada@example.org"] },
  },
  { value: { users: [{ id: 2 }] }, canonical: { groups: [], users: ["user:2"] } },
  { value: { users: ["user:2"] }, canonical: { groups: [], users: ["user:2"] } },
  { value: { users: ["user1@chat.example.org"] }, canonical: { groups: [], users: ["ada@example.org"] } },
  { value: { users: ["User2@chat.example.org"] }, canonical: { groups: [], users: ["user:2"] } },
  { value: "new-team", declared: ["new-team"], canonical: "new-team" },
  { value: "retired", declared: ["retired"], canonical: "retired" },
])("$value is $canonical", ({ value, canonical, declared }) =>
  expect(resolve(value, realm, declared)).toEqual({ value: canonical, diagnostics: [] }),
);

describe("with a realm", () => {
  test.each<{ value: GroupValueInput; code: string; at: Path; fact: object; declared?: string[] }>([
    {
      value: "enginering",
      code: "reference/unknown-group",
      at: [],
      fact: { meant: groupCalled("engineering"), members: 2 },
    },
    {
      value: "everyone",
      code: "reference/unknown-group",
      at: [],
      fact: { meant: groupCalled("role:everyone"), members: 4 },
    },
    { value: "@staff", code: "reference/unknown-group", at: [], fact: { meant: groupCalled("staff"), members: 1 } },
    {
      value: "zzz",
      code: "reference/unknown-group",
      at: [],
      fact: { found: "no-group", known: [groupCalled("engineering"), groupCalled("staff")], more: 0 },
    },
    { value: "Staff", code: "reference/unknown-group", at: [], fact: { meant: groupCalled("staff"), members: 1 } },
    {
      value: "newteam",
      declared: ["new-team"],
      code: "reference/unknown-group",
      at: [],
      fact: { meant: groupCalled("new-team") },
    },
    {
      value: { groups: ["staff", "retired"] },
      code: "reference/deactivated-group",
      at: ["groups", 1],
      fact: { name: groupCalled("retired") },
    },
    {
      value: { users: ["aad@example.org"] },
      code: "reference/unknown-person",
      at: ["users", 0],
      fact: { meant: { quoted: "ada@example.org" }, hidden: 1 },
    },
    {
      value: { users: ["grace"] },
      code: "reference/unknown-person",
      at: ["users", 0],
      fact: { meant: { quoted: "user:2" } },
    },
    {
      value: { users: ["someone-else@elsewhere.example"] },
      code: "reference/unknown-person",
      at: ["users", 0],
      fact: { found: "no-address", hidden: 1 },
    },
    {
      value: { users: ["twin@example.org"] },
      code: "reference/ambiguous-person",
      at: ["users", 0],
      fact: {
        accounts: [
          { user_id: 4, full_name: "Twin A" },
          { user_id: 5, full_name: "Twin B" },
        ],
      },
    },
    {
      value: { users: [{ id: 99 }] },
      code: "reference/unknown-person",
      at: ["users", 0],
      fact: { found: "no-id", id: 99 },
    },
  ])("$value is $code", ({ value, code, at, fact, declared }) => {
    const found = resolve(value, realm, declared);
    expect(found.value).toBeUndefined();
    expect(found.diagnostics).toMatchObject([{ code, path: ["permissions", "x", ...at], severity: "error", fact }]);
  });

  test("somebody deactivated is reported, and the value is of the others", () => {
    const found = resolve({ groups: ["staff"], users: ["bob@example.org"] }, realm, []);
    expect(found.value).toBe("staff");
    const fact = { name: { quoted: "bob@example.org" } };
    expect(found.diagnostics).toMatchObject([
      { code: "reference/deactivated-person", path: ["permissions", "x", "users", 0], fact },
    ]);
  });

  test("the address that stood for an account while it hid its own names that account, with a warning", () => {
    // Ada shows her address by now, so no account has the other one.
    const shown = {
      ...realm.snapshot,
      users: realm.snapshot.users.map((user) => ({ ...user, email: user.delivery_email ?? user.email })),
    };
    const found = resolve({ users: ["user1@chat.example.org"] }, new Realm(shown));
    expect(found.value).toEqual({ groups: [], users: ["ada@example.org"] });
    const fact = { found: "stand-in", id: 1, address: { quoted: "user1@chat.example.org" } };
    expect(found.diagnostics).toMatchObject([{ code: "reference/unknown-person", severity: "warning", fact }]);
    // Such an address of another host is somebody's own.
    expect(resolve({ users: ["user1@elsewhere.example"] }, new Realm(shown)).value).toBeUndefined();
  });

  test("every unknown name is reported, not only the first", () =>
    expect(resolve({ groups: ["a1", "b1"], users: ["c1"] }, realm).diagnostics).toHaveLength(3));
});

describe("offline", () => {
  test.each<{ value: GroupValueInput; canonical: unknown }>([
    { value: "anything", canonical: "anything" },
    { value: "role:moderators", canonical: "role:moderators" },
    {
      value: { groups: ["b", "a"], users: ["Ada@Example.org", { id: 17 }] },
      canonical: { groups: ["a", "b"], users: ["ada@example.org", "user:17"] },
    },
  ])("$value is $canonical", ({ value, canonical }) =>
    expect(resolve(value, undefined)).toEqual({ value: canonical, diagnostics: [] }),
  );

  test.each<{ value: GroupValueInput; code: string; severity: string; declared?: string[] }>([
    { value: "role:moderator", code: "reference/unknown-group", severity: "error" },
    { value: "everyone", code: "reference/misspelt-group", severity: "warning" },
    { value: "enginering", declared: ["engineering"], code: "reference/misspelt-group", severity: "warning" },
    { value: { users: ["Ada"] }, code: "reference/not-an-address", severity: "error" },
  ])("$value: $code", ({ value, code, severity, declared }) =>
    expect(resolve(value, undefined, declared).diagnostics).toMatchObject([{ code, severity }]),
  );
});

describe("offline, a channel or folder that the file does not declare", () => {
  const slip = (name: string, declared: readonly string[]): readonly string[] => {
    const codes: string[] = [];
    warnOfSlip("channel", name, ["x"], {
      realm: undefined,
      declares: () => false,
      declaredNames: () => declared,
      report: (_, { code, severity }) => codes.push(`${severity} ${code}`),
    });
    return codes;
  };
  test.each([
    { name: "anounce", declared: ["announce"] },
    { name: "Team leeds", declared: ["team-leads"] },
    { name: "incident", declared: ["incidents"] },
  ])("$name looks like $declared", ({ name, declared }) =>
    expect(slip(name, declared)).toEqual(["warning reference/misspelt-channel"]),
  );

  test.each([
    { name: "team-2", declared: ["team-1"] },
    { name: "ops-eu", declared: ["ops-us"] },
    { name: "release 2026", declared: ["release 2025"] },
    { name: "random", declared: ["general"] },
    { name: "anything", declared: [] },
  ])("$name is not treated as a misspelling of $declared", ({ name, declared }) =>
    expect(slip(name, declared)).toEqual([]),
  );
});
