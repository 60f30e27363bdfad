import { describe, expect, test } from "vitest";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { crew, hall, strictState, wordsOf } from "../../test/support/strict-organization.ts";
import { type GroupValue, Realm } from "../model/realm.ts";
import {
  channelCalled,
  isReading,
  objectAnswer,
  peopleAlsoCalled,
  peopleCalled,
  personAnswer,
  type Question,
  questionOf,
  restrictedTo,
  rightsAsked,
  type Shift,
  shiftsIn,
  targetsOf,
} from "./answers.ts";
import { AccessDifference, webShiftsBetween } from "./difference.ts";
import { pathsOf, type Target } from "./grants.ts";
import { hasNamesake } from "./people.ts";
import { type AccessState, stateOf } from "./state.ts";
import { RIGHTS, rightsCalled, rightWords, wordOf } from "./words.ts";

const [ADA, DMITRI, ELIF, FARAH, HANA, IVO, CI_BOT] = [6, 9, 10, 11, 13, 14, 18];
const nameOf = (target: Target) => (target === "organization" ? target : `${target.kind} ${target.name}`);
const stateFrom = (overlay: Overlay) => stateOf(new Realm(realmOf(overlay)));
const right = (scope: string, word: string) => {
  const found = RIGHTS.find((each) => each.scope === scope && each.word === word);
  if (found === undefined) throw new RangeError(`no right to ${word}`);
  return found;
};
const [POST, READ, MENTION, MANAGE_ALL] = [
  right("channel", "post"),
  right("channel", "read"),
  right("user_group", "mention"),
  right("organization", "manage all groups"),
];
const ATTIC: Overlay = { channels: [{ name: "hall" }, { name: "attic", is_archived: true }] };

test.each([
  { scope: "organization", targets: ["organization"] },
  { scope: "channel", targets: ["channel hall", "channel attic"] },
  { scope: "user_group", targets: ["user_group staff", "user_group engineering", "user_group leads"] },
] as const)(
  "rights on $scope are held on $targets: deactivated groups and the groups of roles are left out",
  ({ scope, targets }) => expect(targetsOf(stateFrom(ATTIC), scope).map(nameOf)).toEqual(targets),
);

test("rights can only be asked for if the scope has them", () => {
  expect(rightsAsked(stateFrom(ATTIC), ["organization"], [POST, MANAGE_ALL])).toEqual([MANAGE_ALL]);
  expect(rightsAsked(stateFrom(ATTIC), ["user_group"], undefined).map(({ word }) => word)).toEqual([
    "join",
    "leave",
    "manage",
    "add members",
    "remove members",
    "mention",
  ]);
});

test("an object's answer has the holders of each right that the server has", () => {
  const target = hall({ can_send_message_group: ["dmitri", "ivo"] });
  const answer = objectAnswer(strictState, target, [READ, POST, MENTION, right("channel", "start topics")]);
  expect(answer.map((standing) => [standing.right, wordsOf(standing.holders.people)])).toEqual([
    ["read", ["members"]],
    ["can_send_message_group", ["ci-bot", "dmitri"]],
  ]);
});

describe("what one person may do", () => {
  const state = stateFrom({
    channels: [{ name: "hall" }, { name: "board", invite_only: true, can_subscribe_group: "leads" }],
    subscribers: null,
    settings: { can_manage_all_groups: { direct_members: [DMITRI], direct_subgroups: [] } },
  });
  const answer = (id: number, asked = [READ, MENTION, MANAGE_ALL]) =>
    personAnswer(state, id, asked).map(({ right: { word }, may, mayNot }) => ({
      word,
      may: may.map(({ target, bound }) => nameOf(target) + (bound === undefined ? "" : ` at ${bound}`)),
      mayNot: mayNot.map(nameOf),
    }));
  const groups = ["user_group staff", "user_group engineering", "user_group leads"];

  test.each([
    { who: "a member", id: DMITRI, read: ["channel hall"], not: ["channel board"], manages: true },
    {
      who: "somebody who is in a group that a setting names",
      id: 8,
      read: ["channel hall", "channel board"],
      not: [],
      manages: false,
    },
    { who: "a bot, by itself", id: CI_BOT, read: ["channel hall"], not: ["channel board"], manages: false },
    { who: "a guest", id: IVO, read: [], not: ["channel hall", "channel board"], manages: false },
  ])("$who", ({ id, read, not, manages }) =>
    expect(answer(id)).toEqual([
      { word: "read", may: read, mayNot: not },
      { word: "mention", may: groups, mayNot: [] },
      { word: "manage all groups", may: manages ? ["organization"] : [], mayNot: manages ? [] : ["organization"] },
    ]),
  );

  test("the answer says why", () => {
    const [first] = personAnswer(state, DMITRI, [MANAGE_ALL]);
    expect(first?.may[0]?.paths.map(({ via }) => via)).toEqual(["setting"]);
    expect(pathsOf(state, "organization", "can_manage_all_groups", ELIF)).toEqual([]);
  });

  test("rights on objects whose setting the server does not have are left out", () => {
    const bare = strictState.copy();
    bare.put(hall({}));
    expect(personAnswer(bare, ELIF, [POST])).toEqual([]);
  });

  test("an archived channel is in the answer for the rights that it still gives, and is nothing that somebody lacks", () => {
    const old = { name: "old", invite_only: true, is_archived: true, can_administer_channel_group: 14 };
    const archived = stateFrom({ channels: [{ name: "hall" }, old], subscribers: { old: ["ci-bot@localhost"] } });
    const asked = [READ, POST, right("channel", "administer")];
    const found = (id: number) =>
      personAnswer(archived, id, asked).map(({ may, mayNot }) => [
        may.map(({ target }) => nameOf(target)),
        mayNot.map(nameOf),
      ]);
    // The owner of a subscribed bot reads with its key.
    const owner = archived.account(CI_BOT)?.owner ?? -1;
    expect(found(owner)).toEqual([
      [["channel hall", "channel old"], []],
      [["channel hall"], []],
      [["channel old"], ["channel hall"]],
    ]);
    expect(found(IVO)).toEqual([
      [[], ["channel hall"]],
      [[], ["channel hall"]],
      [[], ["channel hall"]],
    ]);
  });

  test("the answer is a maximum if the subscribers of a private channel were not read", () => {
    const posters = { direct_members: [ELIF], direct_subgroups: [] };
    const board = { name: "board", invite_only: true, can_send_message_group: posters };
    const unread = stateFrom({ channels: [board], subscribers: null });
    const [removes] = personAnswer(unread, IVO, [right("channel", "remove subscribers"), POST]);
    expect(removes?.mayNot.map(nameOf)).toEqual(["channel board"]);
    const [posts] = personAnswer(unread, ELIF, [POST]);
    expect(posts?.may.map(({ target, bound }) => [nameOf(target), bound])).toEqual([["channel board", "most"]]);
  });
});

describe("a state of one person", () => {
  const state = stateFrom({
    channels: [{ name: "hall" }],
    subscribers: { hall: ["elif@acme.example", "ivo@partner.example"] },
  });

  test.each([
    { who: "a person", id: ELIF, people: [ELIF], staff: [ELIF], subscribers: [ELIF] },
    { who: "a guest", id: IVO, people: [IVO], staff: [], subscribers: [IVO] },
    { who: "a bot with its owner", id: CI_BOT, people: [DMITRI, CI_BOT], staff: [DMITRI], subscribers: [] },
    { who: "an owner with their bots", id: ADA, people: [ADA, 17, 19], staff: [ADA], subscribers: [] },
  ])("has $who, and nobody else in any set", ({ id, people, staff, subscribers }) => {
    const own = restrictedTo(state, id);
    const sorted = (set: Iterable<number> | undefined) => [...(set ?? [])].sort((a, b) => a - b);
    expect(sorted(own.accounts.everybody)).toEqual(people);
    for (const set of ["members", "guests", "administrators", "bots"] as const)
      expect(sorted(own.accounts[set])).toEqual(people.filter((each) => state.accounts[set].has(each)));
    expect([...own.accounts.owners]).toEqual(
      id === CI_BOT ? [[CI_BOT, DMITRI]] : people.slice(1).map((bot) => [bot, id]),
    );
    expect([sorted(own.group("staff")?.members), sorted(own.channel("hall")?.subscribers)]).toEqual([
      staff,
      subscribers,
    ]);
    expect(own.account(id)).toEqual(state.account(id));
    expect(own.account(FARAH)).toBeUndefined();
    expect(own.facts.idOf("hana@acme.example")).toBe(HANA);
    expect(own.organization).toBe(state.organization);
  });

  test("does not know subscribers that were not read", () =>
    expect(
      restrictedTo(stateFrom({ channels: [{ name: "hall" }], subscribers: null }), ELIF).channel("hall")?.subscribers,
    ).toBeUndefined());
});

describe("who gains and loses which right between two states", () => {
  const words = (shifts: readonly Shift[]) =>
    shifts.map(({ target, right: { word }, gained, lost, isNew, bound }) =>
      [
        `${word} ${nameOf(target)}`,
        ...(gained === undefined ? [] : [`+${wordsOf(gained.holders.people)}`]),
        ...(lost === undefined ? [] : [`-${wordsOf(lost.holders.people)}`]),
        ...(isNew ? ["new"] : []),
        ...(bound ? ["bound"] : []),
      ].join(" "),
    );
  type Parts = readonly Parameters<AccessState["put"]>[0][];
  const stateWith = (parts: Parts, over: AccessState = strictState) => {
    const state = over.copy();
    for (const part of parts) state.put(part);
    return state;
  };
  const before = stateWith([hall({ can_send_message_group: ["dmitri"] }), crew({ can_join_group: [] })]);
  const { population } = strictState;
  const organization = (settings: AccessState["organization"]) =>
    ({ kind: "organization", name: "organization", settings }) as const;
  const byCrew = { ...hall({}), settings: new Map([["can_send_message_group", "crew"]]) };

  test.each<{ fact: string; from?: Parts; to: Parts; shifts: readonly string[] }>([
    {
      fact: "a member joins one of two groups that a channel names, and nothing else names that group",
      from: [
        organization(new Map([["can_create_groups", "gone"]])),
        {
          ...hall({}),
          settings: new Map<string, GroupValue>([
            ["can_send_message_group", { groups: ["crew", "gone"], users: [] }],
            ["can_remove_subscribers_group", "gone"],
          ]),
        },
      ],
      to: [crew({ can_join_group: [] }, { members: population.of([ELIF]) })],
      shifts: ["post channel hall +elif"],
    },
    {
      fact: "a right that the organization has under the same name",
      from: [hall({ can_resolve_topics_group: ["dmitri"] })],
      to: [hall({ can_resolve_topics_group: ["elif"] })],
      shifts: ["resolve topics channel hall +elif -dmitri"],
    },
    {
      fact: "the readers of a private channel, and that they can join it is not said again",
      from: [hall({ can_subscribe_group: [] }, { privacy: "private_shared_history" })],
      to: [hall({ can_subscribe_group: ["elif"] }, { privacy: "private_shared_history" })],
      shifts: ["read channel hall +elif", "know of channel hall +elif"],
    },
    {
      fact: "a member joins a subgroup of a group that a channel names",
      from: [byCrew, crew({}, { subgroups: ["inner"] }), crew({}, { name: "inner" })],
      to: [crew({}, { name: "inner", members: population.of([ELIF]) })],
      shifts: ["post channel hall +elif"],
    },
    {
      fact: "a group gets a subgroup with members",
      from: [byCrew, crew({}), crew({}, { name: "inner", members: population.of([ELIF]) })],
      to: [crew({}, { subgroups: ["inner"] })],
      shifts: ["post channel hall +elif"],
    },
    {
      fact: "the organization's setting names others",
      to: [organization(new Map([...strictState.organization, ["can_manage_all_groups", "crew"]]))],
      shifts: ["join user_group crew -hana", "manage all groups organization -hana"],
    },
    {
      fact: "a new channel",
      to: [hall({ can_send_message_group: ["elif"] }, { name: "new" })],
      shifts: ["read channel new +members new", "post channel new +elif new", "know of channel new +members new"],
    },
    {
      fact: "a channel becomes private, and its subscribers are unknown",
      to: [hall({ can_send_message_group: ["dmitri"] }, { privacy: "private_shared_history", subscribers: undefined })],
      shifts: [
        "read channel hall -members bound",
        "know of channel hall -chiara,ci-bot,deploy-bot,dmitri,elif,farah,gustavo,hana,hook-bot bound",
      ],
    },
    {
      fact: "a private channel whose subscribers are unknown becomes public",
      from: [hall({}, { privacy: "private_shared_history", subscribers: undefined })],
      to: [hall({})],
      shifts: [
        "read channel hall +members bound",
        "know of channel hall +chiara,ci-bot,deploy-bot,dmitri,elif,farah,gustavo,hana,hook-bot bound",
      ],
    },
  ])("$fact", ({ from = [], to, shifts }) => {
    const was = stateWith(from, before);
    // The groups that every organization of these tests has are left out.
    const own = (target: Target) => !/staff|engineering|leads/.test(nameOf(target));
    expect(words(shiftsIn(new AccessDifference(was, stateWith(to, was)), { only: own }))).toEqual(shifts);
  });

  test("an account changes", () => {
    const after = before.copy();
    const elif = after.account(ELIF);
    if (elif !== undefined) after.putAccount({ ...elif, active: false });
    expect(words(shiftsIn(new AccessDifference(before, after), { asked: [READ, POST] }))).toEqual([
      "read channel hall -elif",
    ]);
  });

  test("with the grants of only those people who gain it", () => {
    const after = stateWith([hall({ can_send_message_group: ["dmitri", "elif"] })], before);
    const [shift] = shiftsIn(new AccessDifference(before, after), { asked: [POST] });
    expect(shift?.gained?.grants.map(({ source, people }) => [source.via, wordsOf(people)])).toEqual([
      ["setting", ["elif"]],
    ]);
    expect(shift?.lost).toBeUndefined();
  });

  test("the grants for people without an account", () => {
    const withSpectators = (state: AccessState, spectators: boolean): AccessState => {
      const made = state.copy();
      made.put({ kind: "organization", name: "organization", settings: made.organization, spectators });
      return made;
    };
    const open = stateWith(
      [hall({}, { privacy: "web_public" }), hall({}, { name: "new", privacy: "web_public" })],
      before,
    );
    const [web, off] = [withSpectators(open, true), withSpectators(open, false)];
    const shown = (from: AccessState, to: AccessState, only?: (target: Target) => boolean) =>
      webShiftsBetween(from, to, only).map(({ target, opens }) => [target.name, opens]);
    expect(shown(before, web)).toEqual([
      ["hall", true],
      ["new", true],
    ]);
    expect(shown(web, stateWith([hall({})], web))).toEqual([["hall", false]]);
    expect(shown(web, web)).toEqual([]);
    expect(shown(before, web, (target) => nameOf(target) === "channel new")).toEqual([["new", true]]);
    expect(shown(off, web).length).toBe(2);
    expect(shown(web, off)).toEqual([
      ["hall", false],
      ["new", false],
    ]);
    expect(shown(before, off)).toEqual([]);
    expect(shown(off, before)).toEqual([]);
  });
});

describe("the people whom a text in a question means", () => {
  const base = realmOf({});
  const names = new Map([
    [ELIF, "Elif Arslan"],
    [FARAH, "elif arslan"],
    [15, "Ada Only"],
    [IVO, "Ivo Only"],
  ]);
  const realm = new Realm({
    ...base,
    users: base.users.map((user) => ({ ...user, full_name: names.get(user.user_id) ?? user.full_name })),
  });

  test.each([
    { text: " Ada@acme.example ", ids: [ADA] },
    { text: "6", ids: [ADA] },
    { text: "user:99", ids: [] },
    { text: "my user:6", ids: [] },
    { text: "user:6x", ids: [] },
  ])("$text is $ids", ({ text, ids }) => expect(peopleCalled(realm, text)).toEqual(ids));

  test("namesakes have exactly the same full name", () => {
    const twice = new Realm({
      ...base,
      users: base.users.map((user) => ({ ...user, full_name: user.user_id < 9 ? "Kim" : `${user.user_id}` })),
    });
    expect([hasNamesake(twice, "Kim"), hasNamesake(twice, "9"), hasNamesake(twice, "x")]).toEqual([true, false, false]);
    expect(hasNamesake(realm, "Elif Arslan")).toBe(false);
    // The names are counted once for each reading.
    let looked = 0;
    const { users, ...rest } = base;
    const counted = {
      ...rest,
      get users() {
        looked += 1;
        return users;
      },
    };
    const once = new Realm(counted);
    hasNamesake(once, "Kim");
    const first = looked;
    hasNamesake(once, "Lee");
    expect(looked).toBe(first);
  });
});

describe("words for rights", () => {
  test.each([
    { text: " Send_Messages ", rights: ["channel can_send_message_group"] },
    { text: " can-send-message-group ", rights: ["channel can_send_message_group"] },
    { text: "CAN SEND MESSAGE  GROUP", rights: ["channel can_send_message_group"] },
    { text: "join", rights: ["channel can_subscribe_group", "user_group can_join_group"] },
    { text: "delete  others’ messages", rights: ["channel can_delete_any_message_group"] },
  ])("$text is $rights", ({ text, rights }) =>
    expect(rightsCalled(text).map(({ scope, right: name }) => `${scope} ${name}`)).toEqual(rights),
  );

  test("suggestions have each word, setting and synonym of the scopes", () => {
    const words = rightWords(["user_group"]);
    expect(words).toContain("mention");
    expect(words).toContain("can_mention_group");
    expect(words).toContain("subscribe");
    expect(words).not.toContain("write");
    expect(words).not.toContain("invite");
    expect(rightWords(["channel"]).filter((word) => word === "read")).toEqual(["read"]);
    expect(rightWords(["channel"]).filter((word) => rightsCalled(word).length === 0)).toEqual([]);
  });

  test.each([
    { scope: "organization", name: "can_resolve_topics_group", word: "resolve topics anywhere" },
    { scope: "user_group", name: "can_resolve_topics_group", word: "can_resolve_topics_group" },
  ] as const)("$name on $scope is called $word", ({ scope, name, word }) => expect(wordOf(scope, name)).toBe(word));

  test("a question about reading", () => expect([isReading(READ), isReading(POST)]).toEqual([true, false]));
});

/** Two are called Elif Arslan, two like an address; Jana, who is deactivated, has the full name of Dmitri. */
const NAMES = new Map([
  [9, "Dmitri Petrov"],
  [10, "Elif Arslan"],
  [11, "Elif Arslan"],
  [12, "kim@home"],
  [13, "kim@home"],
  [15, "Dmitri Petrov"],
  [16, " Kofi  Boateng"],
]);
const realm = () => {
  const snapshot = realmOf({
    channels: [{ name: "Hall" }, { name: "staff" }, { name: "two\nlines" }],
    user_groups: ["staff", "leads", "a*b"].map((name) => ({ name })),
  });
  const users = snapshot.users.map((user) => ({ ...user, full_name: NAMES.get(user.user_id) ?? `${user.user_id}` }));
  return new Realm({ ...snapshot, users });
};
const ask = (text: string): Question => {
  const read = realm();
  return questionOf(text, read, stateOf(read));
};
/** A question in a few words. */
function words(question: Question): unknown {
  if (question.about === "account") return question.id;
  if (question.about === "several") return question.ways;
  if (question.about === "nothing") return { no: question.what, meant: question.meant };
  return question.target === "organization" ? "organization" : `${question.target.kind} ${question.target.name}`;
}

describe("a question is about", () => {
  test.each<{ text: string; about: unknown }>([
    { text: "organization", about: "organization" },
    { text: " The Organization ", about: "organization" },
    { text: "my organization", about: { no: "object", meant: "organization" } },
    { text: "organization chart", about: { no: "object", meant: "organization" } },
    { text: "channel:hall", about: "channel Hall" },
    { text: "#nothing-like-it", about: { no: "object", meant: undefined } },
    { text: "a #Hall", about: { no: "object", meant: undefined } },
    { text: "@*a*b*", about: "user_group a*b" },
    { text: "@lead", about: { no: "object", meant: "user_group:leads" } },
    { text: "leads", about: "user_group leads" },
    { text: "hall", about: "channel Hall" },
    { text: "staff", about: ["#staff", "user_group:staff"] },
    { text: "elif@acme.example", about: 10 },
    { text: "user:999", about: { no: "account", meant: undefined } },
    { text: "user:10x", about: { no: "object", meant: undefined } },
    { text: "kim@home", about: ["gustavo@acme.example", "hana@acme.example"] },
    { text: "ELIF@ACME.EXAMPEL", about: { no: "account", meant: "elif@acme.example" } },
    { text: "my user:10", about: { no: "object", meant: undefined } },
    { text: "9", about: 9 },
    { text: "petrov", about: { no: "object", meant: "dmitri@acme.example" } },
    { text: "pertov", about: { no: "object", meant: "dmitri@acme.example" } },
    { text: "arslan", about: ["elif@acme.example", "farah@acme.example"] },
    { text: "Elif Arslan", about: ["elif@acme.example", "farah@acme.example"] },
    { text: "hlal", about: { no: "object", meant: "#Hall" } },
  ])("$text", ({ text, about }) => expect(words(ask(text))).toEqual(about));
});

test.each<{ text: string; people: readonly string[] }>([
  { text: " ELIF ", people: ["elif@acme.example", "farah@acme.example"] },
  { text: "farah", people: ["farah@acme.example"] },
  { text: "", people: [] },
])("active people whose name contains $text", ({ text, people }) =>
  expect(peopleAlsoCalled(realm(), text)).toEqual(people),
);

test("an exact match of a channel's name comes before a match in another case", () => {
  const read = new Realm(realmOf({ channels: [{ name: "HALL" }, { name: "Hall" }] }));
  expect(channelCalled("Hall", stateOf(read))?.name).toBe("Hall");
});
