import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { asking } from "../../test/support/sandbox/asking.ts";
import type { JsonObject } from "../model/json.ts";
import { manualClock } from "./clock.ts";
import { createSandbox } from "./sandbox.ts";

/** A sandbox made from a recorded answer repeats what the answer states about the realm: nothing is dropped, and nobody gets somebody else's data. */
const RECORDED = JSON.parse(readFileSync(new URL("../../test/recordings/realm.json", import.meta.url), "utf8"));
const AREAS = {
  realm_linkifiers: [
    { id: 7, pattern: "b-(?P<n>[0-9]+)", url_template: "https://b.example/{n}" },
    { id: 3, pattern: "a-(?P<n>[0-9]+)", url_template: "https://a.example/{n}" },
  ],
  realm_domains: [{ domain: "acme.example", allow_subdomains: true }],
  realm_emoji: {
    "4": { id: "4", name: "dot", source_url: "/e/4.png", still_url: null, deactivated: false, author_id: 6 },
  },
  realm_playgrounds: [{ id: 2, name: "P", pygments_language: "Rust", url_template: "https://p.example/{code}" }],
  custom_profile_fields: [
    {
      id: 5,
      name: "Trade",
      type: 1,
      hint: "What you make",
      field_data: "",
      order: 1,
      required: false,
      editable_by_user: true,
    },
  ],
  channel_folders: [
    {
      id: 9,
      name: "Company",
      description: "All *of* us",
      rendered_description: "<p>All <em>of</em> us</p>",
      order: 9,
      creator_id: 6,
      date_created: 1795239064,
      is_archived: false,
    },
  ],
  realm_default_stream_groups: [{ id: 4, name: "Trades", description: "Work", streams: [3] }],
  user_status: {
    "9": { status_text: "at the anvil", emoji_name: "house", emoji_code: "1f3e0", reaction_type: "unicode_emoji" },
  },
};
/** Data of the account that recorded, and of nobody else. */
const OWN = {
  navigation_views: [{ fragment: "inbox", is_pinned: true, name: null }],
  user_topics: [{ stream_id: 3, topic_name: "greetings", last_updated: 1795239099, visibility_policy: 3 }],
  muted_users: [{ id: 10, timestamp: 1795239099 }],
};

/** The recorded realm with this configuration. */
function recorded(register: JsonObject = {}) {
  const { register: answer, about: _, ...rest } = structuredClone(RECORDED);
  for (const person of answer.realm_users)
    if (person.user_id === 9) person.profile_data = { "5": { value: "smith", rendered_value: "<p>smith</p>" } };
  for (const bot of answer.realm_bots)
    if (bot.user_id === 17) Object.assign(bot, { default_sending_stream: "sandbox", default_all_public_streams: true });
  const user_settings = { ...answer.user_settings, color_scheme: 2, twenty_four_hour_time: true };
  return {
    ...rest,
    about: "A workshop that has been at work for years.",
    users: rest.users.map((user: JsonObject) => (user.user_id === 9 ? { ...user, timezone: "Asia/Tokyo" } : user)),
    register: { ...answer, ...AREAS, ...OWN, user_settings, ...register },
  };
}
const started = (from: JsonObject) => asking(createSandbox({ from, clock: manualClock(Date.UTC(2026, 10, 22)) }));
const CAPABILITIES = { notification_settings_null: true, linkifier_url_template: true, archived_channels: true };
const registered = (realm: ReturnType<typeof started>, as: string) =>
  realm(as, "POST", "/register", { client_capabilities: CAPABILITIES });

describe("a recorded realm that is configured", () => {
  const realm = started(recorded());

  test("everybody sees its configuration", async () => {
    const answer = await registered(realm, "member");
    for (const [key, value] of Object.entries(AREAS)) expect([key, answer[key]]).toEqual([key, value]);
    expect(answer.realm_users).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          user_id: 9,
          profile_data: { "5": { value: "smith", rendered_value: "<p>smith</p>" } },
        }),
      ]),
    );
  });
  test("personal lists belong to the account that recorded", async () => {
    const [owner, member] = [await registered(realm, "owner"), await registered(realm, "member")];
    for (const [key, value] of Object.entries(OWN)) expect([key, owner[key], member[key]]).toEqual([key, value, []]);
  });
  test("so do personal settings; other accounts have those of a new account, changed by the recorded values", async () => {
    const [owner, member, guest] = await Promise.all(["owner", "member", "guest"].map((as) => registered(realm, as)));
    expect(owner?.user_settings).toMatchObject({ color_scheme: 2, twenty_four_hour_time: true, timezone: "" });
    expect(member?.user_settings).toMatchObject({
      color_scheme: 1,
      twenty_four_hour_time: false,
      timezone: "Asia/Tokyo",
    });
    expect(guest?.user_settings).toMatchObject({ color_scheme: 1, twenty_four_hour_time: false, timezone: "" });
    const names = (answer: JsonObject | undefined): string[] => Object.keys(Object(answer?.user_settings)).sort();
    expect(names(member)).toEqual(names(owner));
  });
  test("bots have their default channels", async () => {
    const { realm_bots } = await registered(realm, "owner");
    expect(realm_bots).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          user_id: 17,
          default_sending_stream: "sandbox",
          default_events_register_stream: null,
          default_all_public_streams: true,
        }),
      ]),
    );
  });
  test("new rows get unused ids", async () => {
    const made = async (path: string, params: object) => realm("owner", "POST", path, params);
    expect(await made("/realm/filters", { pattern: "c", url_template: "https://c.example" })).toMatchObject({ id: 8 });
    expect(await made("/channel_folders/create", { name: "F", description: "" })).toMatchObject({
      channel_folder_id: 10,
    });
    expect(await made("/realm/profile_fields", { name: "F", field_type: 1 })).toMatchObject({ id: 6 });
    const playground = { name: "Q", pygments_language: "Go", url_template: "https://q.example/{code}" };
    expect(await made("/realm/playgrounds", playground)).toMatchObject({ id: 3 });
  });
});

test("a realm that states that nothing is configured starts without linkifiers and domains", async () => {
  const bare = started({ ...recorded(), about: "14 accounts, 3 channels, nothing configured." });
  expect(await registered(bare, "owner")).toMatchObject({ realm_linkifiers: [], realm_domains: [] });
});

describe("earlier messages", () => {
  const realm = started(RECORDED);
  const flags = async (as: string): Promise<readonly unknown[]> => {
    const { messages } = await realm(as, "GET", "/messages", { anchor: "oldest", num_after: 30 });
    return (Array.isArray(messages) ? messages : []).map(({ id, flags: own }) => [id, own]);
  };
  const STARRED = [1, 3, 5, 8, 10];

  test("the creator of the realm received them, with the stars on the server's greetings", async () => {
    const expected = Array.from({ length: 13 }, (_, place) => place + 1);
    expect(await flags("owner")).toEqual(expected.map((id) => [id, [...STARRED, 13].includes(id) ? ["starred"] : []]));
    expect((await registered(realm, "owner")).starred_messages).toEqual([...STARRED, 13]);
  });
  test("people who joined later have those of the channels as history, and a greeting", async () => {
    const channels = Array.from({ length: 12 }, (_, place) => place + 1);
    const history = channels.map((id) => [id, STARRED.includes(id) ? ["starred", "historical"] : ["historical"]]);
    expect(await flags("member")).toEqual([...history, [16, ["starred"]]]);
    expect((await registered(realm, "member")).starred_messages).toEqual([...STARRED, 16]);
  });
});

test("POST /register contains the server's own lists, or recorded ones", async () => {
  const fetch = {
    fetch_event_types: ["onboarding_steps", "stop_words", "realm_incoming_webhook_bots"],
    event_types: [],
  };
  const answer = await started(RECORDED)("owner", "POST", "/register", fetch);
  expect(answer.stop_words).toEqual(expect.arrayContaining(["the", "of", "now"]));
  expect(answer.onboarding_steps).toContainEqual({ type: "one_time_notice", name: "intro_inbox_view_modal" });
  expect(answer.realm_incoming_webhook_bots).toContainEqual(expect.objectContaining({ name: "github" }));
  const own = { stop_words: ["le", "la"], realm_incoming_webhook_bots: [{ name: "anvil" }], onboarding_steps: [] };
  const { stop_words, realm_incoming_webhook_bots } = await started(recorded(own))("owner", "POST", "/register", fetch);
  expect([stop_words, realm_incoming_webhook_bots]).toEqual([own.stop_words, own.realm_incoming_webhook_bots]);
  expect(
    await started(recorded(own))("owner", "POST", "/register", { fetch_event_types: ["realm"] }),
  ).not.toHaveProperty("stop_words");
});
