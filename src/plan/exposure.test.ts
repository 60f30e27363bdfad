import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { Realm } from "../model/realm.ts";
import { RightsModel } from "./exposure-rights.ts";

const ADA = "ada@acme.example";
/** A guest. */
const IVO = "ivo@partner.example";
const LEADS = 32;

const hall = (subscribers: readonly string[], fields: object = {}): Overlay => ({
  channels: [{ name: "hall", ...fields }],
  subscribers: { hall: [...subscribers] },
});
const only = (users: string, more: string): string =>
  `version: 1\nchannels: {hall: {subscribers: {users: [${users}], exact: true}, ${more}}}\n`;

describe("the order of requests", () => {
  test.each<{ fact: string; live: Overlay; yaml: string; order: readonly string[] }>([
    {
      fact: "people are removed from a group before the remaining members may do more",
      live: hall([ADA, IVO], { can_send_message_group: LEADS }),
      yaml: only(ADA, "permissions: {can_send_message_group: role:everyone}"),
      order: ["unsubscribe", "update-stream"],
    },
    {
      fact: "people are removed before history is shared",
      live: hall([ADA, IVO], { invite_only: true, history_public_to_subscribers: false }),
      yaml: only(ADA, "privacy: private_shared_history"),
      order: ["unsubscribe", "update-stream"],
    },
    {
      fact: "people are removed under the old name if the channel is renamed",
      live: hall([ADA, IVO], { can_send_message_group: LEADS }),
      yaml: "version: 1\nchannels: {lobby: {was: hall, subscribers: {users: [ada@acme.example], exact: true}, permissions: {can_send_message_group: role:everyone}}}\n",
      order: ["unsubscribe", "update-stream"],
    },
    {
      fact: "people are added after everything that the plan closes",
      live: hall([ADA], { invite_only: true, history_public_to_subscribers: true }),
      yaml: only(`${ADA}, ${IVO}`, "privacy: private_protected_history"),
      order: ["update-stream", "subscribe"],
    },
    {
      fact: "people from a new domain can join only after everything that the plan closes",
      live: {
        ...hall([ADA]),
        settings: { emails_restricted_to_domains: true },
        domains: [{ domain: "acme.example", allow_subdomains: false }],
      },
      yaml: "version: 1\ndomains: {b.example: {}}\nchannels: {hall: {privacy: private_shared_history}}\n",
      order: ["update-stream", "add-realm-domain"],
    },
    {
      fact: "people are removed from a group before it may do more, although another member must be reactivated before being added",
      live: {
        user_groups: [
          { name: "crew", members: [ADA, "ben@acme.example"], can_mention_group: 9 },
          { name: "night", members: [], deactivated: true },
        ],
      },
      yaml: "version: 1\nuser_groups:\n  crew: {members: [ada@acme.example], subgroups: [night], permissions: {can_mention_group: {groups: [crew], users: [farah@acme.example]}}}\n  night: {deactivated: false, permissions: {can_manage_group: crew}}\n",
      order: ["update-user-group-members", "update-user-group", "update-user-group", "update-user-group-members"],
    },
    {
      fact: "requests that open nothing keep their order",
      live: hall([ADA, IVO], { description: "Old" }),
      yaml: only(ADA, "description: New"),
      order: ["update-stream", "unsubscribe"],
    },
  ])("$fact", async ({ live, yaml, order }) => {
    const plan = must(await planText(yaml, realmOf(live)));
    expect(plan.calls.map(({ operation }) => operation)).toEqual(order);
    expect(plan.calls.length).toBe(plan.least_calls);
  });

  test("a group that names itself is created with the people whom it will name, not with the server's default", async () => {
    const yaml =
      "version: 1\nuser_groups: {crew: {members: [ada@acme.example], permissions: {can_mention_group: {groups: [crew], users: [ben@acme.example]}}}}\n";
    const [made] = must(await planText(yaml, realmOf({}))).calls;
    expect(made?.params).toMatchObject({ can_mention_group: { direct_members: [7], direct_subgroups: [] } });
  });
});

test("the model counts the people whom a plan subscribes, and keeps those whom a request does not name", async () => {
  const live = realmOf(hall([ADA, IVO], { invite_only: true, history_public_to_subscribers: false }));
  const plan = must(await planText(only(`${ADA}, ben@acme.example`, "privacy: private_shared_history"), live));
  const model = new RightsModel(plan.changes, new Realm(live));
  const parts = [{ address: "channel:hall", fields: ["subscribers"] }] as const;
  const sharing = { parts: [{ address: "channel:hall", fields: ["privacy"] }], half: "whole" } as const;
  const [ben, ivo] = [7, 14];
  // Without the order, Ivo could read old messages, which he may read neither before nor after. Ben may read them afterwards.
  expect(model.excessAfter(sharing)).toBe(1);
  model.apply({ parts, half: "adding", people: [ben] });
  expect(model.excessAfter(sharing)).toBe(1);
  model.apply({ parts, half: "removing", people: [ben] });
  expect(model.excessAfter(sharing)).toBe(1);
  model.apply({ parts, half: "removing", people: [ivo] });
  expect(model.excessAfter(sharing)).toBe(0);
});
