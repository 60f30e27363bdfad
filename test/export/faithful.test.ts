import { describe, expect, test } from "vitest";
import { exportRealm } from "../../src/export/export.ts";
import { findProfiles } from "../../src/export/profiles.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { Snapshot } from "../../src/model/snapshot.ts";
import { formatYaml } from "../../src/source/format.ts";
import { realmOf } from "../support/realm.ts";

const exported = async (snapshot: Snapshot, section: string) => {
  const { files, omitted } = await exportRealm({ snapshot, kinds, sections: [section] });
  return { text: files.get("realm.yaml") ?? "", omitted };
};

test("of several linkifiers, those that no file can have are left out once, each with its own reason", async () => {
  const good = (n: string) => ({ pattern: `${n}-(?P<n>[0-9]+)`, url_template: `https://${n}.example.org/{n}` });
  const bad = (n: string) => ({ pattern: `${n}(?=x)`, url_template: "https://bytes.example.org/" });
  const noTemplate = { pattern: "x-(?P<n>[0-9]+)", url_template: "https://x.example.org/{other}" };
  const linkifiers = [bad("a"), good("one"), bad("b"), noTemplate, good("two"), bad("c"), good("three")];
  const { text, omitted } = await exported(realmOf({ linkifiers }), "linkifiers");
  expect(text.match(/url_template: .*/g)).toEqual(
    ["one", "two", "three"].map((n) => `url_template: https://${n}.example.org/{n}`),
  );
  const reasons = omitted.map(({ name, field, reason }) => [name, field, reason.is === "refused" && reason.by.code]);
  expect(reasons.sort()).toEqual([
    ["a(?=x)", undefined, "linkifiers/pattern"],
    ["b(?=x)", undefined, "linkifiers/pattern"],
    ["c(?=x)", undefined, "linkifiers/pattern"],
    ["x-(?P<n>[0-9]+)", undefined, "linkifiers/unknown-variable"],
  ]);
});

test("somebody who hides the address is named by the id, in groups and permissions", async () => {
  const shown = realmOf({ user_groups: [{ name: "crew", members: ["ada@acme.example", "farah@acme.example"] }] });
  const users = shown.users.map((user) =>
    user.delivery_email === "farah@acme.example"
      ? { ...user, delivery_email: null, email: `user${user.user_id}@acme.example.org` }
      : user,
  );
  const id = shown.users.find(({ delivery_email }) => delivery_email === "farah@acme.example")?.user_id;
  const { text } = await exported(Snapshot.parse({ ...shown, users }), "user_groups");
  expect(text).toContain(`members: [ada@acme.example, {id: ${id}}]`);
});

describe("a profile is called private or an announcement only for values that are so", () => {
  const nameOf = (value: object) =>
    findProfiles([..."abcdefghij"].map((name) => ({ name, value: { ...value, description: name } })))[0]?.name;
  test.each([
    [{ privacy: "public", permissions: { can_send_message_group: "role:everyone" } }, "public"],
    [{ privacy: "public", topics_policy: "inherit" }, "public"],
    [{ privacy: "public", permissions: { can_send_message_group: "staff" } }, "public-announcement"],
    [{ privacy: "private_shared_history", folder: "x", topics_policy: "inherit" }, "private"],
    [{ privacy: "web_public", topics_policy: "empty_topic_only" }, "open-to-the-web-without-topics"],
    [{ topics_policy: "inherit", message_retention_days: "realm_default" }, "shared"],
  ])("%j is %s", (value, name) => expect(nameOf(value)).toBe(name));
});

test("joined emoji and Persian words are written as they are, what nobody can see as escapes, and fmt leaves both", async () => {
  const names = ["👩‍💻 devs", "می‌خواهم", "pay\u202egnp", "adm\u00adin", "no\u00a0break", "zero\u200bwidth", "\ue000x"];
  const description = "A long description with a line end, which is longer than forty characters.\nAnd \u202e more";
  const { text } = await exported(realmOf({ channels: names.map((name) => ({ name, description })) }), "channels");
  for (const written of ["👩‍💻 devs:", "می‌خواهم:", '"pay\\u202egnp":', '"adm\\u00adin":', '"no\\u00a0break":'])
    expect(text).toContain(written);
  expect(text).toContain('"zero\\u200bwidth":');
  expect(formatYaml(text)).toBe(text);
});

test("files of folders have names that every system can have, and no two are one on a disk that ignores capital letters", async () => {
  const folders = [
    "CON",
    "nul",
    "aux.",
    "Com1",
    "lpt9 ",
    "...",
    "Straße",
    "STRASSE",
    "ΣΑΣ",
    "σασ",
    "한국",
    "ﷺ".repeat(50),
    "x".repeat(100),
  ];
  const snapshot = realmOf({
    channel_folders: folders.map((name, at) => ({ id: 10 + at, name })),
    channels: folders.map((_, at) => ({ name: `c${10 + at}`, folder_id: 10 + at })),
  });
  const { files } = await exportRealm({ snapshot, kinds, sections: ["channel_folders", "channels"], split: "folder" });
  const names = [...files.keys()].flatMap((path) => /^channels\/(.*)\.yaml$/.exec(path)?.[1] ?? []);
  expect(names).toHaveLength(folders.length);
  expect(names.slice(0, 6)).toEqual(["con-other", "nul-other", "aux-other", "com1-other", "lpt9-other", "other"]);
  expect(names[10]).toBe("한국");
  for (const name of names) {
    expect(name).not.toMatch(/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$|[. ]$|["*/:<>?\\|]/i);
    expect(Buffer.byteLength(name)).toBeLessThan(210);
  }
  expect(new Set(names.map((name) => name.toUpperCase())).size).toBe(names.length);
});
