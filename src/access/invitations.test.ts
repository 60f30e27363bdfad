import { describe, expect, test } from "vitest";
import type { Json } from "../model/json.ts";
import type { Change } from "../model/plan.ts";
import { invitationsIn } from "./invitations.ts";

type Terms = { readonly [field: string]: Json };
const changed = (address: Change["address"], before: Terms, after: Terms, risks: Change["risks"] = []) => ({
  kind: address.startsWith("invite_link") ? "invite_link" : "invite",
  address,
  name: address.replace(/^[^:]*:/, ""),
  risks,
  fields: Object.keys({ ...before, ...after }).map((field) => ({
    field,
    before: before[field] ?? null,
    after: after[field] ?? null,
  })),
});
const terms = { invite_as: "guest", channels: ["hall", "board"], groups: ["staff"] };
const address = "invite:kim@example.org";
const object = { address, name: "kim@example.org" } as const;
const risks: Change["risks"] = [
  { kind: "widens", address, fact: { kind: "invited-again", object } },
  {
    kind: "widens",
    address,
    fact: { kind: "invited-into", object, channels: [{ address: "channel:secret", name: "secret" }] },
  },
];

const kim: Change = { action: "create", ...changed(address, {}, terms, risks) };
const link: Change = {
  action: "remove",
  id: 7,
  ...changed("invite_link:member until 2027-01-01", { ...terms, invite_as: "member" }, {}),
};
const bare: Change = { action: "create", ...changed("invite:lee@example.org", {}, {}) };

describe("invitations in a plan", () => {
  test("an invitation in a plan says who is invited, with which role, to which channels and groups, and what they can read", () =>
    expect(invitationsIn([kim])).toEqual([
      {
        name: "kim@example.org",
        isLink: false,
        state: "new",
        role: "guest",
        channels: ["hall", "board"],
        groups: ["staff"],
        reads: ["secret"],
      },
    ]));

  test("a revoked invitation in a plan has its previous values", () =>
    expect(invitationsIn([link])).toEqual([
      {
        name: "member until 2027-01-01",
        isLink: true,
        state: "revoked",
        role: "member",
        channels: ["hall", "board"],
        groups: ["staff"],
        reads: [],
      },
    ]));

  test("an invitation without details is for members, without channels and groups", () =>
    expect(invitationsIn([bare])).toEqual([
      { name: "lee@example.org", isLink: false, state: "new", role: "member", channels: [], groups: [], reads: [] },
    ]));

  test.each<{ fact: string; change: Change }>([
    { fact: "a channel", change: { ...kim, ...changed("channel:invite:x", {}, terms) } },
    { fact: "an order", change: { ...kim, action: "reorder" } },
  ])("$fact is no invitation", ({ change }) => expect(invitationsIn([change])).toEqual([]));

  test.each([
    { channel: "hall", names: ["kim@example.org", "member until 2027-01-01"] },
    { channel: "secret", names: ["kim@example.org"] },
    { channel: "other", names: [] },
  ])("the invitations to #$channel are of $names", ({ channel, names }) =>
    expect(invitationsIn([kim, link, bare], channel).map(({ name }) => name)).toEqual(names),
  );
});
