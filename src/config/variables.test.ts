import { describe, expect, test } from "vitest";
import { kinds } from "../kinds/registry.ts";
import type { Desired } from "../model/desired.ts";
import type { Checked } from "../model/diagnostic.ts";
import { readConfig } from "./read-config.ts";

const read = (files: { readonly [name: string]: string } | string): Promise<Checked<Desired>> => {
  const all: { readonly [name: string]: string } = typeof files === "string" ? { "realm.yaml": files } : files;
  return readConfig({ file: "realm.yaml", readFile: async (path) => all[path] ?? "", kinds });
};

async function fieldsOf(text: string, section = "channels"): Promise<readonly object[]> {
  const result = await read(`version: 1\n${text}`);
  if (!result.ok) throw new Error(result.diagnostics.map(({ code }) => code).join("\n"));
  // Declared objects are in use (docs/internals/decisions/0003-what-a-file-leaves-out-stays.md): left out here if they are.
  return (result.value.sections.get(section) ?? []).map(({ fields: { archived, ...fields } }) =>
    archived === true ? { ...fields, archived } : fields,
  );
}

async function codesOf(text: string): Promise<readonly string[]> {
  const result = await read(`version: 1\n${text}`);
  const found = result.ok ? result.warnings : result.diagnostics;
  return found.map(({ code, at }) => `${code} ${at?.line}:${at?.column}`);
}

describe("variables", () => {
  test.each([
    { type: "string", value: "x", text: "description: ${v}", fields: { description: "x" } },
    { type: "string", value: "x", text: 'description: "a ${v} ${v}b"', fields: { description: "a x xb" } },
    { type: "string", value: "''", text: 'description: "${v}"', fields: { description: "" } },
    { type: "string", value: "x", text: "description: $${v} is ${v}", fields: { description: "${v} is x" } },
    { type: "integer", value: "30", text: "message_retention_days: ${v}", fields: { message_retention_days: 30 } },
    { type: "integer", value: "30", text: "description: ${v} days", fields: { description: "30 days" } },
    { type: "boolean", value: "true", text: "archived: ${v}", fields: { archived: true } },
    {
      type: "group",
      value: "role:members",
      text: "permissions: {can_send_message_group: '${v}'}",
      fields: { can_send_message_group: "role:members" },
    },
    {
      type: "person",
      value: "{id: 17}",
      text: "permissions: {can_send_message_group: {users: ['${v}']}}",
      fields: { can_send_message_group: { groups: [], users: ["user:17"] } },
    },
  ])("$type $value in $text", async ({ type, value, text, fields }) => {
    const file = `vars: {v: {type: ${type}}}\nvalues: {v: ${value}}\nchannels:\n  a:\n    ${text}\n`;
    expect(await fieldsOf(file)).toEqual([fields]);
  });

  test("an escape in double quotes can produce a reference", async () => {
    const file = 'vars: {v: {type: string, default: x}}\nchannels:\n  a: {description: "\\u0024\\x7bv}"}\n';
    expect(await fieldsOf(file)).toEqual([{ description: "x" }]);
  });

  test("a value that two places share through an alias is filled in once", async () => {
    const file =
      "vars: {v: {type: string, default: $x}}\nchannels:\n  a: &a {description: 'the ${v}'}\n  b: *a\n  c: {<<: *a, privacy: public}\n";
    expect(await fieldsOf(file)).toEqual([
      { description: "the $x" },
      { description: "the $x" },
      { description: "the $x", privacy: "public" },
    ]);
  });

  test("profiles, defaults and lists may refer to them", async () => {
    const file =
      "vars: {v: {type: string, default: x}}\nprofiles: {p: {description: '${v}p'}}\ndefaults: {linkifiers: {url_template: 'https://${v}.example/{id}'}}\nchannels: {a: {profile: p}}\nlinkifiers:\n  - pattern: '#(?P<id>[0-9]+)'\n";
    expect(await fieldsOf(file)).toEqual([{ description: "xp" }]);
    expect(await fieldsOf(file, "linkifiers")).toMatchObject([{ url_template: "https://x.example/{id}" }]);
  });

  test("an error of the value is shown with the place of the value", async () => {
    const result = await read({
      "realm.yaml": "version: 1\ninclude: [shared.yaml]\nvalues: {v: open}\n",
      "shared.yaml": "vars: {v: {type: string}}\nchannels:\n  a: {privacy: '${v}'}\n",
    });
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      {
        code: "field/value",
        at: { file: "shared.yaml", line: 3, column: 16 },
        notes: [{ at: { file: "realm.yaml", line: 3, column: 13 }, note: { value_of: { quoted: "v" } } }],
      },
    ]);
  });

  test("an unknown value causes no further errors", async () => {
    expect(await codesOf("channels:\n  a: {privacy: '${v}'}\n")).toEqual(["vars/undeclared 3:17"]);
  });

  test.each([
    "vars: {v: {type: string, about: What it is, default: x}}\nchannels:\n  a: {description: '${v}'}\n",
    "realm: https://chat.example.org\nvars: {v: {type: string, default: x}}\nchannels:\n  a: {description: '${v}'}\n",
    "vars: {v: {type: string, default: x}}\nchannels:\n  'a${': {description: '${v}'}\n  '$${v}': {}\n",
    "vars: {v: {type: string, default: x}}\nvalues: {v: y}\nchannels:\n  a: {description: ['${v}'], message_retention_days: 3}\n".replace(
      "['${v}']",
      "'${v}'",
    ),
    "vars: {v: {type: person, default: ' ada@example.org '}}\nuser_groups:\n  a: {members: ['${v}']}\n",
  ])("a file that uses variables correctly has no error: %s", async (text) => expect(await codesOf(text)).toEqual([]));

  test.each<{ text: string; codes: readonly string[] }>([
    {
      text: "vars: {v: {type: string, about: 3, default: x}}\nchannels: {'${v}': {}}\n",
      codes: ["vars/declaration 2:33", "vars/in-key 3:12"],
    },
    // However it is written, and whether or not the file declares anything.
    { text: 'channels:\n  a: {description: "\\u0024{v}"}\n', codes: ["vars/undeclared 3:20"] },
    { text: 'channels:\n  a: {description: "\\x24\\x7bv}"}\n', codes: ["vars/undeclared 3:20"] },
    { text: 'channels:\n  a: {description: "$\\U0000007bv}"}\n', codes: ["vars/undeclared 3:20"] },
    {
      text: "realm: https://${v}.example.org\nvars: {v: {type: string, default: x}}\n",
      codes: ["vars/not-here 2:8", "vars/unused 3:8"],
    },
    { text: "realm: 3\nvars: {}\n", codes: ["config/realm 2:8"] },
    // Only the error is reported, and not its consequences.
    {
      text: "vars: {v: {type: boolean, default: true}}\nchannels:\n  a: {privacy: 'x${v}'}\n",
      codes: ["vars/inside-text 4:16"],
    },
    {
      text: "channels:\n  a: {privacy: 'x${v}', folder: '${w'}\n",
      codes: ["vars/undeclared 3:18", "vars/reference 3:34"],
    },
    {
      text: "vars: {v: {type: string, default: '${w}'}}\nchannels:\n  a: {description: '${v}'}\n",
      codes: ["vars/nested 2:35"],
    },
    { text: "vars: {v: {type: string, default: 'a ${w}'}}\n", codes: ["vars/nested 2:35"] },
    { text: "vars: {v: {type: string, default: 'a $${w}'}}\nchannels:\n  a: {description: '${v}'}\n", codes: [] },
    // A name cannot be a variable; one that is no reference is text.
    { text: "vars: {v: {type: string, default: x}}\nchannels:\n  'a ${v}': {}\n", codes: ["vars/in-key 4:3"] },
    { text: "channels:\n  'a ${v}': {}\n", codes: ["vars/in-key 3:3"] },
    { text: "channels:\n  'a ${1}': {}\n  'b ${v': {}\n", codes: [] },
  ])("$text", async ({ text, codes }) => expect(await codesOf(text)).toEqual(codes));

  test.each<{ type: string; right: readonly string[]; wrong: readonly string[] }>([
    { type: "string", right: ["x", "''", "'3'"], wrong: ["3", "true", "[]", "null"] },
    { type: "integer", right: ["3", "-3", "0"], wrong: ["'3'", "1.5", "true"] },
    { type: "boolean", right: ["true", "false"], wrong: ["'true'", "1"] },
    { type: "group", right: ["staff", "'role:members'"], wrong: ["''", "' '", "3", "[staff]"] },
    { type: "channel", right: ["general"], wrong: ["''", "' '", "{}"] },
    {
      type: "person",
      right: ["a@b", "' a@b '", "{id: 3}"],
      wrong: ["a", "'a b@c'", "a@b@c", "'a@b c'", "3", "{id: x}", "{id: 3, more: 4}", "{}", "{name: 3}"],
    },
  ])("a value of the type $type", async ({ type, right, wrong }) => {
    const codes = async (value: string) => {
      const found = await codesOf(
        `vars: {v: {type: ${type}}}\nvalues: {v: ${value}}\nchannels: {a: {description: '${"${v}"}'}}\n`,
      );
      return found.filter((code) => code.startsWith("vars/type"));
    };
    for (const value of right) expect([value, await codes(value)]).toEqual([value, []]);
    for (const value of wrong) expect([value, await codes(value)]).toEqual([value, ["vars/type 3:13"]]);
  });

  test("the place of a declared type is reported with a value of another type, if there is such a place", async () => {
    const result = await read("version: 1\nvars:\n  v: {type: integer}\nvalues: {v: x}\n");
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      { code: "vars/type", notes: [{ at: { line: 3, column: 13 }, note: "type-here" }] },
    ]);
  });

  test("a file without variables is not searched, and dollar signs are text", async () => {
    expect(await fieldsOf("channels:\n  a: {description: $5 or {b}}\n".replace("{b}", "(b)"))).toEqual([
      { description: "$5 or (b)" },
    ]);
  });

  test("decoding the same document twice gives the same result", async () => {
    const text = "version: 1\nvars: {v: {type: string, default: '$x'}}\nchannels:\n  a: {description: '${v}{y}'}\n";
    const { openConfig } = await import("./read-config.ts");
    const opened = await openConfig({ file: "realm.yaml", readFile: async () => text, kinds });
    const [first, second] = [opened.decode(), opened.decode()];
    expect(first).toEqual(second);
    expect(first.ok && first.value.sections.get("channels")?.[0]?.fields).toMatchObject({ description: "$x{y}" });
  });
});

describe("defaults", () => {
  test("an item's values replace its profile's, and the profile's replace the defaults; this applies to each permission setting separately", async () => {
    const file = `defaults:
  channels: {privacy: public, description: d, permissions: {can_send_message_group: role:members, can_resolve_topics_group: role:members}}
profiles:
  p: {description: p, folder: F, permissions: {can_send_message_group: role:moderators}}
channels:
  a:
  b: {profile: p}
  c: {profile: p, description: c, permissions: {can_send_message_group: role:owners}}
  d: {archived: true}
`;
    expect(await fieldsOf(file)).toEqual([
      {
        privacy: "public",
        description: "d",
        can_send_message_group: "role:members",
        can_resolve_topics_group: "role:members",
      },
      {
        privacy: "public",
        description: "p",
        folder: "F",
        can_send_message_group: "role:moderators",
        can_resolve_topics_group: "role:members",
      },
      {
        privacy: "public",
        description: "c",
        folder: "F",
        can_send_message_group: "role:owners",
        can_resolve_topics_group: "role:members",
      },
      { archived: true },
    ]);
  });

  test("a field that came from the defaults has its place there", async () => {
    const result = await read("version: 1\ndefaults:\n  channels: {privacy: public}\nchannels: {a: }\n");
    const [channel] = (result.ok && result.value.sections.get("channels")) || [];
    expect(channel?.spans.of("privacy")).toMatchObject({ line: 3, column: 23 });
    expect(channel?.at).toMatchObject({ line: 4, column: 12 });
  });

  test("defaults work in other sections too", async () => {
    expect(
      await fieldsOf(
        "defaults: {user_groups: {description: d}}\nuser_groups: {a: , b: {absent: true}}\n",
        "user_groups",
      ),
    ).toEqual([{ deactivated: false, description: "d" }, expect.not.objectContaining({ description: "d" })]);
  });
});
