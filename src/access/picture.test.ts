import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { Realm } from "../model/realm.ts";
import {
  type ChannelPicture,
  channelPicture,
  foldersOf,
  markOf,
  overviewOf,
  type PictureGroup,
  throughAccount,
  throughGroup,
} from "./picture.ts";
import { READ } from "./rules.ts";
import { stateOf } from "./state.ts";

const stateWith = (overlay: Parameters<typeof realmOf>[0]) => stateOf(new Realm(realmOf(overlay)));

const GROUPS = [
  { name: "staff", members: ["hana@acme.example"], subgroups: ["oncall", "leads"] },
  { name: "oncall", members: ["elif@acme.example"], subgroups: ["leads"] },
  { name: "leads", members: ["dmitri@acme.example"] },
];
const VAULT = { name: "vault", invite_only: true, can_subscribe_group: "staff" };
const subscribers = { vault: ["ada@acme.example"] };

/** "staff 3 (oncall 2 (leads 1), leads 1 above)" */
const groupText = ({ name, people, inner, isDrawn }: PictureGroup): string =>
  `${name} ${people.before?.size ?? "–"}→${people.after?.size ?? "–"}${isDrawn ? " above" : ""}${inner.length === 0 ? "" : ` (${inner.map(groupText).join(", ")})`}`;
const wayTexts = ({ ways }: ChannelPicture): readonly string[] =>
  ways.map(({ source, people, groups }) => {
    const own = source.after ?? source.before;
    const name = own?.via === "setting" ? own.setting : (own?.via ?? "coming");
    return `${markOf(people)} ${name} ${people.before?.size ?? "–"}→${people.after?.size ?? "–"}: ${groups.map(groupText).join(", ")}`;
  });

describe("ways into a channel", () => {
  test("each group is drawn with what is inside it once", () => {
    const state = stateWith({ user_groups: GROUPS, channels: [VAULT], subscribers });
    expect(wayTexts(channelPicture({ before: state, after: state }, "vault", READ))).toEqual([
      "same subscriber 1→1: ",
      "same can_subscribe_group 3→3: staff 3→3 (oncall 2→2 (leads 1→1), leads 1→1 above)",
    ]);
  });

  test("before and after: what comes, what goes, and who", () => {
    const before = stateWith({ user_groups: GROUPS, channels: [VAULT], subscribers });
    const groups = GROUPS.map((group) => (group.name === "oncall" ? { ...group, subgroups: [] } : group));
    const after = stateWith({
      user_groups: groups,
      channels: [{ ...VAULT, can_subscribe_group: "oncall" }],
      subscribers: { vault: [] },
    });
    expect(wayTexts(channelPicture({ before, after }, "vault", READ))).toEqual([
      "removed subscriber 1→–: ",
      "changed can_subscribe_group 3→1: staff 3→– (oncall 2→– (leads 1→–), leads 1→– above), oncall –→1 above",
    ]);
  });

  test("a channel that is new has one side", () => {
    const before = stateWith({ user_groups: GROUPS, channels: [], subscribers: {} });
    const after = stateWith({ user_groups: GROUPS, channels: [VAULT], subscribers });
    const picture = channelPicture({ before, after }, "vault", READ);
    expect(wayTexts(picture).map((text) => text.split(" ")[0])).toEqual(["added", "added"]);
  });

  test("only so many groups are drawn; the others are counted", () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ name: `g${index}`, members: ["hana@acme.example"] }));
    const state = stateWith({
      user_groups: [...many, { name: "all", subgroups: many.map(({ name }) => name) }],
      channels: [{ ...VAULT, can_subscribe_group: "all" }],
      subscribers,
    });
    const picture = channelPicture({ before: state, after: state }, "vault", READ);
    expect(picture.left).toBe(41);
    expect(JSON.stringify(wayTexts(picture)).split("g").length).toBeLessThan(70);
  });
});

describe("a part of a picture", () => {
  const state = stateWith({
    user_groups: [...GROUPS, { name: "crew", members: ["farah@acme.example"] }],
    channels: [VAULT],
    subscribers,
  });
  const picture = channelPicture({ before: state, after: state }, "vault", READ);

  test("of a group: what leads through it, with the groups inside it", () => {
    const through = (name: string) =>
      throughGroup(picture, name, state)?.ways.map(({ groups }) => groups.map(groupText));
    expect(through("oncall")).toEqual([["staff 3→3 (oncall 2→2 (leads 1→1))"]]);
    expect(through("crew")).toBeUndefined();
  });

  test("of a group whose members can join another one: that step", () => {
    const joinable = GROUPS.map((group) => (group.name === "staff" ? { ...group, can_join_group: "crew" } : group));
    const open = stateWith({
      user_groups: [...joinable, { name: "crew", members: ["farah@acme.example"] }],
      channels: [VAULT],
      subscribers,
    });
    const whole = channelPicture({ before: open, after: open }, "vault", READ);
    const [way, ...others] = throughGroup(whole, "crew", open)?.ways ?? [];
    expect(way?.coming.after?.groups).toEqual(["staff"]);
    expect(others).toEqual([]);
  });

  test("of a person: only their paths, with everybody's number", () => {
    const dmitri = throughAccount(picture, 9);
    expect(dmitri?.ways.map(({ groups }) => groups.map(groupText))).toEqual([
      ["staff 3→3 (oncall 2→2 (leads 1→1), leads 1→1 above)"],
    ]);
    expect(dmitri?.holders.after?.holders.people.size).toBe(4);
    expect(throughAccount(picture, 12)).toBeUndefined();
  });
});

test("an overview draws private channels, also archived ones, and names the others; folders are those of the reading", () => {
  const snapshot = realmOf({
    channel_folders: [{ name: "Team" }],
    channels: [
      { ...VAULT, folder_id: 1 },
      { name: "attic", invite_only: true, is_archived: true },
      { name: "lobby" },
      { name: "old", is_archived: true },
    ],
    subscribers: { vault: [], attic: ["ada@acme.example"], lobby: [], old: [] },
  });
  const realm = new Realm(snapshot);
  const { closed, open } = overviewOf(stateOf(realm), READ);
  expect(closed.map(({ name }) => name)).toEqual(["vault", "attic"]);
  expect([...open]).toEqual([["public", ["lobby"]]]);
  expect([...foldersOf(realm)]).toEqual([["vault", "Team"]]);
});
