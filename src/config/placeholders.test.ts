import { expect, test } from "vitest";
import { kinds } from "../kinds/registry.ts";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import { readConfig } from "./read-config.ts";

async function saidOf(text: string): Promise<readonly string[]> {
  const result = await readConfig({ file: "realm.yaml", readFile: async () => `version: 1\n${text}\n`, kinds });
  const found = result.ok ? result.warnings : result.diagnostics;
  return found.map(wordedDiagnostic).map(({ code, message, at }) => `${code} ${at?.line}:${at?.column} ${message}`);
}

test.each([
  ["channels: {a: {description: '{{ team }} talk'}}", "{{ team }}"],
  ["channels: {a: {description: '{{team}}'}}", "{{team}}"],
  ["channels: {a: {description: '{% if x %}yes{% endif %}'}}", "{% if x %}"],
  ["channels: {a: {description: 'Talk of <%= team %>'}}", "<%= team %>"],
  ['channels: {a: {description: "%TEAM% talk"}}', "%TEAM%"],
  ["channels: {a: {description: $team}}", "$team"],
  ["channels: {a: {description: Talk of $TEAM_NAME}}", "$TEAM_NAME"],
  ["channels: {a: {description: Talk of $(team)}}", "$(team)"],
])("%s", async (text, written) =>
  expect(await saidOf(text)).toEqual([
    `config/placeholder 2:${text.indexOf(written) + 1} ${written} looks like a template of another program: nothing replaces it here`,
  ]),
);

test.each([
  ["channels: {a: {description: <description>}}", "2:29", "<description>"],
  ["channels: {a: {description: 'TODO: say what this is for'}}", "2:30", "TODO"],
  ["channels: {a: {description: CHANGEME}}", "2:29", "CHANGEME"],
  ["channels: {a: {description: CHANGE_ME please}}", "2:29", "CHANGE_ME"],
  ["channels: {<name>: {}}", "2:12", "<name>"],
])("%s", async (text, at, written) =>
  expect(await saidOf(text)).toEqual([`config/placeholder ${at} ${written} looks like a value that nobody filled in`]),
);

test.each([
  ["realm: $SITE", "config/realm 2:8 realm is the URL of an organization"],
  [
    "realm: ${{ secrets.SITE }}",
    "vars/not-here 2:8 realm cannot refer to a variable: it says which organization this file is for",
  ],
  [
    "channels: {a: {description: '${{ vars.TEAM }}'}}",
    'vars/reference 2:30 "${{ vars.TEAM }" is not a reference to a variable',
  ],
  [
    "vars: {team: {type: string}}\nvalues: {taem: x}\nchannels: {a: {description: '${team}'}}",
    'vars/undeclared 3:10 there is no variable "taem"',
  ],
  [
    "vars: {team: {type: string}}\nvalues: team.yaml\nchannels: {a: {description: '${team}'}}",
    'vars/not-a-map 3:9 values is a map from names of variables to their values, not the string "team.yaml"',
  ],
])("one message for %s", async (text, said) => expect(await saidOf(text)).toEqual([said]));

test.each([
  "channels: {a: {description: 'It costs $5, or $12 with a discount of 20%'}}",
  "channels: {a: {description: 'What we have to do: todo lists'}}",
  "channels: {todo: {description: 'Read <https://example.org>'}}",
  "channels: {a: {description: 'a < b, b > c, and 50% of x %'}}",
  "linkifiers: [{pattern: '#(?P<id>[0-9]+)$', url_template: 'https://example.org/{id}'}]",
  "linkifiers: [{pattern: '\\{\\{(?P<id>[0-9]+)\\}\\}', url_template: 'https://example.org/{id}'}]",
  "playgrounds: [{language: Rust, name: R, url_template: 'https://example.org/?code={code}'}]",
  "vars: {x: {type: string, default: '{{ meant }}'}}\nchannels: {a: {description: '${x}'}}",
])("%s is no placeholder", async (text) => expect(await saidOf(text)).toEqual([]));

const commented = (text: string): string[] => [
  `config/comment-as-value 4:${text.indexOf("#") + 1} description has no value, which clears it: "${text.slice(text.indexOf("#"))}" is a comment`,
];
test.each<[line: string, expected?: string[]]>([
  ["    description: #eng talk"],
  ["    description:   #eng"],
  ["    folder: # none", []],
  ["    folder: null #none", []],
  ["    description: '#eng talk'", []],
  ["    description: talk of #eng", []],
  ["  b: #beside", []],
])("%s", async (line, expected = commented(line)) =>
  expect(await saidOf(`channels:\n  a:${line.startsWith("    ") ? "" : " {}"}\n${line}`)).toEqual(expected),
);

test.each([
  ["permissions: {can_send_message_group: }", true],
  ["permissions:\n      can_send_message_group:", true],
  ["permissions:\n      can_send_message_group: # later", true],
  ["permissions: {can_send_message_group: null}", false],
  ["permissions:\n      can_send_message_group: ~ # nobody", false],
  ["permissions:\n      can_send_message_group: NULL", false],
])("%s: a right that nobody has by mistake: %s", async (line, isTold) =>
  expect(await saidOf(`channels:\n  a:\n    ${line}`)).toEqual(
    isTold
      ? [expect.stringMatching(/^config\/comment-as-value [45]:\d+ can_send_message_group has no value, so nobody has/)]
      : [],
  ),
);

test("an empty group with the name of a right is no right", async () =>
  expect(await saidOf("user_groups:\n  my_group:")).toEqual([]));

test("a field that cannot be empty has one error", async () =>
  expect(await saidOf("channels:\n  a:\n    privacy: #public")).toEqual([
    "field/value 4:14 privacy cannot be empty (null)",
  ]));
