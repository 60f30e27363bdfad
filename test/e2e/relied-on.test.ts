import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import { textOf, worldOfTests } from "./world.ts";

/*
 * The requests of a plan have people. What they rely on beside the values that they replace is compared before the first of them: who came into an exact list,
 * whom groups of a list and of `except` mean, and that whoever was shown to lose a channel loses it.
 */

const KEY = "0123456789abcdef0123456789abcdef";
const CLOSED = "permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}";
const LIMITS =
  "policy: {limits: {people_gaining_access: 5, people_losing_access: 50, unlisted_subscribers: 50, opened: 5, renames: 5}}";
const file = (channels: string, more = LIMITS) => `version: 1\n${more}\nchannels: {${channels}}\n`;
const secret = (list: string, more = CLOSED) =>
  file(`secret: {privacy: private_shared_history, ${more}, subscribers: {${list}}}`);

const GROUPS = secret("users: [ada@acme.example], groups: [crew], except: {groups: [contractors]}, exact: true");
const ADA = secret("users: [ada@acme.example], exact: true");
const LOBBY = (list: string) => file(`lobby: {privacy: private_shared_history, ${CLOSED}${list}}`);

const world = worldOfTests({
  from: realmOf({
    user_groups: [
      { name: "crew", members: ["farah@acme.example", "chiara@acme.example"] },
      { name: "contractors", members: ["dmitri@acme.example"] },
    ],
    channels: [
      { name: "secret", invite_only: true },
      { name: "lobby" },
      { name: "safe", invite_only: true, can_subscribe_group: "crew" },
    ],
    subscribers: {
      secret: ["ada@acme.example", "ben@acme.example"],
      lobby: ["ada@acme.example"],
      safe: ["ada@acme.example"],
    },
  }),
});

const joinable = (name: string) =>
  world.edit("ada@acme.example", "PATCH", `/user_groups/${world.group(name)}`, {
    can_join_group: { new: world.group("role:members") },
  });
const enters = (channel: string, name: string) =>
  world.edit("ada@acme.example", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: channel }],
    principals: [world.person(name)],
  });
const leaves = (channel: string, name: string) =>
  world.edit("ada@acme.example", "DELETE", "/users/me/subscriptions", {
    subscriptions: [channel],
    principals: [world.person(name)],
  });
const link = (invite_as: number) => world.edit("ada@acme.example", "POST", "/invites/multiuse", { invite_as });

/** A link without end, as member; the server does not show what else it gives. */
const lasting = (stream_ids: readonly number[] = []) =>
  world.edit("ada@acme.example", "POST", "/invites/multiuse", {
    ...{ invite_as: 400, invite_expires_in_minutes: null, stream_ids },
  });
const replaceLink = async () => {
  const [link] = Object.values(world.sandbox.state().invites);
  await world.edit("ada@acme.example", "DELETE", `/invites/multiuse/${link?.id}`, {});
  await lasting([world.channel("secret").stream_id]);
};

interface Row {
  readonly what: string;
  /** What is there when the plan is made. */
  readonly before?: () => Promise<unknown>;
  readonly yaml: string;
  readonly between: () => Promise<unknown>;
  readonly said: string;
}

const REFUSED: readonly Row[] = [
  {
    what: "somebody came into an exact list",
    yaml: ADA,
    between: () => enters("secret", "dmitri"),
    said: "the subscribers of #secret would include dmitri@acme.example, whom the file does not list today",
  },
  {
    what: "somebody subscribed to a public channel that the plan makes private",
    yaml: LOBBY(", subscribers: {users: [ada@acme.example], exact: true}"),
    between: () => enters("lobby", "dmitri"),
    said: "the subscribers of #lobby would include dmitri@acme.example, whom the file does not list today",
  },
  {
    what: "the same without a list: the plan said that they lose it",
    yaml: LOBBY(""),
    between: () => enters("lobby", "dmitri"),
    said: "dmitri@acme.example could still read #lobby, although the plan says that they no longer can",
  },
  {
    what: "the same with an additive list",
    yaml: LOBBY(", subscribers: {users: [ada@acme.example, elif@acme.example], exact: false}"),
    between: () => enters("lobby", "dmitri"),
    said: "dmitri@acme.example could still read #lobby, although the plan says that they no longer can",
  },
  {
    what: "somebody came into a group that the channel keeps",
    yaml: file(
      "lobby: {privacy: private_shared_history, subscribers: {users: [ada@acme.example]}, permissions: {can_subscribe_group: crew, can_add_subscribers_group: role:nobody}}",
    ),
    between: () => world.changeMembers("crew", { add: ["dmitri"] }),
    said: "dmitri@acme.example could still read #lobby, although the plan says that they no longer can",
  },
  {
    what: "somebody left a group of the list",
    yaml: GROUPS,
    between: () => world.changeMembers("crew", { remove: ["chiara"] }),
    said: "the subscribers of #secret would include chiara@acme.example, whom the file does not list today",
  },
  {
    what: "somebody came into a group of except",
    yaml: GROUPS,
    between: () => world.changeMembers("contractors", { add: ["farah"] }),
    said: "the subscribers of #secret would include farah@acme.example, whom the file does not list today",
  },
  {
    what: "the same in an additive list",
    yaml: GROUPS.replace("exact: true", "exact: false"),
    between: () => world.changeMembers("crew", { remove: ["farah"] }),
    said: "the subscribers of #secret would include farah@acme.example, whom the file does not list today",
  },
  {
    what: "whom the plan takes out came into a group of the list",
    yaml: GROUPS,
    between: () => world.changeMembers("crew", { add: ["ben"] }),
    said: "the subscribers of #secret would lose ben@acme.example, whom the file lists today",
  },
  {
    what: "somebody made a link as administrator, and links are exact",
    yaml: file("secret: {description: New}", `${LIMITS}\nmanage: {invite_links: exact}\ninvite_links: []`),
    between: () => link(200),
    said: "lets people in, is not in the file, which is exact there, and would stay",
  },
  {
    what: "somebody replaced a link of the file by one like it",
    before: () => lasting(),
    yaml: file("secret: {description: New}", `${LIMITS}\ninvite_links: [{expires_on: never}]`),
    between: replaceLink,
    said: "member for ever, which the file has, was replaced by hand by one that looks the same, and the server does not show where that one leads",
  },
  {
    what: "somebody made a private channel, and channels are exact",
    yaml: file(
      "secret: {description: New}, lobby: {}",
      `${LIMITS}\nmanage: {channels: {policy: exact, except: [general, sandbox, safe, Zulip]}}`,
    ),
    between: () =>
      world.edit("ada@acme.example", "POST", "/users/me/subscriptions", {
        subscriptions: [{ name: "hush" }],
        invite_only: true,
        principals: [world.person("dmitri")],
      }),
    said: "#hush lets people in, is not in the file, which is exact there, and would stay",
  },
  {
    what: "somebody lets everybody join a group that a channel admits, and the plan takes people out of it",
    yaml: `version: 1\n${LIMITS}\nuser_groups: {crew: {members: [chiara@acme.example]}}\n`,
    between: () => joinable("crew"),
    said: "farah@acme.example could still read #safe, although the plan says that they no longer can",
  },
  {
    what: "somebody came into a group that gets a right which no guard rail counts",
    yaml: file("safe: {permissions: {can_delete_any_message_group: crew}}"),
    between: () => world.changeMembers("crew", { add: ["dmitri"] }),
    said: "dmitri@acme.example would get can_delete_any_message_group of #safe, which the plan does not show",
  },
  {
    what: "the same of the organization",
    yaml: `version: 1\n${LIMITS}\nsettings: {permissions: {create_multiuse_invite_group: crew}}\n`,
    between: () => world.changeMembers("crew", { add: ["dmitri"], remove: ["chiara"] }),
    said: "dmitri@acme.example would get create_multiuse_invite_group, which the plan does not show",
  },
];

const PASSING: readonly Omit<Row, "said">[] = [
  { what: "nothing", yaml: GROUPS, between: async () => {} },
  {
    what: "somebody left a group that gets a right",
    yaml: `version: 1\n${LIMITS}\nsettings: {permissions: {create_multiuse_invite_group: crew}}\n`,
    between: () => world.changeMembers("crew", { remove: ["chiara"] }),
  },
  { what: "somebody whom the plan takes out left", yaml: GROUPS, between: () => leaves("secret", "ben") },
  { what: "somebody whom the plan adds is there", yaml: GROUPS, between: () => enters("secret", "farah") },
  {
    what: "somebody came into an additive list, and nobody may lose access",
    yaml: file(
      "secret: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, elif@acme.example], exact: false}}",
      "policy: {limits: {people_gaining_access: 5, people_losing_access: 0, unlisted_subscribers: 50}}",
    ),
    between: () => enters("secret", "dmitri"),
  },
  {
    what: "somebody came into a group of the list",
    yaml: GROUPS,
    between: () => world.changeMembers("crew", { add: ["elif"] }),
  },
  {
    what: "somebody came into an exact list of which the plan says nothing",
    yaml: file(`secret: {description: New, subscribers: {users: [ada@acme.example, ben@acme.example], exact: true}}`),
    between: () => enters("secret", "dmitri"),
  },
  {
    what: "a group gets another name, and a new one its old name",
    yaml: `version: 1\n${LIMITS}\nuser_groups: {squad: {was: crew}, crew: {members: [], description: New}}\n`,
    between: async () => {},
  },
  {
    what: "a channel gets another name, and a new one its old name",
    yaml: file(
      "lounge: {was: lobby}, lobby: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, elif@acme.example], exact: true}}",
    ),
    between: async () => {},
  },
  {
    what: "somebody joins a group that the plan already lets everybody join",
    yaml: `version: 1\n${LIMITS}\nuser_groups: {crew: {members: [chiara@acme.example], permissions: {can_join_group: role:members}}}\n`,
    between: () => joinable("crew"),
  },
  {
    what: "somebody made a link, and links are not exact",
    yaml: file("secret: {description: New}", `${LIMITS}\ninvite_links: []`),
    between: () => link(200),
  },
  {
    what: "somebody replaced a link that the file does not have",
    before: () => lasting(),
    yaml: file("secret: {description: New}", `${LIMITS}\ninvite_links: []`),
    between: replaceLink,
  },
  {
    what: "somebody made a group and a public channel, and their sections are exact",
    yaml: file(
      "secret: {description: New}, lobby: {}, safe: {}",
      `${LIMITS}\nmanage: {user_groups: exact, channels: {policy: exact, except: [general, sandbox, Zulip]}}\nuser_groups: {crew: {}, contractors: {}}`,
    ),
    between: async () => {
      await world.edit("ada@acme.example", "POST", "/user_groups/create", {
        name: "own",
        description: "",
        members: [],
      });
      await world.edit("ada@acme.example", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "open" }] });
    },
  },
  {
    what: "somebody made what lets nobody in, and its section is exact",
    yaml: file("secret: {description: New}", `${LIMITS}\nmanage: {linkifiers: exact}\nlinkifiers: []`),
    between: () =>
      world.edit("ada@acme.example", "POST", "/realm/filters", {
        pattern: "#(?P<id>[0-9]+)",
        url_template: "https://example.org/{id}",
      }),
  },
];

const saved = async (
  yaml: string,
  between: () => Promise<unknown>,
  flags: string,
  held: string,
  before = async (): Promise<unknown> => undefined,
) => {
  await before();
  world.file("realm.yaml", yaml);
  const env = { env: { PLAN_KEY: KEY } };
  const plan = await world.realmctl(`plan --out realm.plan ${flags}`, env);
  expect(plan.code, textOf(plan)).toBe(EXIT.done);
  await between();
  const written = world.writes().length;
  const checksum = (await world.realmctl("show realm.plan --checksum")).out.trim();
  const ran = await world.realmctl(`apply realm.plan --yes ${held.replace("SUM", checksum)}`, env);
  return { ...ran, sent: world.writes().length - written };
};

describe("a saved plan is refused", () => {
  test.each(REFUSED)("$what", async ({ before, yaml, between, said }) => {
    const ran = await saved(yaml, between, "", "--checksum SUM", before);
    expect(textOf(ran)).toContain("error[plan/changed-since]");
    expect(textOf(ran)).toContain(said);
    expect(ran.code).toBe(EXIT.conflict);
    expect(ran.sent).toBe(0);
  });

  test("signed, too", async () => {
    const ran = await saved(
      GROUPS,
      () => world.changeMembers("crew", { remove: ["chiara"] }),
      "--sign-with env:PLAN_KEY",
      "--verify-with env:PLAN_KEY",
    );
    expect(ran.code, textOf(ran)).toBe(EXIT.conflict);
    expect(ran.sent).toBe(0);
  });
});

describe("what became less, or is not in the plan, refuses no saved plan", () => {
  test.each(PASSING)("$what", async ({ before, yaml, between }) => {
    const ran = await saved(yaml, between, "", "--checksum SUM", before);
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
    expect(ran.sent).toBeGreaterThan(0);
  });
});

describe("a plan that was shown and answered", () => {
  const answered = async (yaml: string, between: () => Promise<unknown>, flags = "") => {
    world.file("realm.yaml", yaml);
    let asked = 0;
    const ran = await world.realmctl(`apply ${flags}`, {
      answer: async (question): Promise<string> => {
        asked += 1;
        if (asked === 1) await between();
        return /type yes/i.test(question) ? "yes" : world.sandbox.url.replace("http://", "");
      },
    });
    return { ...ran, asked };
  };

  test.each(REFUSED)("is refused: $what", async ({ before, yaml, between, said }) => {
    await before?.();
    const ran = await answered(yaml, between);
    expect(textOf(ran)).toContain(said);
    expect(ran.code).toBe(EXIT.conflict);
  });

  test("is made again and asked again with --on-conflict replan", async () => {
    const ran = await answered(ADA, () => enters("secret", "dmitri"), "--on-conflict replan");
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
    expect(ran.asked).toBe(2);
    expect(textOf(ran)).toContain("- ben@acme.example, dmitri@acme.example");
  });
});

describe("a limit lets in whom the plan showed", () => {
  test("somebody came into an additive list of a channel that shows its history", async () => {
    await world.edit("ada@acme.example", "PATCH", `/streams/${world.channel("secret").stream_id}`, {
      history_public_to_subscribers: false,
    });
    const ran = await saved(
      secret("users: [ada@acme.example, elif@acme.example], exact: false"),
      () => enters("secret", "dmitri"),
      "",
      "--checksum SUM",
    );
    expect(ran.code, textOf(ran)).toBe(EXIT.refusedByGuard);
    expect(ran.sent).toBe(0);
  });

  const OPENING = file("secret: {permissions: {can_subscribe_group: crew}}");
  test("others are refused, though they are not more", async () => {
    const swap = () => world.changeMembers("crew", { add: ["dmitri"], remove: ["chiara"] });
    const ran = await saved(OPENING, swap, "", "--checksum SUM");
    expect(textOf(ran)).toContain("error[guard/others]: others than the plan showed, 1 of them new");
    expect(textOf(ran)).toContain("plan again, and look at who it is now");
    expect(textOf(ran)).not.toContain("Continue");
    expect(ran.code).toBe(EXIT.refusedByGuard);
    expect(ran.sent).toBe(0);
  });

  test("fewer pass, and others if the command allows it", async () => {
    const fewer = await saved(OPENING, () => world.changeMembers("crew", { remove: ["chiara"] }), "", "--checksum SUM");
    expect(fewer.code, textOf(fewer)).toBe(EXIT.done);
  });
});
