import { describe, expect, test } from "vitest";
import { runCommandLine } from "../support/cli/command-line.ts";

/**
 * A file alone does not say who is in a group without `members`, or in a group that it only names, and who owns a bot that it declares without an owner. A
 * rule whose result depends on them is not said to hold, nor to be broken.
 */
const PEOPLE =
  "people: {ada@acme.example: {role: member}, bo@acme.example: {role: member}, ivo@partner.example: {role: guest}}\n";
const run = (config: string, rule: string, ...flags: readonly string[]) =>
  runCommandLine(["test", ...flags], {
    files: {
      "realm.yaml": `version: 1\n${PEOPLE}${config}`,
      "realm.test.yaml": `version: 1\ntests:\n  - {name: rule, ${rule}}\n`,
    },
  });

async function holds(config: string, rule: string): Promise<boolean | null | string> {
  const { out, err } = await run(config, rule, "--format", "json");
  const json: { readonly rules?: readonly { readonly holds: boolean | null }[] } = JSON.parse(out);
  return json.rules?.[0]?.holds ?? (json.rules === undefined ? err + out : null);
}

const channel = (fields: string): string => `channels: {vault: {privacy: private_shared_history, ${fields}}}\n`;
const CLOSED = "permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}";
const OPEN = channel(
  "subscribers: {users: [ada@acme.example]}, permissions: {can_subscribe_group: staff, can_add_subscribers_group: role:nobody}",
);
const LISTED = channel(`subscribers: {groups: [staff], users: [ada@acme.example]}, ${CLOSED}`);
const groups = (fields: string): string => `user_groups: {${fields}}\n`;

/** Each way in which the members of staff are unknown. */
const UNKNOWN: readonly (readonly [what: string, config: string])[] = [
  ["a group without members", groups("staff: {description: x}")],
  ["a group that the file does not have", ""],
  ["a group with a group without members", groups("staff: {members: [], subgroups: [crew]}, crew: {}")],
  ["a group with a group that the file does not have", groups("staff: {members: [], subgroups: [crew]}")],
];

describe.each(UNKNOWN)("%s", (_, config) => {
  test.each<[rule: string, open: boolean | null, listed: boolean | null]>([
    // Anybody may be in the group; guests read only if they are subscribed.
    ["who: bo@acme.example, cannot: {read: vault}", null, null],
    ["who: bo@acme.example, can: {read: vault}", null, null],
    ["who: ivo@partner.example, cannot: {read: vault}", true, null],
    ["who: guest, cannot: {read: '*'}", true, null],
    ["who: {role: member}, cannot: {read: vault}", false, false],
    ["who: {role: moderator}, cannot: {read: vault}", null, null],
    ["objects: vault, rights: {read: {deny: bo@acme.example}}", null, null],
    ["objects: vault, rights: {read: {deny: [role:administrators]}}", null, null],
    ["objects: vault, rights: {read: {allow: bo@acme.example}}", null, null],
    ["objects: vault, rights: {read: {at_most: 1}}", null, null],
    ["objects: vault, rights: {read: {at_most: 0}}", false, false],
    ["objects: vault, rights: {read: {at_least: 1}}", true, true],
    ["objects: vault, rights: {read: {at_least: 2}}", null, null],
    // Ada reads anyway, and is perhaps in the group.
    ["objects: vault, rights: {read: {only: [staff]}}", null, null],
    ["objects: vault, rights: {read: {only: [ada@acme.example, staff]}}", true, true],
    ["who: ada@acme.example, can: {read: vault}", true, true],
    ["who: ada@acme.example, cannot: {read: vault}", false, false],
  ])("%s", async (rule, open, listed) => {
    expect([await holds(config + OPEN, rule), await holds(config + LISTED, rule)]).toEqual([open, listed]);
  });

  test("the report says of which group the file does not say who is in it", async () => {
    const { out } = await run(config + OPEN, "who: bo@acme.example, cannot: {read: vault}");
    expect(out).toMatch(/the file does not say who is in (staff|crew)/);
    const { out: junit } = await run(config + OPEN, "who: bo@acme.example, cannot: {read: vault}", "--format", "junit");
    expect(junit).toMatch(/<skipped message="the file does not say who is in (staff|crew)"/);
    const { out: github } = await run(
      config + OPEN,
      "who: bo@acme.example, cannot: {read: vault}",
      "--format",
      "github",
    );
    expect(github).toMatch(/cannot be checked: the file does not say who is in (staff|crew)/);
  });
});

describe("a group whose members are unknown", () => {
  const [, unknown = ""] = UNKNOWN[0] ?? [];
  test("does not matter to what it does not open", async () => {
    const closed = channel(`subscribers: {users: [ada@acme.example]}, ${CLOSED}`);
    expect(await holds(unknown + closed, "who: bo@acme.example, cannot: {read: vault}")).toBe(true);
    expect(await holds(unknown + OPEN, "who: bo@acme.example, cannot: {administer: vault}")).toBe(true);
  });

  test("may have the people of whom a rule forbids it", async () => {
    const closed = channel(`subscribers: {users: [ada@acme.example]}, ${CLOSED}`);
    expect(await holds(unknown + closed, "who: staff, cannot: {read: vault}")).toBe(null);
    expect(
      await holds(unknown + channel(`subscribers: {users: []}, ${CLOSED}`), "who: staff, cannot: {read: vault}"),
    ).toBe(true);
  });

  test("may give a right together with another group, known or not", async () => {
    const both = channel(
      "subscribers: {users: [ada@acme.example]}, permissions: {can_subscribe_group: staff, can_send_message_group: posters}",
    );
    const rule = "who: bo@acme.example, cannot: {post: vault}";
    expect(await holds(groups("staff: {}, posters: {members: [bo@acme.example]}") + both, rule)).toBe(null);
    expect(await holds(groups("staff: {members: [bo@acme.example]}, posters: {}") + both, rule)).toBe(null);
    expect(await holds(groups("staff: {}, posters: {}") + both, rule)).toBe(null);
    expect(await holds(groups("staff: {}, posters: {members: []}") + both, rule)).toBe(true);
    const only = "objects: vault, rights: {post: {only: [posters]}}";
    expect(await holds(groups("staff: {}, posters: {members: [bo@acme.example]}") + both, only)).toBe(true);
    expect(await holds(groups("staff: {}, posters: {}") + both, only)).toBe(true);
    expect(
      await holds(groups("staff: {}, posters: {}") + both, "objects: vault, rights: {post: {only: [staff]}}"),
    ).toBe(null);
    expect(await holds(groups("staff: {}, posters: {}") + both, "objects: vault, rights: {post: {at_most: 0}}")).toBe(
      null,
    );
    expect(await holds(groups("staff: {}, posters: {}") + both, "who: bo@acme.example, can: {post: vault}")).toBe(null);
  });

  test("may have a bot, by which its owner reads", async () => {
    const bot = "bots: {deploy-bot: {role: member, owner: ivo@partner.example}}\n";
    expect(await holds(bot + unknown + OPEN, "who: ivo@partner.example, cannot: {read: vault}")).toBe(null);
    expect(await holds(unknown + OPEN, "who: ivo@partner.example, cannot: {read: vault}")).toBe(true);
    const webhook = bot.replace("role: member", "role: member, type: incoming_webhook");
    expect(await holds(webhook + unknown + OPEN, "who: ivo@partner.example, cannot: {read: vault}")).toBe(true);
  });

  test("may have the people of a role whom a rule names with it", async () => {
    const rule = "who: {role: member, groups: [staff]}, cannot: {read: vault}";
    expect(await holds(unknown + OPEN, rule)).toBe(false);
    // A group that the file only names.
    expect(await holds(OPEN, rule)).not.toBe(true);
    expect(await holds(OPEN, "who: staff, cannot: {read: vault}")).toBe(null);
    expect(await holds(OPEN, "objects: vault, rights: {read: {deny: staff}}")).toBe(null);
  });

  test.each<[config: string, rule: string, expected: boolean | null]>([
    [groups("staff: {}"), "who: {role: member, groups: [staff]}, cannot: {read: vault}", null],
    [groups("staff: {}"), "who: {role: guest, groups: [staff]}, cannot: {read: vault}", true],
    [groups("staff: {}"), "who: {role: moderator, groups: [staff]}, cannot: {read: vault}", true],
    [groups("staff: {members: []}"), "who: {role: member, groups: [staff]}, cannot: {read: vault}", true],
    [
      groups("staff: {}, crew: {members: [ada@acme.example]}"),
      "who: {role: member, groups: [staff, crew]}, cannot: {read: vault}",
      null,
    ],
    [
      groups("staff: {}, crew: {members: [bo@acme.example]}"),
      "who: {role: member, groups: [staff, crew]}, cannot: {read: vault}",
      true,
    ],
    [
      groups("staff: {members: [], subgroups: [crew]}, crew: {}"),
      "who: {role: member, groups: [staff]}, cannot: {read: vault}",
      null,
    ],
  ])("of which the file lists somebody as a reader, with a role: %s%s", async (config, rule, expected) => {
    expect(await holds(config + channel(`subscribers: {users: [ada@acme.example]}, ${CLOSED}`), rule)).toBe(expected);
  });

  test("may lead into another one", async () => {
    const leading = groups("staff: {members: [], permissions: {can_join_group: crew}}, crew: {}");
    expect(await holds(leading + OPEN, "who: bo@acme.example, cannot: {read: vault}")).toBe(null);
    expect(await holds(leading + OPEN, "who: ivo@partner.example, cannot: {read: vault}")).toBe(true);
  });

  test("is empty if the section says that fields that are not written have their default", async () => {
    const manage = "manage: {user_groups: {policy: additive, unset: default}}\n";
    expect(await holds(manage + unknown + OPEN, "who: bo@acme.example, cannot: {read: vault}")).toBe(true);
  });

  test("is known if the file has its members", async () => {
    const known = groups("staff: {members: [bo@acme.example]}");
    expect(await holds(known + OPEN, "who: bo@acme.example, cannot: {read: vault}")).toBe(false);
    expect(await holds(groups("staff: {members: []}") + OPEN, "who: bo@acme.example, cannot: {read: vault}")).toBe(
      true,
    );
  });

  test("is not in suggested rules", async () => {
    const { out } = await run(unknown + OPEN, "who: guest, cannot: {read: '*'}", "--suggest");
    expect(out).not.toContain("objects: vault");
    const { out: listed } = await run(unknown + LISTED, "who: guest, cannot: {read: '*'}", "--suggest");
    expect(listed).not.toContain("Guests read nothing");
  });
});

describe("a bot without an owner in the file", () => {
  const vault = channel(`subscribers: {users: [ada@acme.example, deploy-bot@acme.example]}, ${CLOSED}`);
  const bots = (fields: string): string => `bots: {deploy-bot: {${fields}}}\n`;

  test.each<[rule: string, without: boolean | null, owned: boolean | null]>([
    ["who: bo@acme.example, cannot: {read: vault}", null, true],
    ["who: guest, cannot: {read: vault}", null, true],
    ["objects: vault, rights: {read: {only: ada@acme.example}}", null, true],
    ["objects: vault, rights: {read: {exactly: ada@acme.example}}", null, true],
    ["objects: vault, rights: {read: {at_most: 1}}", null, true],
    ["objects: vault, rights: {read: {at_least: 2}}", null, false],
    ["who: bo@acme.example, can: {read: vault}", null, false],
    ["who: ada@acme.example, can: {read: vault}", true, true],
    ["who: ada@acme.example, cannot: {read: vault}", false, false],
    ["who: guest, cannot: {administer: vault}", true, true],
  ])("%s", async (rule, without, owned) => {
    const [unknown, known] = ["role: member", "role: member, owner: ada@acme.example"];
    expect([await holds(bots(unknown) + vault, rule), await holds(bots(known) + vault, rule)]).toEqual([
      without,
      owned,
    ]);
  });

  test("is one with an owner who becomes an administrator by an administrator bot", async () => {
    const rule = "who: bo@acme.example, cannot: {administer: vault}";
    expect(await holds(bots("role: administrator") + vault, rule)).toBe(null);
    expect(await holds(bots("role: administrator, owner: ada@acme.example") + vault, rule)).toBe(true);
    const ofOwner = "who: ada@acme.example, cannot: {administer: vault}";
    expect(await holds(bots("role: administrator, owner: ada@acme.example") + vault, ofOwner)).toBe(false);
    // The bot may have any role.
    expect(await holds(bots("owner: ada@acme.example") + vault, ofOwner)).toBe(null);
  });

  test.each([
    ["a webhook only posts", "role: member, type: incoming_webhook", true],
    ["a deactivated bot does nothing", "role: member, deactivated: true", true],
  ])("%s", async (_, fields, expected) => {
    expect(await holds(bots(fields) + vault, "who: bo@acme.example, cannot: {read: vault}")).toBe(expected);
  });

  test("acts also if nothing else in the file names it", async () => {
    const closed = `${channel("subscribers: {users: [ada@acme.example]}")}`.replace(
      "}}\n",
      "}, lobby: {privacy: public, subscribers: {users: [], exact: true}}}\n",
    );
    const admin = bots("role: administrator, owner: bo@acme.example");
    expect(await holds(admin + closed, "who: bo@acme.example, cannot: {administer: vault}")).toBe(false);
    // What every member reads, a guest reads by a bot that is a member.
    const guests = bots("role: member, owner: ivo@partner.example");
    expect(await holds(guests + closed, "who: ivo@partner.example, cannot: {read: lobby}")).toBe(false);
    expect(await holds(guests + closed, "who: ivo@partner.example, cannot: {read: vault}")).toBe(true);
    expect(
      await holds(
        bots("role: member, deactivated: true, owner: ivo@partner.example") + closed,
        "who: guest, cannot: {read: lobby}",
      ),
    ).toBe(true);
  });

  test("is named in the report", async () => {
    const { out } = await run(bots("role: member") + vault, "who: bo@acme.example, cannot: {read: vault}");
    expect(out).toContain("the file does not say who owns deploy-bot@acme.example");
  });
});

describe("an archived channel that the file makes public", () => {
  const attic = "channels: {attic: {archived: true, privacy: public}}\n";
  test.each([
    "who: zoe@other.example, cannot: {read: attic}",
    "objects: attic, rights: {read: {deny: zoe@other.example}}",
    "objects: attic, privacy: private_*, rights: {read: {only: ada@acme.example}}",
    "objects: attic, rights: {read: {only: ada@acme.example}}",
  ])("is no reason to say that a rule checks nothing: %s", async (rule) => {
    expect((await run(attic, rule)).err).not.toContain("never-fails");
  });

  test("still is, if the rule only demands something", async () => {
    expect((await run(attic, "objects: attic, rights: {read: {allow: ada@acme.example}}")).err).toContain(
      "never-fails",
    );
  });
});

describe("a list excepts people, and a group brings their bots into it", () => {
  const listed = (list: string): string => channel(`subscribers: {${list}, exact: true}, ${CLOSED}`);
  const BO = "except: {users: [bo@acme.example]}";
  const ROLE = listed(`groups: [role:members], ${BO}`);
  const deny = (who: string): string => `objects: vault, rights: {read: {deny: ${who}}}`;
  const inGroup = (members: string, more = ""): string =>
    groups(`staff: {members: ${members}}${more}`) +
    channel(
      "subscribers: {users: []}, permissions: {can_subscribe_group: staff, can_add_subscribers_group: role:nobody}",
    );

  test.each<[what: string, config: string, rule: string, expected: boolean | null]>([
    ["a role", ROLE, deny("bo@acme.example"), null],
    ["a role, as a person", ROLE, "who: bo@acme.example, cannot: {read: vault}", null],
    ["a role, demanded", ROLE, "who: bo@acme.example, can: {read: vault}", null],
    ["a role, allowed", ROLE, "objects: vault, rights: {read: {allow: bo@acme.example}}", null],
    ["a role, guests", ROLE, "who: guest, cannot: {read: vault}", true],
    ["a role, somebody else", ROLE, "who: ada@acme.example, can: {read: vault}", true],
    [
      "a role, a guest whom it excepts",
      listed("groups: [role:everyone], except: {users: [ivo@partner.example]}"),
      deny("ivo@partner.example"),
      true,
    ],
    [
      "a role in a group",
      groups("staff: {members: [], subgroups: [role:members]}") + listed(`groups: [staff], ${BO}`),
      deny("bo@acme.example"),
      null,
    ],
    [
      "a role in the list of a group",
      groups("staff: {members: {groups: [role:members]}}") + listed(`groups: [staff], ${BO}`),
      deny("bo@acme.example"),
      null,
    ],
    ["a group without members", groups("staff: {}") + listed(`groups: [staff], ${BO}`), deny("bo@acme.example"), null],
    [
      "a group whose members are people",
      groups("staff: {members: [ada@acme.example, bo@acme.example]}") + listed(`groups: [staff], ${BO}`),
      deny("bo@acme.example"),
      true,
    ],
    [
      "a role, people of a group",
      groups("crew: {members: [bo@acme.example]}") + listed("groups: [role:members], except: {groups: [crew]}"),
      deny("crew"),
      null,
    ],
    [
      "a role, into the list of a group that the channel admits",
      inGroup(`{groups: [role:members], ${BO}}`),
      deny("bo@acme.example"),
      null,
    ],
    [
      "nothing, into the list of a group that the channel admits",
      inGroup(`{groups: [crew], ${BO}}`, ", crew: {members: [ada@acme.example, bo@acme.example]}"),
      deny("bo@acme.example"),
      true,
    ],
  ])("%s: %s %s", async (_, config, rule, expected) => {
    expect(await holds(config, rule)).toBe(expected);
  });

  test("the report says why", async () => {
    const { out } = await run(ROLE, deny("bo@acme.example"));
    expect(out.replace(/\s+/g, " ")).toContain(
      "a group in the list of #vault brings in bots, also those of people whom the list excepts, and the file does not say who owns which bots",
    );
  });
});
