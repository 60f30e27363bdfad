import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { testRealm } from "../../../test/support/sandbox/realm.ts";
import { shownSubscribers } from "../channels/shown.ts";
import { NEW_SUBSCRIPTION } from "../defaults.ts";
import { rows } from "../rows/values.ts";
import { createSandbox } from "../sandbox.ts";

const NOBODY = 4242;

test.each<[string, string, string, (id: (as: string) => number) => object, string]>([
  [
    "an unknown account is found before a deactivated one",
    "owner",
    "POST",
    (id) => ({ subscriptions: [{ name: "sandbox" }], principals: [id("deactivated"), NOBODY] }),
    "No such user",
  ],
  [
    "a channel that may not be used is found before both",
    "owner",
    "POST",
    () => ({ subscriptions: [{ name: "secret" }], principals: [NOBODY] }),
    "Unable to access channel (secret).",
  ],
  [
    "an unknown name is listed as often as it was sent, without surrounding spaces",
    "member",
    "DELETE",
    () => ({ subscriptions: ["nope", " nope ", "NOPE"] }),
    "Channel(s) (nope, nope, NOPE) do not exist",
  ],
  [
    "people are looked up before names when unsubscribing",
    "owner",
    "DELETE",
    (id) => ({ subscriptions: ["nope"], principals: [id("deactivated")] }),
    "User is deactivated",
  ],
  [
    "the right to remove others comes before unknown names",
    "member",
    "DELETE",
    (id) => ({ subscriptions: ["general", "nope"], principals: [id("member2")] }),
    "Insufficient permission",
  ],
  [
    "the right to create is checked before the limits of default channels",
    "owner",
    "POST",
    () => ({ subscriptions: [{ name: "fresh" }], invite_only: true, is_default_stream: true }),
    "Insufficient permission",
  ],
])("%s", async (_, as, method, params, msg) => {
  const realm = testRealm();
  // A private channel of somebody else, and a realm in which nobody may create private channels.
  await realm.call("member", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "secret" }],
    invite_only: true,
  });
  const nobody = { new: realm.group("role:nobody") };
  await realm.call("owner", "PATCH", "/realm", { can_create_private_channel_group: nobody });
  const { status, body } = await realm.call(as, method, "/users/me/subscriptions", { ...params(realm.id) });
  expect([status, body.msg]).toEqual([400, msg]);
});

describe("§5.3 include_subscribers", () => {
  const RECORDED = JSON.parse(readFileSync(new URL("../../../test/recordings/realm.json", import.meta.url), "utf8"));
  const state = createSandbox({ from: RECORDED, featureLevel: 442 }).state();
  const [channel] = rows(state.channels);
  const [somebody] = rows(state.users);
  if (channel === undefined || somebody === undefined) throw new Error("the recorded realm is empty");
  const of = (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => 1000 + index);
    const table = <Row>(row: Row) => Object.fromEntries(ids.map((id) => [id, row]));
    const users = table({ ...somebody, is_active: true });
    return { ...state, users, subscriptions: { [channel.stream_id]: table(NEW_SUBSCRIPTION) } };
  };
  test.each([
    [249, "false", []],
    [249, "true", ["subscribers"]],
    [249, "partial", ["subscribers"]],
    [250, "partial", ["partial_subscribers"]],
    [250, "true", ["subscribers"]],
  ] as const)("%i subscribers, %s: %j", (count, wish, keys) => {
    expect(Object.keys(shownSubscribers(of(count), channel, wish))).toEqual(keys);
  });
});
