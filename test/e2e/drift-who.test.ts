import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { flat, worldOfTests } from "./world.ts";

/** `drift --who`: the Notification Bot's messages in a channel's "channel events" topic (zulip-api.md §3.5.4), and nobody else's. */
const FILE = `version: 1
channels:
  general: {description: Everything, privacy: public, permissions: {can_send_message_group: role:everyone}}
`;
const WHEN = String.raw`(Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday) \d\d:\d\d UTC`;
let id = 0;
const world = worldOfTests();
beforeEach(async () => {
  id = world.channel("general").stream_id;
  await world.edit("owner", "PATCH", "/realm", { send_channel_events_messages: true });
  await world.edit("owner", "PATCH", `/streams/${id}`, { description: "Everything" });
  world.file("realm.yaml", FILE);
});
const change = (params: { readonly [name: string]: unknown }, as = "ben@acme.example") =>
  world.edit(as, "PATCH", `/streams/${id}`, params);
const post = (as: string, content: string) =>
  world.edit(as, "POST", "/messages", { type: "stream", to: id, topic: "channel events", content });
const who = async (flags = "", as?: string) => {
  const { out, code, err } = await world.realmctl(`drift --who ${flags}`, as === undefined ? {} : { as });
  expect(code, out + err).toBe(EXIT.changesPending);
  return flat(out);
};
const reads = () => world.sandbox.log.filter(({ path }) => path === "/messages").length;

describe("who changed", () => {
  test.each([
    ["description", { description: "Changed" }],
    ["can_send_message_group", { can_send_message_group: { new: 11 } }],
    ["topics_policy", { topics_policy: "disable_empty_topic" }],
    ["privacy", { is_private: true, is_default_stream: false }],
    ["message_retention_days", { message_retention_days: 30 }],
  ])("%s", async (field, params) => {
    const more =
      field === "topics_policy"
        ? "topics_policy: inherit"
        : field === "privacy"
          ? ""
          : "message_retention_days: realm_default";
    world.file("realm.yaml", FILE.replace("{description", `{${more === "" ? "" : `${more}, `}description`));
    await change(params, field === "message_retention_days" ? "owner" : "ben@acme.example");
    const name = field === "message_retention_days" ? "Ada Okafor" : "Ben Lindqvist";
    expect(await who()).toMatch(new RegExp(`${field} changed by ${name} on ${WHEN} \\(from the channel's events\\)`));
  });

  test("a rename, found by the id", async () => {
    world.file("realm.yaml", FILE.replace("{description", `{id: ${id}, description`));
    await change({ new_name: "plaza" });
    expect(await who()).toMatch(new RegExp(`name changed by Ben Lindqvist on ${WHEN}`));
  });

  test("in JSON and HTML", async () => {
    await change({ description: "Changed" });
    const json = JSON.parse((await world.realmctl("drift --who --format json")).out);
    expect(json.differences[0].changed_by).toEqual([
      { field: "description", user_id: 7, full_name: "Ben Lindqvist", at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect((await world.realmctl("drift --who --format html")).out).toContain("changed by Ben Lindqvist on");
  });

  test("the last one, if the server still has that value", async () => {
    await change({ description: "Changed" });
    await change({ description: "Again" }, "owner");
    expect(await who()).toContain("description changed by Ada Okafor");
    await world.edit("owner", "PATCH", "/realm", { send_channel_events_messages: false });
    await change({ description: "Quietly" });
    await world.edit("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    expect(await who()).not.toContain("changed by");
  });
});

describe("nobody is named", () => {
  test.each([
    ["a person writes such a message", (content: string) => post("dmitri@acme.example", content)],
    ["a bot does", (content: string) => post("deploy-bot@localhost", content)],
  ])("if %s", async (_, write) => {
    await world.edit("owner", "PATCH", "/realm", { send_channel_events_messages: false });
    await change({ description: "Changed" });
    await world.edit("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    const blocks = "* **New description:**\n```` quote\nChanged\n````";
    await write(`@_**Chiara Moretti|8** changed the description for this channel.\n\n${blocks}`);
    expect(await who()).not.toContain("changed by");
  });

  test("by the text of a description", async () => {
    await world.edit("owner", "PATCH", "/realm", { send_channel_events_messages: false });
    await change({ can_send_message_group: { new: 11 } });
    await world.edit("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    await change({ description: "@_**Chiara Moretti|8** changed the [posting permissions](x) for this channel" });
    const out = await who();
    expect(out).toContain("description changed by Ben Lindqvist");
    expect(out).not.toContain("can_send_message_group changed by");
  });

  test("if the account may not read the channel, or the organization posts no such messages", async () => {
    await change({ is_private: true, is_default_stream: false });
    // Kofi is an owner and not subscribed: administrators see the channel, and not its messages.
    await world.edit("owner", "DELETE", "/users/me/subscriptions", { subscriptions: ["general"], principals: [16] });
    expect(await who("", "kofi@acme.example")).not.toContain("changed by");
    await world.edit("owner", "PATCH", "/realm", { send_channel_events_messages: false });
    const before = reads();
    const { out, err } = await world.realmctl("drift --who");
    expect(out).not.toContain("changed by");
    expect(err).toContain("Who changed it is not known: the “channel events” of these channels do not tell it");
    expect(reads()).toBe(before);
  });

  test("without --who, which reads nothing more", async () => {
    await change({ description: "Changed" });
    expect((await world.realmctl("drift")).out).not.toContain("changed by");
    expect(reads()).toBe(0);
  });
});

test("a name is shown as a text", async () => {
  await world.edit("owner", "PATCH", "/users/7", { full_name: "Ben\u202e [x](y) <b>".replace(" <b>", "") });
  await change({ description: "Changed" });
  const { out } = await world.realmctl("drift --who");
  expect(out).toContain("changed by Ben");
  expect(out).not.toContain("\u202e");
});

test("20 topics are read at most, whatever the number of differences", async () => {
  const names = Array.from({ length: 25 }, (_, index) => `c${index}`);
  await world.edit("owner", "POST", "/users/me/subscriptions", {
    subscriptions: names.map((name) => ({ name, description: "x" })),
  });
  world.file("realm.yaml", `version: 1\nchannels:\n${names.map((name) => `  ${name}: {description: y}\n`).join("")}`);
  await who();
  expect(reads()).toBe(20);
});
