import { describe, expect, test } from "vitest";
import { runCommandLine } from "../support/cli/command-line.ts";

/** What `realmctl test` reports about a file alone if the file does not say everything. */
const RULES = `version: 1
tests:
  - name: What is private has an administrator group
    objects: '*'
    privacy: private_*
    fields: {can_administer_channel_group: {has: group}}
  - name: No channel keeps messages forever
    objects: '*'
    fields: {message_retention_days: {not: [unlimited, realm_default]}}
  - name: Guests do not read the vault
    who: guest
    cannot: {read: vault}
`;
const VAULT = `people: {ada@acme.example: {role: member}}
channels:
  vault:
    privacy: private_shared_history
    subscribers: {users: [ada@acme.example]}
    permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}
`;
const LEFT = `version: 1\n${VAULT}`;
const DEFAULT = `version: 1\nmanage: {channels: {policy: additive, unset: default}}\n${VAULT}`;

async function run(config: string, rules = RULES, ...flags: readonly string[]) {
  return runCommandLine(["test", ...flags], { files: { "realm.yaml": config, "realm.test.yaml": rules } });
}

async function verdicts(config: string, rules = RULES): Promise<readonly unknown[]> {
  const { out } = await run(config, rules, "--format", "json");
  const json: { readonly rules: readonly { readonly holds: boolean | null }[] } = JSON.parse(out);
  return json.rules.map(({ holds }) => holds);
}

describe("who reads a private channel", () => {
  const READS =
    "version: 1\ntests:\n  - name: Only Ada\n    objects: vault\n    rights: {read: {exactly: ada@acme.example}}\n";
  const list = (subscribers: string): string => LEFT.replace("{users: [ada@acme.example]}", subscribers);
  const none = LEFT.replace(/ +subscribers: .*\n/, "");

  test.each([
    ["{users: [ada@acme.example]}", LEFT, true],
    ["{users: [ada@acme.example], exact: true}", list("{users: [ada@acme.example], exact: true}"), true],
    ["{users: [ada@acme.example], exact: false}", list("{users: [ada@acme.example], exact: false}"), null],
    ["no list", none, null],
  ])("is known only if the list is the whole list: %s", async (_, config, holds) => {
    expect(await verdicts(config, READS)).toEqual([holds]);
    const { out } = await run(config, READS, "--suggest");
    expect(out.includes("objects: vault")).toBe(holds === true);
    expect(out).not.toContain("exactly: role:nobody");
  });

  const without = (left: RegExp) => (config: string) => config.replace(left, "");
  const none_of_both = without(/ +permissions: .*\n/);
  test.each<{ left: string; from?: string; of: (config: string) => string; holds: boolean | null }>([
    { left: "both settings", of: none_of_both, holds: null },
    { left: "can_subscribe_group", of: without(/can_subscribe_group: role:nobody, /), holds: null },
    { left: "can_add_subscribers_group", of: without(/, can_add_subscribers_group: role:nobody/), holds: null },
    { left: "both settings, with `unset: default`", from: DEFAULT, of: none_of_both, holds: true },
  ])("is not known if the file leaves out what lets people in: $left", async ({ from = LEFT, of, holds }) => {
    expect(await verdicts(of(from), READS)).toEqual([holds]);
    const rule = (line: string) => `version: 1\ntests:\n  - {name: A, ${line}}\n`;
    // The settings let in no guests, whatever they are.
    for (const word of ["read", "post"])
      expect(await verdicts(of(from), rule(`who: guest, cannot: {${word}: vault}`))).toEqual([true]);
    for (const word of ["read", "post", "join", "add subscribers"])
      expect(await verdicts(of(from), rule(`who: moderator, cannot: {${word}: vault}`))).toEqual([holds]);
    // Who is known to read it breaks what forbids it.
    expect(await verdicts(of(from), rule("who: ada@acme.example, cannot: {read: vault}"))).toEqual([false]);
    expect(await verdicts(of(from), rule("objects: vault, rights: {read: {deny: role:members}}"))).toEqual([false]);
    expect(await verdicts(of(from), rule("objects: vault, rights: {read: {at_most: 0}}"))).toEqual([false]);
  });
});

describe("fields that the file leaves out", () => {
  test("with `unset: default` they have the server's default, which breaks rules", async () => {
    expect(await verdicts(DEFAULT)).toEqual([false, false, true]);
    const { out, exitCode } = await run(DEFAULT);
    expect(exitCode).toBe(8);
    expect(out).toContain(
      "can_administer_channel_group of #vault is role:nobody".replace("role:nobody", '"role:nobody"'),
    );
    expect(out).toContain('message_retention_days of #vault is "realm_default"');
  });

  test("without it they are unknown, and the rule does not count as kept", async () => {
    expect(await verdicts(LEFT)).toEqual([null, null, true]);
    const { out, exitCode } = await run(LEFT);
    expect(exitCode).toBe(0);
    expect(out).toContain("– What is private has an administrator group: cannot be checked");
    expect(out).toContain("1 of 3 rules holds");
    expect(out).toContain("2 rules cannot be checked");
  });

  test("JUnit skips such a rule, SARIF has a note, annotations have a warning", async () => {
    const junit = await run(LEFT, RULES, "--format", "junit");
    expect(junit.out).toContain('<testsuites tests="3" failures="0" skipped="2">');
    expect(junit.out.match(/<skipped /g)).toHaveLength(2);
    const sarif = await run(LEFT, RULES, "--format", "sarif");
    const log: { readonly runs: readonly { readonly results: readonly { ruleId: string; level: string }[] }[] } =
      JSON.parse(sarif.out);
    expect(log.runs[0]?.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["rules/undecided", "note"],
      ["rules/undecided", "note"],
    ]);
    const github = await run(LEFT, RULES, "--format", "github");
    expect(github.out.match(/^::warning .*title=rules\/undecided/gm)).toHaveLength(2);
  });

  test("fields that the file has are checked in both cases", async () => {
    const whole = (config: string) =>
      config.replace(
        "permissions: {",
        "message_retention_days: 30\n    permissions: {can_administer_channel_group: role:owners, ",
      );
    expect(await verdicts(whole(LEFT))).toEqual([true, true, true]);
    expect(await verdicts(whole(DEFAULT))).toEqual([true, true, true]);
  });
});

describe("people whom the file does not name", () => {
  const about = (who: string) => `version: 1
tests:
  - name: by who
    who: ${who}
    cannot: {read: vault}
  - name: by deny
    objects: vault
    rights: {read: {deny: ${who}}}
  - name: by only
    objects: vault
    rights: {read: {only: [ada@acme.example, ${who}]}}
`;

  test("nothing is known about them: a right that they may also have breaks no rule", async () => {
    expect(await verdicts(LEFT, about("zoe@other.example"))).toEqual([null, null, true]);
    expect((await run(LEFT, about("zoe@other.example"))).err).toBe("");
  });

  test("an address that resembles one in the file is a warning that names it", async () => {
    const { err, exitCode } = await run(LEFT, about("aad@acme.example"));
    expect(exitCode).toBe(0);
    expect(err).toContain('warning[rules/unknown-name]: nobody here has the address "aad@acme.example"');
    expect(err).toContain('did you mean "ada@acme.example"?');
    expect(err.match(/warning\[/g)).toHaveLength(3);
    expect((await run(LEFT, about("aad@acme.example"), "--format", "github")).out).toContain(
      "title=rules/unknown-name",
    );
  });

  test("a rule about somebody whom the file names is checked", async () => {
    expect(await verdicts(LEFT, about("ada@acme.example"))).toEqual([false, false, true]);
  });
});

describe("people without a role in the file", () => {
  const SHARED = `    subscribers: {users: [ada@acme.example, ivo@partner.example]}
    permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}
`;
  const file = (people = "") =>
    `version: 1\n${people}channels:\n  vault:\n    privacy: private_shared_history\n${SHARED}`;
  const ROLES = "people: {ada@acme.example: {role: owner}, ivo@partner.example: {role: guest}}\n";
  const rules = (...lines: readonly string[]) =>
    `version: 1\ntests:\n${lines.map((line, at) => `  - {name: rule ${at}, ${line}}\n`).join("")}`;

  test("may be guests or administrators: a rule about a role cannot be checked for them", async () => {
    const about = rules(
      "who: guest, cannot: {read: vault}",
      "who: {role: member}, cannot: {read: vault}",
      "who: role:administrators, can: {read: vault}",
      "objects: vault, rights: {read: {only: [role:administrators, ivo@partner.example]}}",
      "objects: vault, rights: {read: {deny: guest}}",
      "objects: vault, rights: {administer: {at_least: 1}}",
    );
    expect(await verdicts(file(), about)).toEqual([null, null, false, null, null, null]);
    const { out, exitCode } = await run(file(), rules("who: guest, cannot: {read: vault}"));
    expect(exitCode).toBe(0);
    expect(out).toContain("– rule 0: cannot be checked");
    expect(out).toMatch(/people's\s+roles\s+\(below people:\)/);
    // With their roles it can be checked.
    expect(await verdicts(file(ROLES), about)).toEqual([false, true, false, true, false, true]);
  });

  test.each([
    { rule: "who: ada@acme.example, cannot: {read: vault}", holds: false },
    { rule: "who: ada@acme.example, can: {read: vault}", holds: true },
    { rule: "objects: vault, rights: {read: {only: ada@acme.example}}", holds: false },
    { rule: "objects: vault, rights: {read: {exactly: [ada@acme.example, ivo@partner.example]}}", holds: true },
    { rule: "objects: vault, rights: {read: {at_most: 1}}", holds: false },
    { rule: "objects: vault, rights: {read: {at_least: 2}}", holds: true },
    // Everybody who administers is an administrator, whatever their role.
    { rule: "objects: vault, rights: {administer: {only: role:administrators}}", holds: true },
    { rule: "who: guest, cannot: {administer: vault}", holds: true },
  ])("$rule: decided if it is the same for every role", async ({ rule, holds }) => {
    expect(await verdicts(file(), rules(rule))).toEqual([holds]);
  });

  test("two rules contradict each other only if the same person breaks one of them with every role", async () => {
    const apart = rules(
      "objects: vault, rights: {read: {deny: {member}}}".replace("{member}", "member"),
      "who: ada@acme.example, can: {read: vault}",
    );
    expect((await run(file(), apart)).err).not.toContain("the opposite");
    const both = rules(
      "objects: vault, rights: {read: {deny: ada@acme.example}}",
      "who: ada@acme.example, can: {read: vault}",
    );
    expect((await run(file(), both)).err).toContain("the opposite");
  });
});

describe("guests whom the file names", () => {
  const file = (list: string): string => `version: 1
people: {ada@acme.example: {role: owner}, ivo@partner.example: {role: guest}}
channels:
  lobby: {privacy: public, permissions: {can_send_message_group: {users: [ada@acme.example, ivo@partner.example]}}${list}}
`;
  const rules = `version: 1
tests:
  - {name: may, objects: lobby, rights: {post: {exactly: [ada@acme.example, ivo@partner.example]}}}
  - {name: may not, objects: lobby, rights: {read: {deny: ivo@partner.example}}}
  - {name: guests, who: {role: guest}, cannot: {read: lobby}}
`;
  test.each([
    { list: "", holds: [null, null, null] },
    { list: ", subscribers: {users: [ada@acme.example]}", holds: [null, null, null] },
    { list: ", subscribers: {users: [ada@acme.example], exact: true}", holds: [false, true, true] },
    { list: ", subscribers: {users: [ivo@partner.example]}", holds: [true, false, false] },
  ])("may be subscribed to a public channel unless its list is whole$list", async ({ list, holds }) =>
    expect(await verdicts(file(list), rules)).toEqual(holds),
  );
});

test.each([
  { format: "json", has: ['"code": "rules/unknown-right"', '"severity": "error"', '"exit_code": 1'] },
  { format: "sarif", has: ['"ruleId": "rules/unknown-right"', '"level": "error"'] },
  { format: "junit", has: ['errors="1"', '<error type="rules/unknown-right" message="there is no right'] },
  { format: "github", has: ["::error file=realm.test.yaml,line=5", "title=rules/unknown-right"] },
])("errors in rules are written as $format too", async ({ format, has }) => {
  const bad = "version: 1\ntests:\n  - name: x\n    who: guest\n    cannot: {raed: vault}\n";
  const { out, err, exitCode } = await run(LEFT, bad, "--format", format);
  expect({ err, exitCode }).toEqual({ err: "", exitCode: 1 });
  for (const text of has) expect(out).toContain(text);
});

describe("a bot that the file names by its address", () => {
  const config = (bots: string): string =>
    `version: 1\n${bots}channels:\n  vault:\n    privacy: private_shared_history\n    permissions: {can_send_message_group: {users: [deploy-bot@example.org]}, can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}\n    subscribers: {users: [deploy-bot@example.org]}\n`;
  const rules = (more: string): string =>
    `version: 1\ntests:\n  - name: Nobody reads the vault\n    objects: vault\n    rights: {read: {at_most: 0}}\n${more}`;

  test.each<{ fact: string; bots: string; more: string; holds: boolean | null }>([
    { fact: "is a bot whose owner nobody knows if the file does not declare it", bots: "", more: "", holds: null },
    {
      fact: "is a person if the file has it below people",
      bots: "people: {deploy-bot@example.org: {role: member}}\n",
      more: "",
      holds: false,
    },
    { fact: "counts with bots: true, also undeclared", bots: "", more: "    bots: true\n", holds: false },
    {
      fact: "is not a person if the file declares it as a bot, so that rules leave it out: its owner reads",
      bots: "bots: {deploy-bot: {role: member, owner: ada@example.org}}\n",
      more: "",
      holds: false,
    },
    {
      fact: "nobody reads by an incoming webhook",
      bots: "bots: {deploy-bot: {type: incoming_webhook, role: member, owner: ada@example.org}}\n",
      more: "",
      holds: true,
    },
    {
      fact: "has an owner whom nobody knows if the file does not name one",
      bots: "bots: {deploy-bot: {role: member}}\n",
      more: "",
      holds: null,
    },
    { fact: "counts with bots: true", bots: "bots: {deploy-bot: {}}\n", more: "    bots: true\n", holds: false },
  ])("$fact", async ({ bots, more, holds }) => expect(await verdicts(config(bots), rules(more))).toEqual([holds]));
});
