import { describe, expect, test } from "vitest";
import { update as change, draft as draftOf } from "../../test/support/changes.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Address, Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { RightsModel } from "./exposure-rights.ts";
import { stepOf } from "./exposure-steps.ts";
import { askingAbout, takesNeededRight, takesOwnRight } from "./own-right-loss.ts";

// Dmitri is the account that runs the plan: a member, who manages crew because he is in staff, or in leads, which staff contains.
const ACCOUNT = "dmitri@acme.example";
const [DMITRI, NOBODY] = [9, 9];
const live = (more: object = {}): Overlay => ({
  account: ACCOUNT,
  user_groups: [
    { name: "staff", members: [], subgroups: ["leads"], can_manage_group: NOBODY, ...more },
    { name: "leads", members: [ACCOUNT, "elif@acme.example"], can_manage_group: NOBODY },
    { name: "crew", members: [], can_manage_group: "staff" },
    { name: "other", members: [], can_manage_group: "leads" },
  ],
  channels: [
    { name: "hall" },
    { name: "den", invite_only: true, can_subscribe_group: "leads" },
    { name: "nest", invite_only: true, can_subscribe_group: "leads" },
    { name: "vault", invite_only: true, can_subscribe_group: NOBODY },
  ],
  subscribers: { den: ["elif@acme.example"], nest: [ACCOUNT], vault: ["elif@acme.example"] },
});

const draft = (operation: string, address: Address, fields: readonly string[], params: DraftCall["params"] = {}) =>
  draftOf(operation, address, fields, { params });
const modelOf = (changes: readonly Change[], more: object = {}) => {
  const snapshot = realmOf({ ...live(more), settings: { can_manage_all_groups: NOBODY, can_create_groups: 30 } });
  return new RightsModel(changes, new Realm(snapshot));
};

const noLeads = draft("update-user-group-members", "user_group:leads", ["members"], { delete: [DMITRI] });
const noSubgroup = draft("update-user-group-members", "user_group:staff", ["subgroups"], { delete_subgroups: [31] });
const changes = [
  change("user_group:leads", { members: ["elif@acme.example"] }),
  change("user_group:staff", { subgroups: [], can_manage_group: "role:nobody" }),
  change("user_group:crew", { can_manage_group: "role:nobody" }),
  change("channel:den", { can_subscribe_group: "role:nobody", can_send_message_group: "role:nobody" }),
  change("channel:nest", { can_subscribe_group: "role:nobody" }),
  change("channel:vault", { can_subscribe_group: "role:nobody" }),
  change("channel:hall", { privacy: "private_shared_history", description: "x" }),
  change("settings:organization", { can_create_groups: "role:nobody", can_manage_all_groups: "role:nobody" }),
];
const crewLater = draft("update-user-group", "user_group:crew", ["description"]);
const otherLater = draft("update-user-group-members", "user_group:other", ["members"]);
const makesLater: DraftCall = { ...draft("create-user-group", "user_group:new", []), uses: ["can_create_groups"] };
const hallLater = draft("update-stream", "channel:hall", ["description"]);

describe("whether a request takes a right from the account that runs the plan", () => {
  test.each<{ fact: string; request: DraftCall; later: readonly DraftCall[]; takes: boolean; more?: object }>([
    {
      fact: "it leaves the group through which it reads a private channel that is still to be changed",
      request: noLeads,
      later: [{ ...hallLater, reads: ["channel:den"] }],
      takes: true,
    },
    {
      fact: "it leaves a group, and reads the private channel that is still to be changed in another way, or it is public, or unknown",
      request: noLeads,
      later: [{ ...hallLater, reads: ["channel:nest", "channel:hall", "channel:elsewhere"] }],
      takes: false,
    },
    {
      fact: "it leaves the group through which it reads a private channel, and the later request does not need to read it",
      request: noLeads,
      later: [draft("update-stream", "channel:den", ["description"])],
      takes: false,
    },
    {
      fact: "its group leaves another group, through which it does not manage this one",
      request: noSubgroup,
      later: [otherLater],
      takes: false,
    },
    {
      fact: "it leaves a group, and a group that it never managed, or a channel that it never read, is still to be changed",
      request: noLeads,
      later: [
        draft("update-user-group", "user_group:leads", ["description"]),
        { ...hallLater, reads: ["channel:vault"] },
      ],
      takes: false,
    },
    {
      fact: "its group leaves another group, through which it may create groups but does not read a channel",
      request: noSubgroup,
      later: [makesLater, { ...hallLater, reads: ["channel:nest"] }],
      takes: true,
    },
    {
      fact: "its group leaves another group, through which it may create groups and manages a group",
      request: noSubgroup,
      later: [makesLater, crewLater],
      takes: true,
    },
    {
      fact: "only other people may create groups, by a request that is also for something else",
      request: {
        ...draft("update-realm", "settings:organization", ["can_create_groups"]),
        for: [
          { address: "settings:organization", fields: ["can_create_groups"] },
          { address: "channel:hall", fields: ["description"] },
        ],
      },
      later: [makesLater],
      takes: true,
    },
    {
      fact: "a setting of a channel closes it to the account, and later requests read others, or manage groups",
      request: draft("update-stream", "channel:den", ["can_subscribe_group"]),
      later: [{ ...hallLater, reads: ["channel:nest"] }, draft("subscribe", "channel:den", ["subscribers"]), crewLater],
      takes: false,
    },
    {
      fact: "a setting of a channel closes it to the account, and one of several later requests about it needs to read it",
      request: draft("update-stream", "channel:den", ["can_subscribe_group"]),
      later: [draft("update-stream", "channel:den", ["description"]), { ...hallLater, reads: ["channel:den"] }],
      takes: true,
    },
    {
      fact: "another request than one that sets who reads a channel",
      request: draft("archive-stream", "channel:den", ["can_subscribe_group"]),
      later: [{ ...hallLater, reads: ["channel:den"] }],
      takes: false,
    },
    {
      fact: "a public channel becomes private, and a later request needs to read it",
      request: {
        ...draft("update-stream", "channel:hall", ["description"]),
        for: [
          { address: "default_channel:hall", fields: ["exists"] },
          { address: "channel:hall", fields: ["description", "privacy"] },
        ],
      },
      later: [{ ...hallLater, reads: ["channel:hall"] }],
      takes: true,
    },
    {
      fact: "a setting changes of a channel that the account never read",
      request: draft("update-stream", "channel:vault", ["can_subscribe_group"]),
      later: [{ ...hallLater, reads: ["channel:vault"] }],
      takes: false,
    },
    {
      fact: "a request about members of an object that is not a group",
      request: draft("update-user-group-members", "channel:hall", ["members"], { delete: [DMITRI] }),
      later: [crewLater],
      takes: false,
    },
    {
      fact: "a group is created",
      request: draft("create-user-group", "user_group:crew", ["can_manage_group"]),
      later: [crewLater],
      takes: false,
    },
  ])("$fact: $takes", ({ request, later, takes, more }) => {
    const model = modelOf(changes, more);
    const others = {
      all: () => later,
      of: (object: Address) =>
        later.filter((each) => each.for.some(({ address }) => address === object) || each.reads?.includes(object)),
    };
    expect(takesNeededRight(request, stepOf(request), model, others)).toBe(takes);
    // Asking does not change the state.
    expect(takesNeededRight(request, stepOf(request), model, others)).toBe(takes);
  });

  test("a right that the account does not have before is not lost", () => {
    const request = draft("update-realm", "settings:organization", ["can_create_groups"]);
    const model = new RightsModel(
      changes,
      new Realm(realmOf({ ...live(), settings: { can_create_groups: NOBODY, can_manage_all_groups: NOBODY } })),
    );
    expect(takesNeededRight(request, stepOf(request), model, { all: () => [makesLater], of: () => [] })).toBe(false);
  });
});

describe("whether a request would fail halfway", () => {
  // The members of crew manage it.
  const own = { account: ACCOUNT, settings: { can_manage_all_groups: NOBODY } };
  const modelWith = (manager: string, members: readonly string[]) =>
    new RightsModel(
      [change("user_group:crew", { members: [...members], subgroups: [] })],
      new Realm(
        realmOf({
          ...own,
          user_groups: [
            { name: "crew", members: [ACCOUNT, "elif@acme.example"], can_manage_group: manager, subgroups: ["inner"] },
            { name: "inner", members: [] },
            { name: "leads", members: [ACCOUNT] },
          ],
        }),
      ),
    );
  const request = (params: DraftCall["params"], operation = "update-user-group-members"): DraftCall =>
    draft(operation, "user_group:crew", ["members", "subgroups"], params);
  const both = { delete: [DMITRI], delete_subgroups: [31] };
  const left = ["elif@acme.example"];

  test.each<{ fact: string; sent: DraftCall; manager?: string; members?: readonly string[]; breaks: boolean }>([
    { fact: "the account leaves first, and then a group has to be removed", sent: request(both), breaks: true },
    {
      fact: "the account leaves first, and then a group has to be added",
      sent: request({ delete: [DMITRI], add_subgroups: [31] }),
      breaks: true,
    },
    {
      fact: "the account never managed the group",
      sent: request(both),
      manager: "inner",
      breaks: false,
    },
    { fact: "another request", sent: request(both, "update-user-group"), breaks: false },
    { fact: "a request without a purpose", sent: { ...request(both), for: [] }, breaks: false },
  ])("$fact: $breaks", ({ sent, manager = "crew", members = left, breaks }) => {
    const model = modelWith(manager, members);
    expect(takesOwnRight(sent, model)).toBe(breaks);
  });
});

test("requests for which the server asks who manages a group, or who reads a channel, by the object", () => {
  const found = askingAbout([
    crewLater,
    hallLater,
    makesLater,
    otherLater,
    draft("deactivate-user-group", "user_group:crew", []),
    { ...hallLater, reads: ["channel:hall", "channel:den", "channel:den"] },
  ]);
  expect([...found]).toEqual([
    ["user_group:crew", [0, 4]],
    ["user_group:other", [3]],
    ["channel:hall", [5]],
    ["channel:den", [5]],
  ]);
});
