import { describe, expect, test } from "vitest";
import { kinds } from "../kinds/registry.ts";
import { readConfig } from "./read-config.ts";

// Small files with all of realmctl's kinds: which errors they have, which are reported once, and which are not errors.

const result = (text: string, more: { readonly [name: string]: string } = {}) =>
  readConfig({
    file: "realm.yaml",
    readFile: async (path) => ({ "realm.yaml": `version: 1\n${text}`, ...more })[path] ?? "",
    kinds,
  });
async function codes(text: string, more: { readonly [name: string]: string } = {}): Promise<readonly string[]> {
  const read = await result(text, more);
  return (read.ok ? read.warnings : read.diagnostics).map(
    ({ code, at }) => `${code} ${at === undefined ? "nowhere" : `${at.line}:${at.column}`}`,
  );
}

describe("the organization of a file", () => {
  test.each<{ realm: string; cause: string | undefined }>([
    { realm: "https://chat.example.org", cause: undefined },
    { realm: "http://localhost:9991/", cause: undefined },
    { realm: "https://chat.example.org?", cause: undefined },
    { realm: "https://bot@chat.example.org", cause: "credentials" },
    { realm: "https://:secret@chat.example.org", cause: "credentials" },
    { realm: "https://bot:secret@chat.example.org", cause: "credentials" },
    { realm: "https://chat.example.org/team", cause: "path" },
    { realm: "https://chat.example.org/?x=1", cause: "path" },
    { realm: "'https://chat.example.org/#narrow'", cause: "path" },
    { realm: "ftp://chat.example.org", cause: "no-url" },
    { realm: "https-x://chat.example.org", cause: "no-url" },
    { realm: "chat.example.org", cause: "no-url" },
    { realm: "3", cause: "no-url" },
  ])("$realm: $cause", async ({ realm, cause }) => {
    const read = await result(`realm: ${realm}\n`);
    expect(read).toMatchObject(
      cause === undefined ? { ok: true } : { ok: false, diagnostics: [{ code: "config/realm", fact: { cause } }] },
    );
  });

  test.each([
    { realm: "chat.example.org", host: "chat.example.org" },
    { realm: "chat.example.org:9991/", host: "chat.example.org:9991/" },
    { realm: "chat example org", host: undefined },
    { realm: "chat.example.org/team", host: undefined },
  ])("the error for $host contains the correct host", async ({ realm, host }) => {
    const fact = { cause: "no-url", ...(host !== undefined && { host: { quoted: host } }) };
    expect(await result(`realm: ${realm}\n`)).toMatchObject({
      ok: false,
      diagnostics: [expect.objectContaining({ fact })],
    });
  });
});

describe("an entry that contradicts itself, or that declares several objects", () => {
  test.each<{ fact: string; text: string; found: readonly string[] }>([
    {
      fact: "two errors in such an entry are reported as two",
      text: "invites:\n  - emails: [x@example.org, y@example.org]\n    groups: ['role:nosuch', 'role:none']\n",
      found: ["invites/system-group 4:14", "invites/system-group 4:29"],
    },
    {
      fact: "absent and archived mean the same",
      text: "channels: {a: {absent: true, archived: true}, b: {absent: false, archived: false}}\n",
      found: [],
    },
    {
      fact: "absent and archived contradict each other, reported at the one that is true",
      text: "channels: {a: {absent: true, archived: false}, b: {absent: false, archived: true}}\n",
      found: ["config/contradiction 2:24", "config/contradiction 2:77"],
    },
    {
      fact: "entries with an error elsewhere are treated as duplicates",
      text: "linkifiers:\n  - {pattern: '#(?P<id>[0-9]+)', url_template: 3}\n  - {pattern: '#(?P<id>[0-9]+)', url_template: 4}\n",
      found: ["field/type 3:48", "config/declared-twice 4:5", "field/type 4:48"],
    },
    {
      fact: "two objects with the same `was`",
      text: "channels: {a: {was: old}, b: {was: OLD}, c: {was: older}}\n",
      found: ["config/renamed-twice 2:36"],
    },
    {
      fact: "two objects with one id",
      text: "channels: {a: {id: 3}, b: {id: 3}, c: {id: 4}}\n",
      found: ["config/same-id 2:32"],
    },
    {
      fact: "two names that only Unicode tells apart are a warning",
      text: "channels: {caf\u00e9: {}, cafe\u0301: {}}\n",
      found: ["config/same-letters 2:22"],
    },
    {
      fact: "a key that is written twice does not hide two names that the server treats as equal",
      text: "channels:\n  general: {}\n  General: {}\n  general: {privacy: secret}\n  foo: {}\n  FOO: {}\n",
      found: ["config/declared-twice 4:3", "yaml/duplicate-key 5:3", "field/value 5:22", "config/declared-twice 7:3"],
    },
    {
      fact: "an entry of a list that is wrong does not hide another one, and both are reported where they are",
      text: "user_groups:\n  crew: {members: [11, Ada, {id: 5}, Ben]}\nchannels:\n  a: {permissions: {can_send_message_group: {users: [12, Cleo], groups: [3, role:nobdy]}}}\n",
      found: [
        "field/type 3:20",
        "reference/not-an-address 3:24",
        "reference/not-an-address 3:38",
        "field/type 5:54",
        "reference/not-an-address 5:58",
        "field/type 5:74",
        "reference/unknown-group 5:77",
      ],
    },
    {
      fact: "an object that the file both names and removes is reported once",
      text: "channels: {a: {folder: F, permissions: {can_send_message_group: crew}}}\nchannel_folders: {F: {archived: true}}\nuser_groups: {crew: {deactivated: true}}\n",
      found: ["channels/archived-folder 2:24", "reference/removed 2:65"],
    },
  ])("$fact", async ({ text, found }) => expect(await codes(text)).toEqual(found));
});

describe("defaults and profiles", () => {
  test.each<{ fact: string; text: string; found: readonly string[] }>([
    {
      fact: "an error in a default that no object uses is reported, too",
      text: "defaults: {channels: {privacy: secret}}\n",
      found: ["field/value 2:32"],
    },
    {
      fact: "an error for a section that does not exist",
      text: "defaults: {chanels: {description: d}}\n",
      found: ["defaults/section 2:12"],
    },
    {
      fact: "an error for a field that identifies an object",
      text: "defaults: {channels: {was: a}}\nchannels: {a: {}}\n",
      found: ["defaults/own-field 2:23"],
    },
    {
      fact: "an error for a field that would archive all objects",
      text: "defaults: {channels: {archived: true}}\nchannels: {a: {}}\n",
      found: ["defaults/own-field 2:23"],
    },
  ])("$fact", async ({ text, found }) => expect(await codes(text)).toEqual(found));
});

describe("one cause, one message; and one bad line hides no other", () => {
  test.each<{ fact: string; text: string; more?: { readonly [name: string]: string }; found: readonly string[] }>([
    {
      fact: "variables that are no map",
      text: 'vars: [company]\nchannels: {a: {description: "${company}"}}\n',
      found: ["vars/not-a-map 2:7"],
    },
    {
      fact: "a variable as another program refers to it",
      text: 'vars: {company: {type: string}}\nvalues: {company: Acme}\nchannels: {a: {description: "${var.company}"}}\n',
      found: ["vars/reference 4:30"],
    },
  ])("$fact", async ({ text, more = {}, found }) => {
    expect(await codes(text, more)).toEqual(found);
  });
});
