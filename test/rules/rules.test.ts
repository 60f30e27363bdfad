import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { stateFromSnapshot } from "../../src/sandbox/from-snapshot.ts";
import { membersOf } from "../../src/sandbox/groups.ts";
import { type Against, testRules } from "../../src/workflow/rules.ts";
import { suggestRules } from "../../src/workflow/rules-answers.ts";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { mayCome, mayThroughBots } from "../access/oracle.ts";
import { realms } from "../access/realms.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";

const RUNS = { numRuns: Number(process.env.REALMCTL_RUNS ?? 40) };

async function outcomesOf(text: string, against: Against) {
  const result = await testRules({ file: "realm.test.yaml", readFile: async () => text }, against);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.value;
}
const reading = (snapshot: Snapshot): Against => ({
  what: "reading",
  reader: { snapshot: async () => snapshot },
});

describe("a rule holds if and only if the server decides so for each person", () => {
  const WORDS = {
    read: "read",
    post: "can_send_message_group",
    administer: "can_administer_channel_group",
    "delete any message": "can_delete_any_message_group",
    "remove subscribers": "can_remove_subscribers_group",
  } as const;
  const GROUPS = ["staff", "crew", "board", "leads", "role:moderators", "role:members"] as const;

  test("random organizations, rights, groups and expectations", async () => {
    const seen = { holds: 0, broken: 0 };
    await fc.assert(
      fc.asyncProperty(
        realms,
        fc.constantFrom(...(Object.keys(WORDS) as readonly (keyof typeof WORDS)[])),
        fc.constantFrom(...GROUPS),
        fc.constantFrom("exactly", "allow", "deny", "only", "at_least", "at_most"),
        fc.integer({ min: 1, max: 6 }),
        async (overlay, word, group, form, number) => {
          const snapshot = realmOf(overlay);
          const server = stateFromSnapshot(snapshot);
          const value = form.startsWith("at_") ? number : group;
          const text = `version: 1\ntests:\n  - name: x\n    objects: '*'\n    rights: {${word}: {${form}: ${value}}}\n`;
          const { outcomes } = await outcomesOf(text, reading(snapshot));
          const members = new Set(membersOf(server, snapshot.user_groups.find(({ name }) => name === group)?.id ?? 0));
          const people = Object.values(server.users).filter(
            (user) => user.is_active && !user.is_bot && !user.is_system_bot,
          );
          let wrong = 0;
          for (const channel of Object.values(server.channels)) {
            const holders = people.filter((user) => mayThroughBots(server, user, channel, WORDS[word]));
            // What forbids reading, forbids what leads to it.
            const coming = people.filter((user) => mayCome(server, user, channel, WORDS[word]));
            const extra = coming.filter(({ user_id }) => !members.has(user_id)).length;
            const inside = holders.filter(({ user_id }) => members.has(user_id)).length;
            const real = people.filter(({ user_id }) => members.has(user_id)).length;
            // What a rule demands, it does not demand of an archived channel.
            const missing = channel.is_archived ? 0 : real - inside;
            wrong +=
              {
                exactly: extra + missing,
                allow: missing,
                deny: coming.length - extra,
                only: extra,
                at_least: Number(!channel.is_archived && holders.length < number),
                at_most: Number(coming.length > number),
              }[form] ?? 0;
          }
          // Personas count, too, if a rule is about people whom it does not name.
          const isOfMade = form === "deny" || form === "only";
          const [outcome] = outcomes;
          const violations =
            outcome?.violations.filter(
              (violation) => !("id" in violation) || snapshot.users.some(({ user_id }) => user_id === violation.id),
            ) ?? [];
          const found = isOfMade ? violations.length : violations.length + (outcome?.more ?? 0);
          if (!isOfMade || outcome?.more === 0)
            expect({ form, word, group, found }).toEqual({ form, word, group, found: wrong });
          seen[wrong === 0 ? "holds" : "broken"] += 1;
        },
      ),
      RUNS,
    );
    expect(Math.min(seen.holds, seen.broken)).toBeGreaterThan(3);
  });
});

test("suggestions made from a file alone say that guests and subscribers are unknown; those made from a reading do not", async () => {
  const config = { file: "realm.yaml", readFile: async () => FILE };
  const ofFile = await suggestRules({ what: "file", config });
  if (!ofFile.ok) throw new Error(JSON.stringify(ofFile.diagnostics));
  expect(ofFile.value.split("\n").slice(0, 3)).toEqual([
    "# Made from the file alone, which does not say who is a guest, nor who is subscribed. Try them on real people before you keep them:",
    "# realmctl test --snapshot FILE, or --live.",
    "version: 1",
  ]);
  const { outcomes } = await outcomesOf(ofFile.value, { what: "file", config });
  expect(outcomes.length).toBeGreaterThan(0);
  expect(outcomes.filter(({ violations }) => violations.length > 0)).toEqual([]);
  const ofReading = await suggestRules(reading(realmOf({ channels: [{ name: "lobby" }] })));
  expect(ofReading).toMatchObject({ ok: true, value: expect.stringMatching(/^version: 1\n/) });
});

const FILE = `version: 1
people: {ada@acme.example: {role: owner}, ben@acme.example: {role: member}, hana@acme.example: {role: member}}
user_groups:
  staff: {members: [hana@acme.example]}
channels:
  lobby: {privacy: public}
  announcements:
    privacy: public
    permissions: {can_send_message_group: role:moderators}
  leadership:
    privacy: private_shared_history
    message_retention_days: 30
    permissions: {can_subscribe_group: staff, can_add_subscribers_group: role:nobody, can_administer_channel_group: role:administrators}
    subscribers: {users: [ada@acme.example]}
`;
const RULES = `version: 1
tests:
  - name: Guests read nothing
    who: {role: guest}
    cannot: {read: '*'}
  - name: Only moderators announce
    objects: announcements
    rights: {post: {exactly: role:moderators}}
  - name: Only staff and Ada read the leadership
    objects: leadership
    rights: {read: {only: [staff, ada@acme.example]}}
  - name: Private channels have an administrator group, and forget
    objects: '*'
    privacy: private_*
    fields: {can_administer_channel_group: {has: group}, message_retention_days: {not: [unlimited, realm_default]}}
`;

/** One change of the file, and the rules that it breaks. */
const MUTATIONS: readonly {
  readonly change: string;
  readonly from: string;
  readonly to: string;
  readonly breaks: readonly string[];
  readonly says?: string;
  readonly warns?: readonly string[];
}[] = [
  { change: "nothing", from: "x", to: "x", breaks: [] },
  {
    change: "another description",
    from: "lobby: {privacy: public}",
    to: "lobby: {privacy: public, description: Hall}",
    breaks: [],
  },
  {
    change: "the lobby becomes web-public",
    from: "lobby: {privacy: public}",
    to: "lobby: {privacy: web_public}",
    breaks: ["Guests read nothing"],
    says: "a guest can read #lobby",
  },
  {
    change: "everybody may announce",
    from: "role:moderators}",
    to: "role:everyone}",
    breaks: ["Only moderators announce"],
    says: "a member can post in #announcements",
  },
  {
    change: "nobody may announce",
    from: "role:moderators}",
    to: "role:administrators}",
    breaks: ["Only moderators announce"],
    says: "a moderator cannot post in #announcements",
  },
  {
    change: "the leadership channel is opened to moderators",
    from: "can_subscribe_group: staff",
    to: "can_subscribe_group: role:moderators",
    breaks: ["Only staff and Ada read the leadership"],
    says: "can_subscribe_group: role:moderators",
  },
  {
    change: "somebody else is subscribed",
    from: "users: [ada@acme.example]",
    to: "users: [ada@acme.example, ben@acme.example]",
    breaks: ["Only staff and Ada read the leadership"],
    says: "ben@acme.example can read #leadership",
  },
  {
    change: "a guest is subscribed",
    from: "users: [ada@acme.example]",
    to: "users: [ada@acme.example, ivo@acme.example]",
    breaks: ["Guests read nothing", "Only staff and Ada read the leadership"],
    says: "ivo@acme.example can read #leadership",
  },
  {
    change: "the leadership channel becomes public",
    from: "privacy: private_shared_history",
    to: "privacy: public",
    breaks: ["Only staff and Ada read the leadership"],
    says: "public: everybody but guests",
    warns: ["rules/never-fails"],
  },
  {
    change: "messages are kept longer",
    from: "message_retention_days: 30",
    to: "message_retention_days: unlimited",
    breaks: ["Private channels have an administrator group, and forget"],
    says: 'is "unlimited"',
  },
  {
    change: "nobody may administer",
    from: "can_administer_channel_group: role:administrators",
    to: "can_administer_channel_group: role:nobody",
    breaks: ["Private channels have an administrator group, and forget"],
  },
];

describe("a change that breaks a rule is found, and one that breaks none is not reported", () => {
  test.each(MUTATIONS)("$change", async ({ from, to, breaks, says, warns }) => {
    const files = { "realm.yaml": FILE.replace(from, to), "realm.test.yaml": RULES };
    const { out, err, exitCode } = await runCommandLine(["test", "--format", "json"], { files });
    // If nothing is private, a rule about private objects checks nothing.
    expect(err).toBe("");
    const json: {
      rules: readonly { name: string; holds: boolean }[];
      warnings: readonly { code: string }[];
      exit_code: number;
    } = JSON.parse(out);
    expect(json.warnings.map(({ code }) => code)).toEqual(warns ?? []);
    const broken = json.rules.filter(({ holds }) => !holds).map(({ name }) => name);
    expect({ broken, exitCode, said: json.exit_code }).toEqual({
      broken: breaks,
      exitCode: breaks.length === 0 ? 0 : 8,
      said: exitCode,
    });
    if (says !== undefined) {
      const text = await runCommandLine(["test"], { files });
      expect(text.out.replaceAll(/\s+/g, " ")).toContain(says);
      // The line that gives the right.
      expect(text.out).toMatch(/realm\.yaml:\d+/);
    }
  });
});

describe("the same rules on people", () => {
  const snapshot = realmOf({
    user_groups: [{ name: "staff", members: ["hana@acme.example", "ivo@partner.example"] }],
    channels: [
      { name: "lobby" },
      { name: "announcements", can_send_message_group: "role:moderators" },
      {
        name: "leadership",
        invite_only: true,
        can_subscribe_group: "staff",
        can_administer_channel_group: "role:administrators",
      },
    ],
    subscribers: {
      lobby: ["ivo@partner.example"],
      announcements: [],
      leadership: ["ada@acme.example", "kofi@acme.example"],
    },
  });
  const files = { "realm.yaml": FILE, "realm.test.yaml": RULES, "s.json": snapshotText(snapshot) };

  test("the live organization: people with manual access to what the file closes, and existing guests", async () => {
    const { out, exitCode } = await runCommandLine(["test", "--snapshot", "s.json", "--as-is"], { files });
    expect(exitCode).toBe(8);
    expect(out).toContain("Ivo Novak can read #lobby");
    expect(out).toContain("Kofi Mensah can read #leadership");
    expect(out.replaceAll(/\s+/g, " ")).toContain("acme.example.org, read 2026-11-21 09:00 UTC, as it is");
  });

  test.each([
    {
      format: "junit",
      has: ['<testsuites tests="4" failures="', '<failure message="Ivo Novak can read #lobby (subscribed)"'],
    },
    { format: "sarif", has: ['"ruleId": "rules/broken"', "Guests read nothing: Ivo Novak can read #lobby"] },
    { format: "github", has: ["::error file=realm.test.yaml,line=3", "Ivo Novak can read #lobby"] },
  ])("$format", async ({ format, has }) => {
    const { out, exitCode } = await runCommandLine(["test", "--snapshot", "s.json", "--as-is", "--format", format], {
      files,
    });
    expect(exitCode).toBe(8);
    for (const text of has) expect(out).toContain(text);
  });

  test("--as-is needs a snapshot or a server", async () => {
    const { err, exitCode } = await runCommandLine(["test", "--as-is"], { files });
    expect({ err: err.includes("error[rules/as-is-of-nothing]"), exitCode }).toEqual({ err: true, exitCode: 1 });
  });
});

test("a file with invitations and links is read together with them, whatever the rules ask", async () => {
  const whole = realmOf({ channels: [{ name: "lobby" }] });
  const config = {
    file: "realm.yaml",
    readFile: async () =>
      "version: 1\nchannels: {lobby: {}}\ninvite_links: [{expires_on: never, invite_as: guest, channels: [lobby]}]\n",
  };
  const { outcomes } = await outcomesOf(
    "version: 1\ntests: [{name: Links, objects: lobby, rights: {read: {at_least: 1}}}]\n",
    {
      what: "plan",
      config,
      reader: { snapshot: async ({ invites }) => ({ ...whole, invites: invites ? [] : null }) },
    },
  );
  expect(outcomes.map(({ violations }) => violations)).toEqual([[]]);
});
