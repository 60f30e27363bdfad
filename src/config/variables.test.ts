import { describe, expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { kinds } from "../kinds/registry.ts";
import type { Desired } from "../model/desired.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { OutsideValues } from "../model/outside-values.ts";
import { readConfig } from "./read-config.ts";
import { escapeReferences, literalName, parseTemplate } from "./variable-syntax.ts";

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
    { type: "integer", value: "30", text: "description: ${v} days", fields: { description: "30 days" } },
    { type: "boolean", value: "true", text: "archived: ${v}", fields: { archived: true } },
  ])("$type $value in $text", async ({ type, value, text, fields }) => {
    const file = `vars: {v: {type: ${type}}}\nvalues: {v: ${value}}\nchannels:\n  a:\n    ${text}\n`;
    expect(await fieldsOf(file)).toEqual([fields]);
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

  test.each([
    "vars: {v: {type: string, about: What it is, default: x}}\nchannels:\n  a: {description: '${v}'}\n",
    "realm: https://chat.example.org\nvars: {v: {type: string, default: x}}\nchannels:\n  a: {description: '${v}'}\n",
    "vars: {v: {type: person, default: ' ada@example.org '}}\nuser_groups:\n  a: {members: ['${v}']}\n",
  ])("a file that uses variables correctly has no error: %s", async (text) => expect(await codesOf(text)).toEqual([]));

  test.each<{ text: string; codes: readonly string[] }>([
    {
      text: "vars: {v: {type: string, about: 3, default: x}}\nchannels: {'${v}': {}}\n",
      codes: ["vars/declaration 2:33", "vars/in-key 3:12"],
    },
    { text: 'channels:\n  a: {description: "\\x24\\x7bv}"}\n', codes: ["vars/undeclared 3:20"] },
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
    { text: "vars: {v: {type: string, default: 'a ${w}'}}\n", codes: ["vars/nested 2:35"] },
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

  test("decoding the same document twice gives the same result", async () => {
    const text = "version: 1\nvars: {v: {type: string, default: '$x'}}\nchannels:\n  a: {description: '${v}{y}'}\n";
    const { openConfig } = await import("./read-config.ts");
    const opened = await openConfig({ file: "realm.yaml", readFile: async () => text, kinds });
    const [first, second] = [opened.decode(), opened.decode()];
    expect(first).toEqual(second);
    expect(first.ok && first.value.sections.get("channels")?.[0]?.fields).toMatchObject({ description: "$x{y}" });
  });
});

describe("values from outside", () => {
  const API_KEY = "abcdefghijABCDEFGHIJ0123456789xy";
  const file = (declaration: string, rest = ""): string =>
    `version: 1\nvars: {v: {${declaration}}}\n${rest}channels:\n  a: {description: "\${v}"}\n`;
  const outcome = async (text: string, outside: OutsideValues, more: { readonly [path: string]: string } = {}) => {
    const texts: { readonly [path: string]: string } = { "realm.yaml": text, ...more };
    const readFile = async (path: string): Promise<string> => {
      const { [path]: found } = texts;
      if (found === undefined) throw Object.assign(new Error(path), { code: "ENOENT" });
      return found;
    };
    const read = await readConfig({ file: "realm.yaml", readFile, kinds, outside });
    if (!read.ok)
      return read.diagnostics.map(({ code, at }) => (at ? `${code} ${at.file}:${at.line}:${at.column}` : code));
    return read.value.sections.get("channels")?.[0]?.fields.description;
  };
  const env = (values: { readonly [name: string]: string }): OutsideValues => ({ environment: (name) => values[name] });
  const set = (text: string): OutsideValues => ({ set: [{ name: "v", text }] });
  const FROM = "from: env, name: SITE";

  test.each([
    { name: "--set wins over values:", text: file("type: string", "values: {v: old}\n"), outside: set("x"), is: "x" },
    { name: "a reference in --set is text", text: file("type: string"), outside: set("${w}"), is: "${w}" },
    { name: "a key in --set", text: file("type: string"), outside: set(API_KEY), is: ["vars/secret"] },
    {
      name: "a key in values:",
      text: file("type: string", `values: {v: ${API_KEY}}\n`),
      outside: {},
      is: ["vars/secret realm.yaml:3:13"],
    },
    {
      name: "a token inside a default",
      text: file("type: string, default: 'use ghp_abcdefghijklmnopqrstuvwxyz'"),
      outside: {},
      is: ["vars/secret realm.yaml:2:35"],
    },
    {
      name: "a key for payments in --set",
      text: file("type: string"),
      outside: set("sk_live_abcdefghijklmnop"),
      is: ["vars/secret"],
    },
    {
      name: "a secret of this process",
      text: file("type: string"),
      outside: { ...set("hunter2-hunter2"), isSecret: (text: string) => text === "hunter2-hunter2" },
      is: ["vars/secret"],
    },
    { name: "its default", text: file(`${FROM}, default: d`), outside: env({}), is: "d" },
    {
      name: "values: wins over the environment",
      text: file(FROM, "values: {v: w}\n"),
      outside: env({ SITE: "x" }),
      is: "w",
    },
    {
      name: "what a job withholds",
      text: file(FROM),
      outside: { ...env({ SITE: "x" }), mayAsk: () => false },
      is: ["vars/no-value realm.yaml:2:8"],
    },
    {
      name: "a key in the environment",
      text: file(FROM),
      outside: env({ SITE: API_KEY }),
      is: ["vars/secret realm.yaml:2:29"],
    },
    {
      name: "the name of a secret",
      text: file("from: env, name: DEPLOY_TOKEN"),
      outside: env({ DEPLOY_TOKEN: "x" }),
      is: ["vars/secret realm.yaml:2:29"],
    },
    {
      name: "a name without from",
      text: file("type: string, name: SITE, default: d"),
      outside: {},
      is: ["vars/declaration realm.yaml:2:32"],
    },
    {
      name: "from elsewhere",
      text: file("from: vault, name: SITE"),
      outside: {},
      is: ["vars/declaration realm.yaml:2:18"],
    },
    { name: "from without a name", text: file("from: env"), outside: {}, is: ["vars/declaration realm.yaml:2:18"] },
  ])("$name", async ({ text, outside, is }) => expect(await outcome(text, outside)).toEqual(is));

  test.each([
    { name: "a file of values", values: { "a.yaml": "v: a\n" }, is: "a" },
    { name: "an empty one", values: { "a.yaml": "v: a\n", "b.yaml": "# none\n" }, is: "a" },
    {
      name: "a misspelt name",
      values: { "a.yaml": "v: a\n", "b.yaml": "\nvv: b\n" },
      is: ["vars/undeclared b.yaml:2:5"],
    },
    {
      name: "a list",
      values: { "a.yaml": "- v\n" },
      is: ["vars/no-value realm.yaml:2:8", "vars/not-a-map a.yaml:1:1"],
    },
    { name: "a reference", values: { "a.yaml": 'v: "${w}"\n' }, is: ["vars/nested a.yaml:1:4"] },
  ])("$name", async ({ values, is }) =>
    expect(await outcome(file("type: string"), { files: Object.keys(values) }, values)).toEqual(is),
  );

  test("a file of values that is not there", async () => {
    expect(await outcome(file("type: string"), { files: ["a.yaml"] })).toEqual([
      "config/cannot-read",
      "vars/no-value realm.yaml:2:8",
    ]);
    const other: OutsideValues = { files: ["a.yaml"], set: [{ name: "later", text: "" }], isOfOther: true };
    expect(await outcome(file("type: string, default: d"), other)).toBe("d");
  });

  test("the environment is asked only for what something refers to", async () => {
    const asked: string[] = [];
    const environment = (name: string): undefined => void asked.push(name);
    await outcome("version: 1\nvars: {v: {from: env, name: SITE}}\nchannels: {a: {}}\n", { environment });
    expect(asked).toEqual([]);
  });
});

describe("names with ${", () => {
  const namesOf = async (text: string): Promise<readonly (string | undefined)[]> => {
    const found = await read(`version: 1\n${text}`);
    if (!found.ok) return found.diagnostics.map(({ code, at }) => `${code} ${at?.line}:${at?.column}`);
    return (found.value.sections.get("channels") ?? []).map(({ name }) => name);
  };

  test.each([
    { text: "channels: {'${X}': {}, '$${X}': {}}", names: ["yaml/duplicate-key 2:24"] },
    { text: "channels: {a: &a {description: '$${x}'}, '$${x}': *a}", names: ["a", "${x}"] },
  ])("$text", async ({ text, names }) => expect(await namesOf(text)).toEqual(names));

  test("what is escaped means itself, as a name and as a value (dice)", () => {
    const name = fc.array(fc.constantFrom("$", "{", "}", "x", "$${", "${x}", " "), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(name, (parts) => {
        const text = parts.join("");
        expect(literalName(escapeReferences(text))).toBe(text);
        expect(parseTemplate(escapeReferences(text))).toEqual([{ kind: "text", text }]);
      }),
    );
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
