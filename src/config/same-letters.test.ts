import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import { Realm } from "../model/realm.ts";
import { readConfig } from "./read-config.ts";

/** One letter, or an e with an accent of its own. */
const [COMPOSED, DECOMPOSED] = ["caf\u00e9", "cafe\u0301"];
/** With a Cyrillic o. */
const CYRILLIC = "t\u043ep";

test.each([
  { fact: "a name that looks like one of the organization", entry: `${DECOMPOSED}: {}`, found: [COMPOSED] },
  { fact: "the name of the organization itself", entry: `${COMPOSED}: {}`, found: [] },
  { fact: "a rename from the other form", entry: `${DECOMPOSED}: {was: ${COMPOSED}}`, found: [] },
  { fact: "another name", entry: "caff\u00e8: {}", found: [] },
  { fact: "a letter of another script", entry: "c\u0430f\u00e9: {}", found: [COMPOSED], name: "c\u0430f\u00e9" },
  { fact: "a character that nobody sees", entry: '"caf\\u200B\u00e9": {}', found: [COMPOSED], name: "caf\u200b\u00e9" },
  {
    fact: "a name in Latin letters beside one with a Cyrillic letter",
    entry: "top: {}",
    found: [CYRILLIC],
    name: "top",
  },
  { fact: "a rename to a look-alike of another", entry: "top: {was: hall}", found: [CYRILLIC], name: "top" },
  { fact: "a rename that mends a look-alike", entry: `top: {was: ${CYRILLIC}}`, found: [] },
  { fact: "the same by its id", entry: "top: {id: 102}", found: [] },
  { fact: "a digit that looks like a letter", entry: "ha1l: {}", found: ["hall"], name: "ha1l" },
  { fact: "a capital that looks like a small letter", entry: "halI: {}", found: ["hall"], name: "halI" },
  { fact: "a small capital", entry: "hal\u029f: {}", found: ["hall"], name: "hal\u029f" },
  { fact: "two letters that look like one", entry: "modem: {}", found: ["modern"], name: "modem" },
  { fact: "a look-alike of an archived channel", entry: "o\u217cd: {}", found: ["old"], name: "o\u217cd" },
])("$fact: $found.length warnings", async ({ entry, found, name = DECOMPOSED }) => {
  const read = await readConfig({
    file: "realm.yaml",
    readFile: async () => `version: 1\nchannels:\n  ${entry}\n`,
    kinds,
    realm: new Realm(
      realmOf({
        channels: [
          { name: COMPOSED },
          { name: CYRILLIC },
          { name: "hall" },
          { name: "modern" },
          { name: "old", is_archived: true },
        ],
      }),
    ),
  });
  const warnings = read.ok ? read.warnings : read.diagnostics;
  expect(warnings.flatMap(({ code, fact }) => (code === "config/same-letters" ? [fact] : []))).toEqual(
    found.map((other) => ({
      noun: "channel",
      name: { quoted: name, of: "channel" },
      other: { quoted: other, of: "channel" },
      where: "organization",
    })),
  );
});

test.each([
  { fact: "a new group", entry: "vault: {}", found: ["Vault"] },
  { fact: "letters whose capitals look like another's", entry: "it: {}", found: ["IT"] },
  { fact: "another name for a group", entry: "VAULT: {was: crew}", found: ["Vault"] },
  { fact: "the group itself gets small letters", entry: "vault: {was: Vault}", found: [] },
  { fact: "the group itself, by its id", entry: "vault: {id: 30}", found: [] },
  { fact: "both in the file", entry: "new: {}\n  New: {}", found: ["new"], where: "file" },
  { fact: "the group as it is", entry: "Vault: {}", found: [] },
])(
  "user groups that differ in capital letters are two, and look like one: $fact",
  async ({ entry, found, where = "organization" }) => {
    const read = await readConfig({
      file: "realm.yaml",
      readFile: async () => `version: 1\nuser_groups:\n  ${entry}\n`,
      kinds,
      realm: new Realm(
        realmOf({ user_groups: [{ name: "Vault" }, { name: "IT" }, { name: "crew", deactivated: true }] }),
      ),
    });
    const warnings = read.ok ? read.warnings : read.diagnostics;
    expect(warnings.flatMap(({ code, fact }) => (code === "config/same-letters" ? [fact] : []))).toMatchObject(
      found.map((other) => ({ other: { quoted: other }, where, by_case: true })),
    );
  },
);

test("channels that differ in capital letters are one", async () => {
  const realm = new Realm(realmOf({ channels: [{ name: "Vault" }] }));
  const yaml = "version: 1\nchannels: {vault: {}}\n";
  const read = await readConfig({ file: "realm.yaml", readFile: async () => yaml, kinds, realm });
  expect(read).toMatchObject({ ok: true, warnings: [] });
});

const CREW = "crew";
/** With a Cyrillic e. */
const STRANGERS = "cr\u0435w";
test.each([
  { where: "a permission", yaml: `channels: {hall: {permissions: {can_subscribe_group: ${STRANGERS}}}}` },
  { where: "a list", yaml: `channels: {hall: {subscribers: {groups: [${STRANGERS}]}}}` },
  { where: "subgroups", yaml: `user_groups: {staff: {subgroups: [${STRANGERS}]}}` },
  { where: "an entry", yaml: `user_groups: {${STRANGERS}: {description: Theirs}}` },
  {
    where: "a list beside the real one",
    yaml: `user_groups: {crew: {}}\nchannels: {hall: {subscribers: {groups: [${STRANGERS}, crew]}}}`,
  },
  {
    where: "the real one in a permission",
    yaml: "channels: {hall: {permissions: {can_subscribe_group: crew}}}",
    isPlain: true,
  },
  { where: "the real one as an entry", yaml: "user_groups: {crew: {}}", isPlain: true },
  {
    where: "no other group",
    yaml: `channels: {hall: {permissions: {can_subscribe_group: ${STRANGERS}}}}`,
    isAlone: true,
  },
])("a live group that looks like another one, in $where", async ({ yaml, isPlain = false, isAlone = false }) => {
  const names = isAlone ? [STRANGERS, "staff"] : [CREW, STRANGERS, "staff"];
  const read = await readConfig({
    file: "realm.yaml",
    readFile: async () => `version: 1\n${yaml}\n`,
    kinds,
    realm: new Realm(realmOf({ channels: [{ name: "hall" }], user_groups: names.map((name) => ({ name })) })),
  });
  const warnings = read.ok ? read.warnings : read.diagnostics;
  const told = warnings.flatMap(({ code, fact }) =>
    code === "config/same-letters" ? [[fact.name.quoted, fact.other.quoted]] : [],
  );
  expect(told).toEqual(isPlain || isAlone ? [] : [[STRANGERS, CREW]]);
});
