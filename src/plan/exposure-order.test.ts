import { describe, expect, test, vi } from "vitest";
import { update as change, draft } from "../../test/support/changes.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { type DraftCall, exists, released, unlinked, written } from "../model/draft-call.ts";
import type { Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { saferOrder } from "./exposure.ts";
import { RightsModel } from "./exposure-rights.ts";

const [ADA, BEN, CHIARA, DMITRI, ELIF, HANA, CI_BOT] = [6, 7, 8, 9, 10, 13, 18];
const EMAIL = (name: string) => `${name}@acme.example`;
const NOBODY = 9;
const [POST, TOPIC, MENTION] = ["can_send_message_group", "can_create_topic_group", "can_mention_group"];

const members = (group: string, params: DraftCall["params"], more: Partial<DraftCall> = {}): DraftCall =>
  draft("update-user-group-members", `user_group:${group}`, ["members"], { params, ...more });
const channel = (name: string, fields = [POST], more: Partial<DraftCall> = {}): DraftCall =>
  draft("update-stream", `channel:${name}`, fields, more);
const other = channel("attic", ["description"]);

/** staff has Ada, Ben, Chiara, Dmitri and Elif; leads has Ben and Chiara. Nobody may post in hall and den. */
const live: Overlay = {
  channels: [{ name: "hall", [POST]: NOBODY, [TOPIC]: NOBODY }, { name: "den", [POST]: NOBODY }, { name: "attic" }],
};
/** The numbers of the drafts in the order of sending (a second half gets the next free number), and the drafts that each waits for. */
function sorted(
  drafts: readonly DraftCall[],
  changes: readonly Change[],
  {
    waits = {},
    over = live,
    order = drafts.map((_, index) => index),
  }: {
    readonly waits?: { readonly [index: number]: readonly number[] };
    readonly over?: Overlay;
    readonly order?: readonly number[];
  } = {},
) {
  const prerequisites = drafts.map((_, index) => waits[index] ?? []);
  return saferOrder(drafts, order, prerequisites, { changes, realm: new Realm(realmOf(over)) });
}

const staffShrinks = change("user_group:staff", { members: [EMAIL("ada")] });
const shrinks = members("staff", { delete: [BEN, CHIARA, DMITRI, ELIF] });
const hallToStaff = change("channel:hall", { [POST]: "staff" });
const denToLeads = change("channel:den", { [POST]: "leads" });
const leadsShrink = change("user_group:leads", { members: [EMAIL("ben")] });

/** The same staff, and Hana. */
const staffWithHana = change("user_group:staff", {
  members: ["ada", "ben", "chiara", "dmitri", "elif", "hana"].map(EMAIL),
});
/** Closes a channel, and opens its topics to whom Hana has joined. */
const closing = (name: string): DraftCall => ({
  ...channel(name, [POST, TOPIC]),
  parts: [channel(name, [POST]), channel(name, [TOPIC], { needs: [exists("person:hana")] })],
});
const closes = (name: string): Change => change(`channel:${name}`, { [POST]: "role:nobody", [TOPIC]: "staff" });
const hanaJoins = members("staff", { add: [HANA] }, { provides: [exists("person:hana")] });

const hallText = channel("hall", ["description"], { provides: [written("channel:hall")] });
const denOpens = channel("den", [POST], { provides: [written("channel:den")] });
const denToStaff = change("channel:den", { [POST]: "staff" });
/** The hall's text and the den's right in one request; the staff shrink only after the hall's text. */
const joint = jointly(hallText, denOpens);
const waiting = { ...shrinks, needs: [written("channel:hall")] };

/** One field of the hall, in the request for another. */
function rider(field: string): DraftCall {
  const params = { [field]: "x" };
  const mergeInto = { address: "channel:hall", params } as const;
  return channel("hall", [field], { params, provides: [written(`channel:${field}`)], mergeInto });
}
const riders = [rider("topics"), rider("description"), rider("folder")];
const hallWithRiders = channel("hall", [POST], {
  params: { [POST]: "staff", topics: "x", description: "x", folder: "x" },
  for: [{ address: "channel:hall", fields: [POST] }, ...riders.flatMap((each) => each.for)],
  provides: riders.flatMap(({ provides = [] }) => provides),
  riders,
});

/** One request for both, which can be sent as two. */
function jointly(hall: DraftCall, den: DraftCall): DraftCall {
  return {
    ...hall,
    for: [...hall.for, ...den.for],
    provides: [hall, den].flatMap(({ provides = [] }) => provides),
    parts: [hall, den],
  };
}

describe("requests that are safe", () => {
  test("keep the order that is given", () => {
    const found = sorted([members("staff", { add: [HANA] }), other], [change("user_group:staff", { members: [] })], {
      order: [1, 0],
    });
    expect([found.order, found.prerequisites, found.splits]).toEqual([[1, 0], [[], []], 0]);
  });

  test("are sent before unsafe ones, which then wait for the requests that make them safe, and for nothing else", () => {
    const found = sorted([channel("hall"), other, shrinks, channel("attic", ["topics"])], [hallToStaff, staffShrinks]);
    expect([found.order, found.prerequisites]).toEqual([
      [1, 2, 0, 3],
      [[2], [], [], []],
    ]);
    expect([found.drafts.length, found.splits]).toEqual([4, 0]);
  });

  test("keep their other dependencies", () => {
    const found = sorted([channel("hall"), other, shrinks], [hallToStaff, staffShrinks], { waits: { 0: [1] } });
    expect([found.order, found.prerequisites[0]]).toEqual([
      [1, 2, 0],
      [1, 2],
    ]);
  });

  test("do not wait for requests that were sent before they were examined", () => {
    const [first, rest] = [members("staff", { delete: [BEN] }), members("staff", { delete: [CHIARA, DMITRI, ELIF] })];
    const found = sorted([first, channel("hall"), rest], [hallToStaff, staffShrinks]);
    expect([found.order, found.prerequisites[1]]).toEqual([[0, 2, 1], [2]]);
  });

  test.each<{ readonly of: string; readonly closing: DraftCall; readonly changes: Change; readonly over: Overlay }>([
    {
      of: "a private channel that it leaves",
      closing: draft("unsubscribe", "channel:vault", ["subscribers"], { params: { principals: [CI_BOT] } }),
      changes: change("channel:vault", { subscribers: [EMAIL("ada")] }),
      over: {
        channels: [{ name: "vault", invite_only: true, can_subscribe_group: NOBODY }],
        subscribers: { vault: [EMAIL("ada"), "ci-bot@localhost"] },
      },
    },
    {
      of: "a group that it leaves",
      closing: members("leads", { delete: [CI_BOT] }),
      changes: change("user_group:leads", { members: [EMAIL("ben")] }),
      over: {
        channels: [{ name: "hall", [POST]: 32 }],
        user_groups: [{ name: "leads", id: 32, members: [EMAIL("ben"), "ci-bot@localhost"] }],
      },
    },
    {
      of: "a channel that named it",
      closing: channel("hall"),
      changes: change("channel:hall", { [POST]: "role:nobody" }),
      over: { channels: [{ name: "hall", [POST]: { direct_members: [CI_BOT], direct_subgroups: [] } }] },
    },
  ])("a bot gets its new owner after the request about $of", ({ closing, changes, over }) => {
    const given = draft("update-bot", "bot:ci-bot", ["owner"]);
    const owner = change("bot:ci-bot", { owner: EMAIL("hana") }, CI_BOT);
    const found = sorted([given, closing], [changes, owner], { over });
    expect([found.order, found.prerequisites]).toEqual([
      [1, 0],
      [[1], []],
    ]);
  });

  const settingOf = (group: string, setting: string): DraftCall =>
    draft("update-user-group", `user_group:${group}`, [setting], { params: { [setting]: { new: 14 } } });
  const admits = { name: "vault", invite_only: true, can_subscribe_group: 31, can_add_subscribers_group: NOBODY };
  const [ENTER, ADMINISTER] = ["can_subscribe_group", "can_administer_channel_group"];
  const vaultCloses = change("channel:vault", { [ENTER]: "role:nobody" });
  const crew = (more: object = {}) => ({
    channels: [admits],
    user_groups: [
      { name: "leads", id: 32, members: [EMAIL("elif")], can_join_group: NOBODY },
      { name: "crew", id: 31, members: [EMAIL("ben")], can_join_group: NOBODY, can_manage_group: NOBODY, ...more },
    ],
  });
  test.each<{
    readonly what: string;
    readonly sent: readonly DraftCall[];
    readonly changes: readonly Change[];
    readonly over: Overlay;
  }>([
    ...["can_join_group", "can_add_members_group", "can_manage_group"].map((setting) => ({
      what: `a group that a private channel admits gets ${setting}`,
      sent: [settingOf("crew", setting), channel("vault", [ENTER])],
      changes: [change("user_group:crew", { [setting]: "role:members" }), vaultCloses],
      over: crew(),
    })),
    {
      what: "all groups can be managed by everybody",
      sent: [
        draft("update-realm", "settings:organization", ["can_manage_all_groups"], {
          params: { can_manage_all_groups: { new: 14 } },
        }),
        channel("vault", [ENTER]),
      ],
      changes: [change("settings:organization", { can_manage_all_groups: "role:members" }), vaultCloses],
      over: crew(),
    },
    {
      what: "a group that administers a channel can be joined",
      sent: [settingOf("crew", "can_join_group"), channel("vault", [ADMINISTER])],
      changes: [
        change("user_group:crew", { can_join_group: "role:members" }),
        change("channel:vault", { [ADMINISTER]: "role:owners" }),
      ],
      over: { ...crew(), channels: [{ ...admits, [ENTER]: NOBODY, [ADMINISTER]: 31 }] },
    },
    {
      what: "somebody comes into a group that administers a channel",
      sent: [members("crew", { add: [HANA] }), channel("vault", [ADMINISTER])],
      changes: [
        change("user_group:crew", { members: [EMAIL("ben"), EMAIL("hana")] }),
        change("channel:vault", { [ADMINISTER]: "role:owners" }),
      ],
      over: { ...crew(), channels: [{ ...admits, [ENTER]: NOBODY, [ADMINISTER]: 31 }] },
    },
    {
      what: "somebody comes into a group that may join the one that a channel admits",
      sent: [members("leads", { add: [HANA] }), channel("vault", [ENTER])],
      changes: [change("user_group:leads", { members: [EMAIL("elif"), EMAIL("hana")] }), vaultCloses],
      over: crew({ can_join_group: 32 }),
    },
    {
      what: "a subgroup can be joined that leaves",
      sent: [
        settingOf("leads", "can_join_group"),
        members("crew", { delete_subgroups: [32] }, { for: [{ address: "user_group:crew", fields: ["subgroups"] }] }),
      ],
      changes: [
        change("user_group:leads", { can_join_group: "role:members" }),
        change("user_group:crew", { subgroups: [] }),
      ],
      over: crew({ direct_subgroup_ids: [32] }),
    },
    {
      what: "a channel admits a group that everybody could manage",
      sent: [
        channel("vault", [ENTER]),
        draft("update-realm", "settings:organization", ["can_manage_all_groups"], {
          params: { can_manage_all_groups: { new: 10 } },
        }),
      ],
      changes: [
        change("settings:organization", { can_manage_all_groups: "role:owners" }),
        change("channel:vault", { [ENTER]: "crew" }),
      ],
      over: { ...crew(), channels: [{ ...admits, [ENTER]: NOBODY }], settings: { can_manage_all_groups: 14 } },
    },
  ])("what lets people into a group is sent after what closes the channel: $what", ({ sent, changes, over }) => {
    const found = sorted(sent, changes, { over });
    expect([found.order, found.prerequisites]).toEqual([
      [1, 0],
      [[1], []],
    ]);
  });

  test("are examined again only after a related request", () => {
    // The request that removes people from leads makes the den safe, and the one for staff makes the hall safe.
    const leads = members("leads", { delete: [CHIARA] });
    const found = sorted(
      [channel("hall"), channel("den"), leads, shrinks],
      [hallToStaff, denToLeads, leadsShrink, staffShrinks],
    );
    expect([found.order, found.prerequisites]).toEqual([
      [2, 1, 3, 0],
      [[3], [2], [], []],
    ]);
  });

  test("are sent last if people join through them", () => {
    const invite = draft("send-invites", "invite:x", []);
    const found = sorted([invite, shrinks, channel("hall")], [hallToStaff, staffShrinks]);
    expect(found.order).toEqual([1, 2, 0]);
  });

  test("are sent earlier, although people join through them, if other requests need them", () => {
    const invite = draft("send-invites", "invite:x", []);
    expect(sorted([shrinks, invite, other], [staffShrinks], { waits: { 2: [1] } }).order).toEqual([0, 1, 2]);
  });

  test("are sent in the given order if none changes memberships", () => {
    const drafts = [channel("hall"), channel("den")];
    const found = sorted(drafts, [hallToStaff, denToLeads], { order: [1, 0] });
    expect([found.order, found.drafts === drafts]).toEqual([[1, 0], true]);
  });
});

describe("if no order is safe", () => {
  // Each group may shrink only after the channel that names it is changed.
  const waits = { 2: [0], 3: [1] };
  const leads = members("leads", { delete: [CHIARA] });

  test("the request that opens the least is sent first", () => {
    const changes = [hallToStaff, denToLeads, leadsShrink, staffShrinks];
    const found = sorted([channel("hall"), channel("den"), shrinks, leads], changes, { waits });
    expect(found.order).toEqual([1, 3, 0, 2]);
  });

  test("of two that open the same amount, the first given is sent first", () => {
    const found = sorted([channel("hall"), channel("den"), shrinks], [hallToStaff, denToStaff, staffShrinks], {
      waits: { 2: [0, 1] },
      order: [1, 0, 2],
    });
    expect(found.order).toEqual([1, 0, 2]);
  });

  test("a safe request is sent before one that should come earlier", () => {
    const provides = [written("channel:hall")];
    const first = channel("hall", [POST], { provides });
    const wishes = { ...shrinks, softNeeds: [written("channel:hall")] };
    const soft = sorted([first, wishes], [hallToStaff, staffShrinks], { waits: { 1: [0] } });
    expect([soft.order, soft.prerequisites]).toEqual([
      [1, 0],
      [[1], []],
    ]);
    const must = { ...wishes, needs: [written("channel:hall")] };
    expect(sorted([first, must], [hallToStaff, staffShrinks], { waits: { 1: [0] } }).order).toEqual([0, 1]);
    const needsMore = { ...wishes, needs: [exists("channel:hall")] };
    const both = channel("hall", [POST], { provides: [...provides, exists("channel:hall")] });
    expect(sorted([both, needsMore], [hallToStaff, staffShrinks], { waits: { 1: [0] } }).order).toEqual([0, 1]);
  });

  test("a request that should come last still comes last", () => {
    const provides = [written("channel:hall")];
    const invite = draft("send-invites", "invite:x", [], { softNeeds: provides });
    const found = sorted([channel("hall", [POST], { provides }), invite, shrinks], [hallToStaff, staffShrinks], {
      waits: { 1: [0], 2: [0] },
    });
    expect(found.order).toEqual([0, 2, 1]);
  });

  test("a safe request still waits for its hard dependencies", () => {
    const first = channel("hall", [POST], { provides: [written("channel:hall"), exists("channel:hall")] });
    const wishes = { ...shrinks, softNeeds: [written("channel:hall")] };
    const changes = [hallToStaff, staffShrinks];
    const found = sorted([first, wishes, other], changes, { waits: { 1: [0, 2] } });
    expect([found.order, found.prerequisites[1]]).toEqual([[2, 1, 0], [2]]);
    // It waits for a request that itself waits.
    const chained = sorted([first, wishes, other], changes, { waits: { 1: [0, 2], 2: [0] } });
    expect(chained.order).toEqual([0, 2, 1]);
  });
});

describe("a request that is split into two", () => {
  const changesOf = [
    change("user_group:staff", { members: [EMAIL("ada"), EMAIL("hana")] }),
    change("channel:hall", { [POST]: "role:nobody", [TOPIC]: "staff" }),
  ];
  const over: Overlay = {
    channels: [{ name: "hall", [POST]: 30, [TOPIC]: NOBODY }, { name: "attic" }],
  };
  const exchange = members("staff", { add: [HANA], delete: [BEN, CHIARA, DMITRI, ELIF] });
  const both = channel("hall", [POST, TOPIC]);

  test("removes people from a group before it adds others", () => {
    const found = sorted([other, exchange, both], changesOf, { over });
    expect([found.order, found.splits]).toEqual([[0, 1, 2, 3], 1]);
    expect([found.drafts[1]?.params, found.drafts[3]?.params]).toEqual([
      { delete: [BEN, CHIARA, DMITRI, ELIF] },
      { add: [HANA] },
    ]);
    expect(found.prerequisites[3]).toEqual(expect.arrayContaining([1, 2]));
    expect(found.prerequisites[2]).toEqual([1]);
  });

  test("is split once the dependencies of its first half were sent", () => {
    const found = sorted([other, exchange, both], changesOf, { over, waits: { 1: [0] } });
    expect([found.order, found.splits]).toEqual([[0, 1, 2, 3], 1]);
  });

  test("is not split while its first half waits for a request that is not sent", () => {
    const found = sorted([exchange, both], changesOf, { over, waits: { 0: [1] } });
    expect([found.order, found.splits]).toEqual([[1, 0], 0]);
  });

  test("sends first the part that another request waits for", () => {
    // The group may shrink only after the hall is changed. The den is in the same request as the hall and must not be opened earlier.
    const found = sorted([joint, waiting], [denToStaff, staffShrinks], { waits: { 1: [0] } });
    expect([found.order, found.splits]).toEqual([[0, 1, 2], 1]);
    expect(found.drafts.map((each) => each.for.map(({ address }) => address))).toEqual([
      ["channel:hall"],
      ["user_group:staff"],
      ["channel:den"],
    ]);
    expect([found.prerequisites[1], found.prerequisites[2]]).toEqual([[0], [0, 1]]);
    // It also waits for the den, so a split gains nothing.
    const both = { ...shrinks, needs: [written("channel:hall"), written("channel:den")] };
    expect(sorted([joint, both], [denToStaff, staffShrinks], { waits: { 1: [0] } }).splits).toBe(0);
    // It waits for something else that is not sent either.
    const blocked = sorted(
      [joint, waiting, channel("attic", [POST])],
      [denToStaff, staffShrinks, change("channel:attic", { [POST]: "role:nobody" })],
      {
        waits: { 1: [0, 2], 2: [0] },
      },
    );
    expect(blocked.splits).toBe(1);
  });

  describe("together with others", () => {
    const opening = (name: string, other: string) =>
      jointly(
        channel(name, ["description"], { provides: [written(`channel:${name}`)] }),
        channel(other, [POST], { provides: [written(`channel:${other}`)] }),
      );
    const channels = ["hall", "attic", "cellar", "den", "yard", "lobby"].map((name) => ({ name, [POST]: NOBODY }));
    const changes = ["den", "yard", "lobby"].map((name) => change(`channel:${name}`, { [POST]: "staff" }));

    test("if one request waits for parts of all of them; no others are split", () => {
      const waiting = { ...shrinks, needs: [written("channel:hall"), written("channel:attic")] };
      const found = sorted(
        [opening("hall", "den"), opening("attic", "yard"), opening("cellar", "lobby"), waiting],
        [...changes, staffShrinks],
        { waits: { 3: [0, 1] }, over: { channels } },
      );
      expect([found.order, found.splits]).toEqual([[0, 1, 3, 4, 5, 2], 2]);
      expect(found.prerequisites.slice(3)).toEqual([
        [0, 1],
        [0, 3],
        [1, 3],
      ]);
    });

    test("not if the request still waits for what is left of one of them", () => {
      const needs = [written("channel:hall"), written("channel:attic"), written("channel:yard")];
      const found = sorted(
        [opening("hall", "den"), opening("attic", "yard"), { ...shrinks, needs }],
        [...changes, staffShrinks],
        { waits: { 2: [0, 1] }, over: { channels } },
      );
      expect(found.splits).toBe(0);
    });

    test("if all of them have to close something before one request, which what they open waits for", () => {
      const open = { [POST]: 30, [TOPIC]: NOBODY };
      const found = sorted(
        [closing("hall"), closing("den"), hanaJoins],
        [closes("hall"), closes("den"), staffWithHana],
        {
          waits: { 0: [2], 1: [2] },
          over: { channels: ["hall", "den"].map((name) => ({ name, ...open })) },
        },
      );
      expect([found.order, found.splits]).toEqual([[0, 1, 2, 3, 4], 2]);
    });

    test("requests that open nothing are not split with them, whatever was sent before", () => {
      const later = { needs: [exists("person:hana")] };
      const parted = (name: string, first: readonly string[]): DraftCall => ({
        ...channel(name, [...first, TOPIC]),
        parts: [channel(name, [...first]), channel(name, [TOPIC], later)],
      });
      const idle = ["attic", "yard"].map((name) => parted(name, ["description"]));
      const joins = members("staff", { add: [HANA], delete: [ELIF] }, { provides: [exists("person:hana")] });
      const stay = ["ada", "ben", "chiara", "dmitri", "hana"].map(EMAIL);
      const drafts = [
        ...idle,
        parted("hall", [POST]),
        parted("den", [POST]),
        channel("cellar", ["description"]),
        joins,
      ];
      const found = sorted(
        drafts,
        [
          ...["attic", "yard"].map((name) => change(`channel:${name}`, { description: "x", [TOPIC]: "staff" })),
          ...["hall", "den"].map(closes),
          change("user_group:staff", { members: stay }),
        ],
        {
          waits: { 0: [5], 1: [5], 2: [5], 3: [5], 5: [4] },
          over: {
            channels: ["attic", "yard", "cellar", "hall", "den"].map((name) => ({
              name,
              [POST]: name === "hall" || name === "den" ? 30 : NOBODY,
              [TOPIC]: NOBODY,
            })),
          },
        },
      );
      expect([found.order, found.splits]).toEqual([[4, 2, 3, 5, 0, 1, 6, 7], 2]);
    });
  });

  test("not if the search takes too long: a request that is tried can change the rights on hundreds of channels", () => {
    const names = Array.from({ length: 450 }, (_, at) => `c${at}`);
    const tried = vi.spyOn(RightsModel.prototype, "excessOfOthersAfter");
    sorted([...names.map(closing), hanaJoins], [...names.map(closes), staffWithHana], {
      waits: Object.fromEntries(names.map((_, at) => [at, [names.length]])),
      over: { channels: names.map((name) => ({ name, [POST]: 30, [TOPIC]: NOBODY })) },
    });
    expect(tried.mock.calls.length * names.length).toBeLessThan(150_000);
    tried.mockRestore();
  });

  describe("a split happens only if it helps", () => {
    const changes = [denToStaff, change("channel:attic", { [POST]: "staff" }), staffShrinks];
    const attic = channel("attic", [POST]);
    const over: Overlay = { channels: [...(live.channels ?? []).slice(0, 2), { name: "attic", [POST]: NOBODY }] };

    test.each<{
      fact: string;
      drafts: readonly DraftCall[];
      waits: { readonly [index: number]: readonly number[] };
      order: readonly number[];
    }>([
      {
        fact: "another dependency of the waiting request was already sent",
        drafts: [joint, waiting, other],
        waits: { 1: [0, 2] },
        order: [2, 0, 1, 3],
      },
      {
        fact: "not if the waiting request depends on another unsafe request",
        drafts: [joint, waiting, attic],
        waits: { 1: [0, 2] },
        order: [0, 2, 1],
      },
      {
        fact: "not if the request that could be sent next is unsafe",
        drafts: [joint, { ...attic, needs: [written("channel:hall")] }, shrinks],
        waits: { 1: [0], 2: [1] },
        order: [0, 1, 2],
      },
      {
        fact: "not before the dependencies of the part",
        drafts: [
          { ...joint, parts: [{ ...hallText, needs: [released("bot:x")] }, denOpens] },
          waiting,
          { ...attic, provides: [released("bot:x")] },
        ],
        waits: { 0: [2], 1: [0] },
        order: [2, 0, 1, 3],
      },
      {
        fact: "not if people can join through every request that could be sent next",
        drafts: [joint, draft("send-invites", "invite:x", [], { needs: [written("channel:hall")] }), shrinks],
        waits: { 1: [0], 2: [1] },
        order: [0, 1, 2],
      },
      {
        fact: "not by a part through which people can join",
        drafts: [
          { ...joint, parts: [{ ...hallText, operation: "send-invites" }, denOpens] },
          { ...other, needs: [written("channel:hall")] },
          shrinks,
        ],
        waits: { 1: [0], 2: [1] },
        order: [0, 1, 2],
      },
    ])("$fact", ({ drafts, waits, order }) => {
      const found = sorted(drafts, changes, { waits, over });
      expect([found.order, found.splits]).toEqual([order, order.length - drafts.length]);
    });

    test("a request is split into as many parts as needed", () => {
      const needs = [written("channel:topics"), written("channel:description")];
      const found = sorted([other, hallWithRiders, { ...shrinks, needs }], [hallToStaff, staffShrinks], {
        waits: { 2: [1] },
      });
      expect([found.order, found.splits]).toEqual([[0, 1, 3, 2, 4], 2]);
      expect(found.order.map((index) => Object.keys(found.drafts[index]?.params ?? {}))).toEqual([
        [],
        ["topics"],
        ["description"],
        ["delete"],
        [POST, "folder"],
      ]);
    });

    test("the rest of a request keeps its position, however many parts are separated", () => {
      const last = { ...shrinks, needs: hallWithRiders.provides ?? [] };
      const before = channel("den");
      const found = sorted([before, hallWithRiders, last], [hallToStaff, denToStaff, staffShrinks], {
        waits: { 2: [1] },
      });
      // The den was given before the rest of the hall, and both had to wait.
      expect([found.order, found.splits]).toEqual([[1, 3, 4, 2, 0, 5], 3]);
    });

    test("no other request is split with it", () => {
      // New members of leads may post in the yard until it is closed, and closing it opens its topics to staff.
      const leadsChange = change("user_group:leads", { members: [EMAIL("ben"), EMAIL("hana")] });
      const exchange = members("leads", { add: [HANA], delete: [CHIARA] });
      const found = sorted(
        [joint, waiting, exchange, channel("yard", [POST, TOPIC])],
        [denToStaff, staffShrinks, closes("yard"), leadsChange],
        {
          waits: { 1: [0] },
          over: { channels: [...(live.channels ?? []), { name: "yard", [POST]: 32, [TOPIC]: NOBODY }] },
        },
      );
      expect([found.order, found.splits]).toEqual([[0, 1, 4, 3, 2], 1]);
    });

    test("a request is not split by a part that waits for an unsafe request", () => {
      // The request that removes the bot also opens the attic to staff. The staff leave only in the first half of the last request.
      const exchange = members("staff", { add: [HANA], delete: [BEN, CHIARA, DMITRI, ELIF] });
      const found = sorted(
        [
          { ...joint, parts: [{ ...hallText, needs: [released("bot:x")] }, denOpens] },
          channel("lobby", ["description"], { needs: [written("channel:hall")] }),
          { ...attic, provides: [released("bot:x")] },
          exchange,
          channel("yard", [POST, TOPIC]),
        ],
        [
          ...changes.slice(0, 2),
          change("user_group:staff", { members: [EMAIL("ada"), EMAIL("hana")] }),
          closes("yard"),
        ],
        {
          waits: { 0: [2], 1: [0] },
          over: {
            channels: [...(over.channels ?? []), { name: "yard", [POST]: 30, [TOPIC]: NOBODY }, { name: "lobby" }],
          },
        },
      );
      expect([found.order, found.splits]).toEqual([[3, 2, 0, 1, 4, 5], 1]);
    });
  });

  test("a part that waits for another request is not sent", () => {
    const later = jointly({ ...hallText, needs: [released("bot:x")] }, denOpens);
    const lets = channel("attic", ["topics"], {
      provides: [released("bot:x")],
      needs: [unlinked("user_group:staff", "x")],
    });
    const found = sorted([later, waiting, lets], [denToStaff, staffShrinks], { waits: { 0: [2], 1: [0], 2: [] } });
    // Its dependency is sent first; then it is split.
    expect([found.order, found.splits]).toEqual([[2, 0, 1, 3], 1]);
  });
});

describe("rights of the account that runs this", () => {
  const own = (more: Overlay = {}): Overlay => ({
    account: EMAIL("dmitri"),
    settings: { can_manage_all_groups: NOBODY },
    channels: [{ name: "attic" }],
    user_groups: [
      { name: "staff", members: [EMAIL("dmitri"), EMAIL("elif")], can_manage_group: NOBODY },
      { name: "crew", members: [], can_manage_group: "staff", can_mention_group: NOBODY },
      { name: "club", members: [EMAIL("dmitri"), EMAIL("elif")], can_manage_group: "club", subgroups: ["crew"] },
    ],
    ...more,
  });
  const empty = change("user_group:staff", { members: [] });
  const crew = (fields: readonly string[], more: Partial<DraftCall> = {}) =>
    draft("update-user-group", "user_group:crew", fields, more);

  test("are given up after the requests that need them", () => {
    const found = sorted([members("staff", { delete: [DMITRI] }), other, crew(["description"])], [empty], {
      over: own(),
    });
    expect(found.order).toEqual([1, 2, 0]);
  });

  test("may be given up if no request needs them", () => {
    expect(sorted([members("staff", { delete: [DMITRI] }), other], [empty], { over: own() }).order).toEqual([0, 1]);
    const done = sorted(
      [crew(["can_manage_group"]), other, members("staff", { add: [HANA] })],
      [change("user_group:crew", { can_manage_group: "role:nobody" })],
      { over: own() },
    );
    expect(done.order).toEqual([0, 1, 2]);
  });

  test("on one group are given up after all requests about it", () => {
    const nobody = change("user_group:crew", { can_manage_group: "role:nobody" });
    const found = sorted([crew(["can_manage_group"]), other, members("crew", { add: [HANA] })], [nobody], {
      over: own(),
    });
    expect(found.order).toEqual([1, 2, 0]);
    const second = sorted([members("crew", { add: [HANA] }), crew(["can_manage_group"]), other], [nobody], {
      over: own(),
    });
    expect(second.order).toEqual([0, 1, 2]);
  });

  test("are given up in a separate request if the others must leave earlier", () => {
    const mention = change("user_group:crew", { [MENTION]: "staff" });
    const found = sorted([members("staff", { delete: [DMITRI, ELIF] }), crew([MENTION])], [empty, mention], {
      over: own(),
    });
    expect([found.order, found.splits]).toEqual([[0, 1, 2], 1]);
    expect([found.drafts[0]?.params, found.drafts[2]?.params]).toEqual([{ delete: [ELIF] }, { delete: [DMITRI] }]);
    expect(found.prerequisites[2]).toContain(0);
  });

  test("are given up after the other parts of the same request", () => {
    const club = members(
      "club",
      { delete: [DMITRI], delete_subgroups: [31] },
      { for: [{ address: "user_group:club", fields: ["members", "subgroups"] }] },
    );
    const changes = [change("user_group:club", { members: [EMAIL("elif")], subgroups: [] })];
    const found = sorted([club], changes, { over: own() });
    expect([found.order, found.splits]).toEqual([[0, 1], 1]);
    expect(found.drafts.map(({ params }) => params)).toEqual([{ delete_subgroups: [31] }, { delete: [DMITRI] }]);
    expect(found.prerequisites).toEqual([[], [0]]);
  });

  test("are given up in the same request if a separate request would help nobody", () => {
    // The club may mention the crew, and gets smaller later. This does not become safer after Elif leaves staff.
    const found = sorted(
      [
        members("staff", { delete: [DMITRI, ELIF] }),
        crew([MENTION]),
        members("club", { delete: [ELIF] }, { needs: [written("user_group:crew")] }),
      ],
      [
        empty,
        change("user_group:crew", { [MENTION]: "club" }),
        change("user_group:club", { members: [EMAIL("dmitri")], subgroups: ["crew"] }),
      ],
      { over: own(), waits: { 2: [1] } },
    );
    expect([found.order, found.splits]).toEqual([[1, 2, 0], 0]);
  });

  test("are given up in the same request as long as that request cannot be sent anyway", () => {
    const mention = change("user_group:crew", { [MENTION]: "staff" });
    const posting = change("channel:attic", { [POST]: "staff" });
    const found = sorted(
      [members("staff", { delete: [DMITRI, ELIF] }), crew([MENTION]), channel("attic")],
      [empty, mention, posting],
      { over: own({ channels: [{ name: "attic", [POST]: NOBODY }] }), waits: { 0: [2] } },
    );
    expect([found.order, found.splits]).toEqual([[1, 2, 0], 0]);
  });

  test("are not given up after the addition of people who may do too much", () => {
    // New members of the club may post in the yard until it is closed. Dmitri manages the club only as its member.
    const club = members(
      "club",
      { add: [HANA], delete: [DMITRI], delete_subgroups: [31] },
      { for: [{ address: "user_group:club", fields: ["members", "subgroups"] }] },
    );
    const changes = [
      change("user_group:club", { members: [EMAIL("elif"), EMAIL("hana")], subgroups: [] }),
      change("channel:yard", { [POST]: "role:nobody", [TOPIC]: "club" }),
    ];
    const found = sorted([club, channel("yard", [POST, TOPIC])], changes, {
      over: own({ channels: [{ name: "yard", [POST]: 32, [TOPIC]: NOBODY }] }),
    });
    expect(found.order.map((index) => found.drafts[index]?.params)).toEqual([
      { delete_subgroups: [31] },
      {},
      { delete: [DMITRI] },
      { add: [HANA] },
    ]);
  });

  test("are kept as long as possible, even if this opens something", () => {
    // Each of the two must come before the other. The server would refuse the second one, so the one that opens something is sent first.
    const crewMention = change("user_group:crew", { [MENTION]: "staff" });
    const found = sorted(
      [members("staff", { delete: [DMITRI] }), crew([MENTION])],
      [change("user_group:staff", { members: [EMAIL("elif")] }), crewMention],
      { over: own() },
    );
    expect(found.order).toEqual([1, 0]);
  });
});

test("the ids in these tests are those of the people", () => {
  const realm = new Realm(realmOf({}));
  expect([ADA, BEN, CHIARA, DMITRI, ELIF, HANA].map((id) => realm.userName(id))).toEqual(
    ["ada", "ben", "chiara", "dmitri", "elif", "hana"].map(EMAIL),
  );
});
