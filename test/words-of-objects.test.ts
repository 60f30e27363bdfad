import { expect, test } from "vitest";
import { EXIT_BUG } from "../src/cli/context.ts";
import { EXIT } from "../src/model/diagnostic.ts";
import { isList, isObject, type Json } from "../src/model/json.ts";
import { snapshotText } from "../src/zulip/snapshot.ts";
import { runCommandLine } from "./support/cli/command-line.ts";
import { realmOf } from "./support/realm.ts";

/** Properties that every JavaScript object has, whether anybody set them or not. */
const WORDS = ["constructor", "__proto__"] as const;

const FILE: Json = {
  version: 1,
  realm: "https://acme.example.org",
  manage: { channels: "additive" },
  policy: { limits: { removals: 3 }, protect: ["channel:general"] },
  vars: { who: { type: "string", default: "people" } },
  values: { who: "everybody" },
  defaults: { channels: { privacy: "public" } },
  profiles: {
    open: { profile: "base", permissions: { can_send_message_group: "role:members" } },
    base: { folder: null },
  },
  user_groups: { crew: { description: "For ${who}", members: ["ada@acme.example"], subgroups: ["role:moderators"] } },
  channel_folders: { Works: { was: "Old", description: "d" } },
  channels: {
    general: { profile: "open", folder: "Works", subscribers: { groups: ["crew"], users: [{ id: 7 }] } },
    hall: { was: "lobby", archived: true, topics_policy: "inherit" },
  },
  default_channels: ["general"],
  linkifiers: [{ pattern: "A(?P<id>[0-9]+)", url_template: "https://a.example.org/{id}" }],
  domains: { "acme.example": { allow_subdomains: true } },
  navigation_views: { "narrow/channel/1": { is_pinned: true, name: "Stars" } },
  invites: [
    {
      emails: ["new@acme.example"],
      invite_as: "member",
      groups: ["crew"],
      channels: ["general"],
      send_until: "2026-12-01",
    },
  ],
};

/** The value with the word instead of one key or one value, each in turn. */
function* replaced(value: Json, word: string): Generator<Json> {
  yield word;
  if (isList(value)) {
    for (const [index, item] of value.entries())
      for (const other of replaced(item, word)) yield value.with(index, other);
  } else if (isObject(value)) {
    const entries = Object.entries(value);
    for (const [index, [key, item]] of entries.entries()) {
      yield Object.fromEntries(entries.with(index, [word, item]));
      for (const other of replaced(item, word)) yield Object.fromEntries(entries.with(index, [key, other]));
    }
  }
}

test.each(WORDS)("%s instead of any key or value of a file is an ordinary word", async (word) => {
  const snapshot = snapshotText(
    realmOf({
      subscribers: { general: ["ada@acme.example"], lobby: [] },
      invites: [],
      channel_folders: [{ name: "Old" }],
      channels: [{ name: "general" }, { name: "lobby" }],
    }),
  );
  const found = new Set<string>();
  let count = 0;
  const whole = await runCommandLine(["plan", "--snapshot", "realm.json"], {
    files: { "realm.yaml": JSON.stringify(FILE), "realm.json": snapshot },
  });
  expect(whole.err).not.toContain("error[");
  for (const file of replaced(FILE, word)) {
    count += 1;
    const files = { "realm.yaml": JSON.stringify(file), "realm.json": snapshot };
    const { exitCode, out, err } = await runCommandLine(["plan", "--snapshot", "realm.json"], { files });
    const text = `${out}${err}`;
    if (exitCode === EXIT_BUG || /\[native code\]|\[object |undefined/.test(text))
      found.add(`${files["realm.yaml"]}\n${text}`);
  }
  expect(count).toBeGreaterThan(90);
  expect([...found]).toEqual([]);
});

/** The value with one more entry in one of its maps, each in turn. */
function* withEntry(value: Json, key: string, entry: Json): Generator<Json> {
  if (isList(value)) {
    for (const [index, item] of value.entries())
      for (const other of withEntry(item, key, entry)) yield value.with(index, other);
  } else if (isObject(value)) {
    const entries = Object.entries(value);
    yield Object.fromEntries([...entries, [key, entry]]);
    for (const [index, [name, item]] of entries.entries())
      for (const other of withEntry(item, key, entry)) yield Object.fromEntries(entries.with(index, [name, other]));
  }
}

test("__proto__ next to other keys in any map of a file is never silently ignored", async () => {
  const silent: string[] = [];
  let count = 0;
  const whole: Json = { ...FILE, settings: { authentication_methods: { Email: true }, permissions: {} } };
  for (const file of withEntry(whole, "__proto__", 3)) {
    count += 1;
    const text = JSON.stringify(file);
    const { err } = await runCommandLine(["validate"], { files: { "realm.yaml": text } });
    if (!err.includes("__proto__")) silent.push(text);
  }
  expect(count).toBeGreaterThan(25);
  expect(silent).toEqual([]);
});

test("no lookup finds a word that its table only inherits", async () => {
  const lines = [["plan", "--constructor"], ["constructor"], ["explain", "constructor"], ["api", "constructor"]];
  for (const line of lines) {
    const { exitCode, out, err } = await runCommandLine(line);
    expect([exitCode, /native code/.test(out + err)]).toEqual([EXIT.errors, false]);
  }
});
