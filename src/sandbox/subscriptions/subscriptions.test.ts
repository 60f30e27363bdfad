import { expect, test } from "vitest";
import { testRealm } from "../test-realm.ts";

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
    "and the channel that may not be used before both",
    "owner",
    "POST",
    () => ({ subscriptions: [{ name: "secret" }], principals: [NOBODY] }),
    "Unable to access channel (secret).",
  ],
  [
    "a name that nobody has is named as often as it was sent, without the space around it",
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
    "the right to create comes before what a default channel may not be",
    "owner",
    "POST",
    () => ({ subscriptions: [{ name: "fresh" }], invite_only: true, is_default_stream: true }),
    "Insufficient permission",
  ],
])("%s", async (_, as, method, params, msg) => {
  const realm = testRealm();
  // A private channel of somebody else's, and nobody who may create private ones.
  await realm.call("member", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "secret" }],
    invite_only: true,
  });
  const nobody = { new: realm.group("role:nobody") };
  await realm.call("owner", "PATCH", "/realm", { can_create_private_channel_group: nobody });
  const { status, body } = await realm.call(as, method, "/users/me/subscriptions", { ...params(realm.id) });
  expect([status, body.msg]).toEqual([400, msg]);
});
