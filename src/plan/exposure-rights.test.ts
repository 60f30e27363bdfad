import { describe, expect, test } from "vitest";
import { creation, update, type Values } from "../../test/support/changes.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import type { Json } from "../model/json.ts";
import type { Address, Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { RightsModel, type Step } from "./exposure-rights.ts";

const [ADA, BEN, CHIARA, DMITRI, ELIF, FARAH, GUSTAVO, HANA, JANA, DEPLOY_BOT, CI_BOT] = [
  6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 18,
];
const EMAIL = (name: string) => `${name}@acme.example`;
const NOBODY = 9;

/** A request that sets these fields of an object. */
const step = (address: Address, fields: readonly string[], is: Partial<Step> = {}): Step => ({
  parts: [{ address, fields }],
  half: "whole",
  ...is,
});
const modelOf = (changes: readonly Change[], overlay: Overlay = {}) =>
  new RightsModel(
    changes,
    new Realm(realmOf({ channels: [{ name: "hall" }], subscribers: { hall: [EMAIL("ada")] }, ...overlay })),
  );
const words = (model: RightsModel, next: Step) =>
  model.openedBy(next).map(({ address, right, people }) => `${address} ${right} ${people}`);

const POST = "can_send_message_group";
const postingIs = (value: number | string): Overlay => ({ channels: [{ name: "hall", [POST]: value }] });
const posting = (value: Json) => update("channel:hall", { [POST]: value }, 101);
const POSTING = step("channel:hall", [POST]);

describe("what a request opens until the others are sent", () => {
  test.each<{
    fact: string;
    changes: readonly Change[];
    live?: Overlay;
    first: Step;
    opens: readonly string[];
    next?: readonly Step[];
    afterwards?: readonly string[];
  }>([
    {
      fact: "a channel to somebody who will leave, and to their bot",
      changes: [
        posting({ groups: [], users: ["ci-bot@localhost", EMAIL("dmitri")] }),
        update("person:dmitri", { deactivated: true }, DMITRI),
      ],
      live: postingIs(NOBODY),
      first: POSTING,
      opens: ["channel:hall can_send_message_group 2"],
      next: [step("person:dmitri", ["deactivated"])],
      afterwards: [],
    },
    {
      fact: "a channel to a bot that is deactivated automatically with its owner, and to the owner by its key",
      changes: [
        posting({ groups: [], users: ["ci-bot@localhost"] }),
        update("person:dmitri", { deactivated: true }, DMITRI),
      ],
      live: postingIs(NOBODY),
      first: POSTING,
      opens: ["channel:hall can_send_message_group 2"],
      next: [{ parts: [], half: "whole", leaving: [CI_BOT] }],
      afterwards: [],
    },
    {
      fact: "a channel to full members who will have to wait",
      changes: [
        posting("role:fullmembers"),
        update("settings:organization", { waiting_period_threshold: "10d", name: "x" }),
      ],
      live: { ...postingIs(NOBODY), joined_days_ago: { [EMAIL("elif")]: 5, [EMAIL("dmitri")]: 5 } },
      first: POSTING,
      opens: ["channel:hall can_send_message_group 1"],
      next: [step("settings:organization", ["name"])],
      afterwards: ["channel:hall can_send_message_group 1"],
    },
    {
      fact: "a channel to full members who already have to wait",
      changes: [
        posting("role:fullmembers"),
        update("settings:organization", { waiting_period_threshold: "10d", name: "x" }),
      ],
      live: { ...postingIs(NOBODY), joined_days_ago: { [EMAIL("elif")]: 5, [EMAIL("dmitri")]: 5 } },
      first: POSTING,
      opens: ["channel:hall can_send_message_group 1"],
      next: [step("settings:organization", ["name", "waiting_period_threshold"])],
      afterwards: [],
    },
    {
      fact: "a channel that will be closed to members who waited",
      changes: [
        posting("role:nobody"),
        update("settings:organization", { waiting_period_threshold: "none", name: "x" }),
      ],
      live: {
        channels: [{ name: "hall", [POST]: 13 }],
        settings: { waiting_period_threshold: 10 },
        joined_days_ago: { [EMAIL("elif")]: 5, [EMAIL("dmitri")]: 5 },
      },
      first: step("settings:organization", ["waiting_period_threshold"]),
      opens: ["channel:hall can_send_message_group 1"],
      next: [POSTING],
      afterwards: [],
    },
  ])("$fact", ({ changes, live = {}, first, opens, next = [], afterwards }) => {
    const model = modelOf(changes, live);
    const sorted = [...words(model, first)].sort();
    expect(sorted).toEqual([...opens].sort());
    expect(model.excessAfter(first)).toBe(opens.reduce((sum, text) => sum + Number(text.replace(/.* /, "")), 0));
    // Asking does not change the state.
    expect([...words(model, first)].sort()).toEqual(sorted);
    if (afterwards === undefined) return;
    for (const each of next) model.apply(each);
    expect(words(model, first)).toEqual(afterwards);
  });

  test("the account that runs the plan does not count when only other people matter", () => {
    const model = modelOf(
      [posting("staff"), update("user_group:staff", { members: [EMAIL("elif")] }, 30)],
      postingIs(NOBODY),
    );
    expect([model.me, model.excessAfter(POSTING), model.excessOfOthersAfter(POSTING)]).toEqual([ADA, 4, 3]);
  });

  test("a person and their bots are unchanged after their deactivation was only tried", () => {
    const both = { groups: [], users: ["ci-bot@localhost", EMAIL("dmitri")] };
    const model = modelOf([posting(both), update("person:dmitri", { deactivated: true }, DMITRI)], postingIs(NOBODY));
    for (const leaving of [
      step("person:dmitri", ["deactivated"]),
      { parts: [], half: "whole", leaving: [CI_BOT] } as const,
    ]) {
      model.tried(leaving, () => undefined);
      expect(model.excessAfter(POSTING)).toBe(2);
    }
    model.apply(step("person:dmitri", ["role"]));
    expect(model.excessAfter(POSTING)).toBe(2);
  });

  test.each<{ fact: string; measure: (model: RightsModel, next: Step) => unknown }>([
    { fact: "tried", measure: (model, next) => model.tried(next, () => undefined) },
    { fact: "asked about", measure: (model, next) => model.opens(next) },
  ])("somebody who no longer has to wait is still a full member after their deactivation was $fact", ({ measure }) => {
    const model = modelOf(
      [
        posting("role:fullmembers"),
        update("settings:organization", { waiting_period_threshold: "none" }),
        update("person:elif", { deactivated: true }, ELIF),
      ],
      {
        ...postingIs(NOBODY),
        settings: { waiting_period_threshold: 10 },
        joined_days_ago: { [EMAIL("elif")]: 5 },
      },
    );
    model.apply(step("settings:organization", ["waiting_period_threshold"]));
    measure(model, step("person:elif", ["deactivated"]));
    expect(words(model, POSTING)).toEqual(["channel:hall can_send_message_group 1"]);
  });
});

test("a request about an account and a channel is checked against everything that depends on either", () => {
  // Ben becomes a member only after administrators may post; Dmitri stays one.
  const model = modelOf(
    [
      posting("role:administrators"),
      update("person:ben", { role: "member" }, BEN),
      update("person:dmitri", { role: "administrator" }, DMITRI),
    ],
    postingIs(NOBODY),
  );
  model.apply(POSTING);
  const [person] = step("person:dmitri", ["role"]).parts;
  const [settings] = step("settings:organization", ["name"]).parts;
  if (person === undefined || settings === undefined) throw new RangeError("no part");
  // All rights of somebody whose role changes are checked, whatever else the request changes.
  expect(words(model, { parts: [settings, person], half: "whole" })).toEqual(["channel:hall can_send_message_group 1"]);
});

describe("an object that a plan creates", () => {
  const shut: Values = { [POST]: "role:nobody", privacy: "private_protected_history", subscribers: [EMAIL("ben")] };
  const making = step("channel:new", ["privacy", "subscribers"]);

  test("opens what the request that creates it leaves open", () => {
    // Without its privacy setting, it is public.
    const model = modelOf([creation("channel:new", shut)]);
    expect(words(model, step("channel:new", [POST]))).toEqual([
      "channel:new read 11",
      "channel:new read_past 12",
      "channel:new can_remove_subscribers_group 1",
    ]);
    expect(words(model, making)).toEqual([]);
  });

  test("does not exist after the request was only tried", () => {
    const model = modelOf([creation("user_group:crew", { members: [EMAIL("ada")] })]);
    const makes = step("user_group:crew", ["members"]);
    expect(model.tried(makes, () => model.isIn("user_group:crew"))).toBe(true);
    expect(model.isIn("user_group:crew")).toBe(false);
  });

  test("is not created by a request about it, except by its creation", () => {
    const model = modelOf([update("channel:unknown", { [POST]: "role:everyone" }, 999)]);
    expect(words(model, step("channel:unknown", [POST]))).toEqual([]);
  });
});

describe("a bot that a plan creates", () => {
  const bot = (fields: Values) => creation("bot:new", fields);
  const made = step("bot:new", ["owner"]);

  test.each<{ fact: string; fields: Values; request: Step; opens: number }>([
    { fact: "counts from the request that creates it", fields: { owner: EMAIL("ada") }, request: made, opens: 1 },
    {
      fact: "does not count before it has its role",
      fields: { owner: EMAIL("ada"), role: "member" },
      request: made,
      opens: 0,
    },
    {
      fact: "counts once it has its role",
      fields: { owner: EMAIL("ada"), role: "member" },
      request: step("bot:new", ["role"]),
      opens: 1,
    },
  ])("$fact", ({ fields, request, opens }) => {
    // Everybody may post until the plan closes the channel. A bot that is created earlier could post.
    const model = modelOf([bot(fields), posting("role:nobody")], { channels: [{ name: "hall", [POST]: 14 }] });
    expect(words(model, request)).toEqual(opens === 0 ? [] : [`channel:hall can_send_message_group ${opens}`]);
  });
});

describe("a list that is changed in two halves", () => {
  const staff = [ADA, BEN, CHIARA, DMITRI, ELIF];
  const wanted = update("user_group:staff", { members: [EMAIL("ada"), EMAIL("hana"), EMAIL("jana")] }, 30);

  test.each<{ fact: string; is: Partial<Step>; members: readonly number[] }>([
    { fact: "the whole list", is: {}, members: [ADA, HANA] },
    { fact: "only some additions", is: { half: "adding", people: [JANA] }, members: staff },
  ])("$fact", ({ is, members }) => {
    // The members of the group are those who may post.
    const model = modelOf([wanted, posting("role:nobody")], postingIs(30));
    model.apply(step("user_group:staff", ["members"], is));
    const holders = new Set(members);
    const among = [...staff, 11, HANA].filter((id) => holders.has(id));
    const isMember = (id: number) => {
      const own = new RightsModel(
        [wanted, posting("role:nobody")],
        new Realm({ ...realmOf(postingIs(30)), account: { ...realmOf({}).account, user_id: id } }),
      );
      own.apply(step("user_group:staff", ["members"], is));
      return own.isIn("user_group:staff");
    };
    expect([...staff, 11, HANA].filter(isMember)).toEqual(among);
  });

  test("subgroups are handled in the same way", () => {
    const model = modelOf([update("user_group:engineering", { subgroups: ["staff"] }, 31)]);
    expect(model.isIn("user_group:engineering")).toBe(false);
    model.apply(step("user_group:engineering", ["subgroups"], { half: "adding" }));
    expect(model.isIn("user_group:engineering")).toBe(true);
    const both = modelOf([update("user_group:engineering", { subgroups: [] }, 31)], { account: EMAIL("chiara") });
    expect(both.isIn("user_group:engineering")).toBe(true);
    both.apply(step("user_group:engineering", ["subgroups"], { half: "adding" }));
    expect(both.isIn("user_group:engineering")).toBe(true);
    both.apply(step("user_group:engineering", ["subgroups"], { half: "removing" }));
    expect(both.isIn("user_group:engineering")).toBe(false);
  });
});

describe("rights of the account that runs this", () => {
  const as = (name: string, settings: Overlay["settings"] = {}) => modelOf([], { account: EMAIL(name), settings });
  test.each([
    { who: "dmitri", setting: "can_create_groups", value: 12, has: false },
    { who: "chiara", setting: "can_create_groups", value: 12, has: true },
    { who: "dmitri", setting: "can_do_what_no_reading_has", value: undefined, has: true },
  ])("$who has $setting: $has", ({ who, setting, value, has }) =>
    expect(as(who, value === undefined ? {} : { [setting]: value }).has(setting)).toBe(has),
  );

  test("nobody manages or is in a group that does not exist, except people who manage all groups", () => {
    const model = as("dmitri", { can_manage_all_groups: NOBODY });
    expect([model.manages("user_group:unknown"), model.isIn("user_group:unknown"), model.isIn("channel:hall")]).toEqual(
      [false, false, false],
    );
  });
});

describe("whether requests are about the same rights", () => {
  const changes = [
    posting("staff"),
    update("channel:den", { [POST]: "role:nobody" }, 102),
    update("user_group:staff", { members: [] }, 30),
    update("person:ben", { role: "member" }, BEN),
  ];
  const live: Overlay = { channels: [{ name: "hall", [POST]: NOBODY }, { name: "den" }] };
  const [hall, den, staff, ben]: readonly Step[] = [
    POSTING,
    step("channel:den", [POST]),
    step("user_group:staff", ["members"]),
    step("person:ben", ["role"]),
  ];
  const bot: Step = { parts: [], half: "whole", leaving: [CI_BOT] };

  test.each<{ fact: string; one: Step | undefined; other: Step | undefined; is: boolean }>([
    { fact: "two channels", one: hall, other: den, is: false },
    { fact: "any object and an account", one: den, other: ben, is: true },
    { fact: "two accounts", one: ben, other: bot, is: false },
    {
      fact: "a request about two objects, of which one is related",
      one: hall,
      other: { parts: [...(den?.parts ?? []), ...(staff?.parts ?? [])], half: "whole" },
      is: true,
    },
    {
      fact: "a request about an account and a channel",
      one: { parts: [...(den?.parts ?? []), ...(ben?.parts ?? [])], half: "whole" },
      other: hall,
      is: true,
    },
  ])("$fact: $is", ({ one, other, is }) => {
    if (one === undefined || other === undefined) throw new RangeError("no request");
    expect(modelOf(changes, live).entangledWith(one)(other)).toBe(is);
  });
});

describe("a request about accounts opens as much as trying it tells", () => {
  const changes = [
    update("channel:hall", { [POST]: "role:nobody" }, 101),
    update("channel:yard", { [POST]: "role:administrators" }, 102),
    update("user_group:staff", { members: [EMAIL("ada"), EMAIL("hana")] }, 30),
    update("person:ben", { role: "member" }, BEN),
    update("person:dmitri", { role: "moderator" }, DMITRI),
    update("person:chiara", { role: "administrator" }, CHIARA),
    update("person:elif", { deactivated: true }, ELIF),
    update("person:hana", { role: "guest", deactivated: true }, HANA),
    update("person:jana", { role: "member", deactivated: false }, JANA),
  ];
  const steps: readonly Step[] = [
    step("channel:hall", [POST]),
    step("channel:yard", [POST]),
    step("user_group:staff", ["members"]),
    step("person:ben", ["role"]),
    step("person:dmitri", ["role"]),
    step("person:chiara", ["role"]),
    step("person:elif", ["deactivated"]),
    step("person:hana", ["role"]),
    step("person:hana", ["deactivated"]),
    step("person:jana", ["deactivated"]),
    step("person:jana", ["role"]),
    step("person:jana", ["role", "deactivated"]),
    { ...step("person:ben", ["role"]), leaving: [CI_BOT] },
    { parts: [], half: "whole", leaving: [DEPLOY_BOT] },
    {
      ...step("person:ben", ["role"]),
      parts: [...step("person:ben", ["role"]).parts, ...step("person:dmitri", ["role"]).parts],
    },
  ];
  const live: Overlay = {
    channels: [
      { name: "hall", [POST]: "role:moderators" },
      { name: "yard", [POST]: "staff" },
    ],
    subscribers: { hall: [EMAIL("ada")], yard: [EMAIL("ada")] },
  };
  test.each([1, 2, 3, 5, 7, 11, 13])("whatever was sent before (order %i)", (stride) => {
    const model = modelOf(changes, live);
    const order = Array.from({ length: steps.length }, (_, at) => steps[(at * stride + stride) % steps.length]);
    let opening = 0;
    for (const next of order) {
      for (const tried of steps) {
        // No right of the account that runs the plan changes here.
        const isOpen = model.excessOfOthersAfter(tried) > 0;
        expect([tried, model.opens(tried)]).toEqual([tried, isOpen]);
        if (isOpen) opening += 1;
      }
      if (next !== undefined) model.apply(next);
    }
    expect(opening).toBeGreaterThan(0);
  });
});

describe("one look at all accounts answers for each of them", () => {
  // Only moderators may post, and nobody may after the plan: whoever becomes a moderator before that gains the right for a while.
  const closing = [
    posting("role:nobody"),
    update("person:ben", { role: "member" }, BEN),
    update("person:dmitri", { role: "moderator" }, DMITRI),
    update("person:elif", { deactivated: true }, ELIF),
    update("person:farah", { role: "moderator", deactivated: true }, FARAH),
    update("person:gustavo", { role: "moderator", deactivated: true }, GUSTAVO),
    update("person:hana", { role: "moderator" }, HANA),
    update("person:jana", { role: "moderator", deactivated: false }, JANA),
  ];
  const live = postingIs("role:moderators");
  const roleOf = (name: string) => step(`person:${name}`, ["role"]);
  const both = (name: string) => step(`person:${name}`, ["role", "deactivated"]);
  const activityOf = (name: string) => step(`person:${name}`, ["deactivated"]);

  /** How often the rights on an object are computed. */
  const looks = (model: RightsModel, measure: () => unknown): number => {
    const { looked } = model;
    measure();
    return model.looked - looked;
  };

  test.each<{ fact: string; request: Step; opens: boolean }>([
    { fact: "an administrator becomes a member", request: roleOf("ben"), opens: false },
    { fact: "somebody becomes a moderator, and is deactivated later", request: roleOf("farah"), opens: true },
    { fact: "somebody is reactivated, and becomes a moderator later", request: activityOf("jana"), opens: false },
    { fact: "a bot leaves ahead of its owner", request: { parts: [], half: "whole", leaving: [CI_BOT] }, opens: false },
  ])("$fact: $opens", ({ request, opens }) => {
    const model = modelOf(closing, live);
    expect([model.opens(request), model.excessAfter(request) > 0]).toEqual([opens, opens]);
    // The second time, nothing is computed, and the first time changed nothing.
    expect(looks(model, () => model.opens(request))).toBe(0);
    expect([model.opens(request), words(model, POSTING)]).toEqual([opens, []]);
  });

  test("the answers for others with the same fields are known then", () => {
    const model = modelOf(closing, live);
    for (const first of [roleOf("dmitri"), roleOf("farah"), activityOf("jana")])
      expect(looks(model, () => model.opens(first))).toBeGreaterThan(0);
    const others = [
      roleOf("ben"),
      roleOf("hana"),
      roleOf("gustavo"),
      both("jana"),
      activityOf("elif"),
      activityOf("jana"),
    ];
    for (const next of others) expect(looks(model, () => model.opens(next))).toBe(0);
    expect(looks(model, () => model.openedBy(roleOf("ben")))).toBe(0);
  });

  test("they stay known after a request about an account that opened nothing, and after one was only tried", () => {
    const model = modelOf(closing, live);
    model.opens(roleOf("dmitri"));
    model.tried(roleOf("hana"), () => undefined);
    expect(looks(model, () => model.apply(roleOf("ben")))).toBe(0);
    expect(looks(model, () => model.opens(roleOf("hana")))).toBe(0);
  });

  test.each<{ fact: string; sent: Step; request: Step; opens: boolean }>([
    { fact: "a channel was closed", sent: POSTING, request: roleOf("dmitri"), opens: false },
    {
      fact: "a channel was closed together with a change of an account",
      sent: { parts: [...POSTING.parts, ...roleOf("ben").parts], half: "whole" },
      request: roleOf("dmitri"),
      opens: false,
    },
    { fact: "somebody else already became a moderator", sent: roleOf("hana"), request: roleOf("ben"), opens: true },
    { fact: "several others became moderators", sent: both("jana"), request: roleOf("dmitri"), opens: true },
  ])("they are found again after $fact", ({ sent, request, opens }) => {
    const model = modelOf(closing, live);
    // Whatever was known before.
    for (const each of [roleOf("dmitri"), roleOf("farah"), request]) model.opens(each);
    model.apply(sent);
    expect([model.opens(request), model.excessAfter(request) > 0]).toEqual([opens, opens]);
  });

  test("a request about several accounts is tried", () => {
    const model = modelOf(closing, live);
    const several: Step = { parts: [...roleOf("ben").parts, ...roleOf("dmitri").parts], half: "whole" };
    expect([model.opens(roleOf("ben")), model.opens(several)]).toEqual([false, true]);
  });

  test("a plan that changes only accounts opens nothing", () => {
    const model = modelOf(closing.slice(1), live);
    expect(looks(model, () => model.opens(roleOf("dmitri")))).toBe(0);
    expect([model.opens(roleOf("dmitri")), model.excessAfter(both("jana"))]).toEqual([false, 0]);
  });

  test("only objects are looked at whose rights depend on the request, or on requests about other objects", () => {
    const others = [update("channel:den", { [POST]: "role:nobody" }, 102)];
    const model = modelOf([...closing, ...others], { channels: [...(live.channels ?? []), { name: "den" }] });
    expect(looks(model, () => model.excessAfter(POSTING))).toBe(1);
    expect(looks(model, () => model.excessOfOthersAfter(roleOf("dmitri")))).toBe(2);
  });
});

describe("whether the account that runs this reads a channel", () => {
  const live: Overlay = {
    channels: [{ name: "hall" }, { name: "den", invite_only: true }, { name: "nest", invite_only: true }],
    subscribers: { hall: [], den: [EMAIL("elif")], nest: [EMAIL("ada")] },
  };
  test.each<{ fact: string; address: Address; reads: boolean; more?: Overlay }>([
    { fact: "a private channel of other people", address: "channel:den", reads: false },
    { fact: "a private channel to which it is subscribed", address: "channel:nest", reads: true },
    {
      fact: "a private channel whose subscribers are unknown",
      address: "channel:den",
      reads: true,
      more: { subscribers: null },
    },
    { fact: "a channel that does not exist yet", address: "channel:unknown", reads: true },
    { fact: "an object that is not a channel", address: "user_group:staff", reads: true },
  ])("$fact: $reads", ({ address, reads, more = {} }) =>
    expect(modelOf([], { ...live, ...more }).reads(address)).toBe(reads),
  );
});

test("the account is not in a channel that has the name of its group", () => {
  const model = modelOf([], { channels: [{ name: "staff" }], subscribers: {} });
  expect([model.isIn("user_group:staff"), model.isIn("channel:staff")]).toEqual([true, false]);
});

test("a waiting period moves people whatever else its request changes", () => {
  const model = modelOf(
    [posting("role:fullmembers"), update("settings:organization", { waiting_period_threshold: "10d", name: "x" })],
    { ...postingIs(NOBODY), joined_days_ago: { [EMAIL("elif")]: 5 } },
  );
  const parts = [...POSTING.parts, ...step("settings:organization", ["waiting_period_threshold"]).parts];
  expect(model.excessAfter({ parts, half: "whole" })).toBe(0);
});
