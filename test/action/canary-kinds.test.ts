import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Dice } from "../fuzz/mutate.ts";
import { repositoryOfTests, SHA, type Step } from "./runner.ts";

const repository = repositoryOfTests();

const PICTURE = readFileSync(new URL("../../fixtures/pictures/forge.gif", import.meta.url));
const PERSON = { email: "hana@acme.example", full_name: "Hana Sato", user_id: 13 };
const PENDING = "pending.canary@hidden.example";

/** Sent by the owner, directly through the API; with a picture if one is required. */
async function ask(
  path: string,
  params: { readonly [name: string]: unknown },
  { method = "POST", picture = false } = {},
): Promise<{ readonly [key: string]: unknown }> {
  const { world } = repository;
  const { ZULIP_EMAIL, ZULIP_API_KEY } = world.credentials();
  const body = picture ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    body.append(name, typeof value === "string" ? value : JSON.stringify(value));
  if (body instanceof FormData) body.set("filename", new Blob([PICTURE], { type: "image/gif" }), "x.gif");
  const headers = { authorization: `Basic ${Buffer.from(`${ZULIP_EMAIL}:${ZULIP_API_KEY}`).toString("base64")}` };
  const response = await world.sandbox.fetch(new Request(`${world.url}/api/v1${path}`, { method, headers, body }));
  const answer: { readonly [key: string]: unknown } = JSON.parse(await response.text());
  if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** A name in the form that emoji, addresses of bots and URLs have. */
const joined = (name: string, sign: string): string =>
  name
    .replace(/[^\p{L}\p{N}]+/gu, sign)
    .replace(/\P{ASCII}/gu, "o")
    .toLowerCase();

/** A private channel, a person whom no file names and somebody who is invited, all mentioned in every field that has a text. */
async function realmFullOf(name: string, dice: Dice): Promise<{ readonly [what: string]: string }> {
  const { world } = repository;
  await ask("/users/me/subscriptions", { subscriptions: [{ name, description: `for ${name}` }], invite_only: true });
  const id = world.channel(name).stream_id;
  const [under, hyphens] = [joined(name, "_"), joined(name, "-")];
  const text = (most = 1000): string =>
    dice
      .one([
        `about ${name} soon`,
        `see #**${name}**`,
        `by ${PERSON.full_name}`,
        `mail ${PERSON.email}`,
        `https://chat.example.org/#narrow/channel/${id}-${hyphens}`,
        `the ${hyphens} things`,
        under,
      ])
      .slice(0, most);
  const terms = { stream_ids: [id], invite_as: 400, invite_expires_in_minutes: 10_000 };
  await ask("/invites", { invitee_emails: PENDING, ...terms });
  const { invite_link } = await ask("/invites/multiuse", terms);
  const { api_key } = await ask("/bots", { full_name: `${under} bot`, short_name: hyphens, bot_type: 1 });
  await ask("/bots/17", { bot_owner_id: PERSON.user_id }, { method: "PATCH" });
  for (const emoji of [under, "forge"]) await ask(`/realm/emoji/${emoji}`, {}, { picture: true });
  const url_template = `https://play.example.org/${hyphens}?code={code}`;
  await ask("/realm/playgrounds", { name: text(60), pygments_language: "Rust", url_template });
  const field_data = { "0": { text: text(), order: "1" }, "1": { text: "Leeds", order: "2" } };
  await ask("/realm/profile_fields", { name: "Site", hint: text(78), field_type: 3, field_data });
  await ask("/realm/profile_fields", { name: text(38), hint: "", field_type: 1 });
  await ask("/realm/filters", { pattern: "KM-(?P<id>[0-9]+)", url_template: `https://w.example.org/${hyphens}/{id}` });
  await ask("/realm/filters", { pattern: `${hyphens}-(?P<id>[0-9]+)`, url_template: "https://w.example.org/{id}" });
  await ask("/user_groups/create", { name: "leads", description: text(), members: [PERSON.user_id] });
  await ask("/channel_folders/create", { name: "Works", description: text() });
  const settings = {
    description: text(),
    welcome_message_custom_text: text(),
    new_stream_announcements_stream_id: id,
    moderation_request_channel_id: id,
    can_create_public_channel_group: { new: { direct_members: [PERSON.user_id], direct_subgroups: [] } },
  };
  await ask("/realm", settings, { method: "PATCH" });
  return { name, quoted: JSON.stringify(name).slice(1, -1), under, hyphens, link: `${invite_link}`, key: `${api_key}` };
}

const POLICY = "policy: {limits: {removals: 20, data_deleted: 5, renames: 5, opened: 5}}\n";
const BASE = `version: 1\n${POLICY}channels: {general: {description: Everything}}\n`;
const HEAD = `version: 1
manage: {bots: exact, emoji: exact, playgrounds: exact, profile_fields: exact, invite_links: exact, linkifiers: exact, channel_folders: exact}
channel_folders: {}
${POLICY}settings:
  description: Something
  welcome_message_custom_text: Hi
  new_stream_announcements_channel: general
  permissions: {can_create_public_channel_group: role:members}
people: {elif@acme.example: {role: moderator}}
bots: {deploy-bot: {owner: ada@acme.example, full_name: Deployer}}
channels: {general: {description: Everything}}
user_groups: {leads: {description: Who leads, members: [ada@acme.example]}}
profile_fields: [{name: Site, type: select, hint: where, options: [Leeds]}]
emoji: {anvil: {image: forge.gif}}
playgrounds: [{language: Rust, name: Rust, url_template: 'https://play.example.org/?code={code}'}]
linkifiers: [{pattern: 'W-(?P<id>[0-9]+)', url_template: 'https://w.example.org/{id}'}]
invite_links: [{expires_on: 2099-01-01, channels: [general]}]
`;
/** Manages everything and wants nothing, so everything that exists is drift. */
const EMPTY = `${BASE}bots: {}\nemoji: {}\nprofile_fields: []\nplaygrounds: []\ninvite_links: []\nlinkifiers: []\nuser_groups: {}\nsettings: {name: Acme}\n`;

function put(text: string): void {
  const { github } = repository;
  repository.pull(BASE, text);
  github.git.commits[SHA.main] = { "realm.yaml": text };
  github.merged[SHA.main] = { number: 7, head: SHA.head };
  for (const sha of [SHA.head, SHA.base, SHA.merge])
    github.commits[sha] = { ...github.commits[sha], "forge.gif": PICTURE.toString("latin1") };
  writeFileSync(join(repository.workspace, "forge.gif"), PICTURE);
}

test.each([
  { name: "Kilimanjaro Merger", seed: 4 },
  { name: 'Board "Zanzibar" Room', seed: 2 },
])("$name, a person and links are shown by no kind of object", async ({ name, seed }) => {
  const { github } = repository;
  const canaries = await realmFullOf(name, new Dice(seed));
  const steps: Step[] = [];
  const drift = { event: "schedule", sha: SHA.main, inputs: { "adopt-pull-request": "true" } } as const;
  put(HEAD);
  steps.push(await repository.run("plan"), await repository.run("drift", drift));
  put(EMPTY);
  steps.push(await repository.run("snapshot", { event: "push", sha: SHA.main }), await repository.run("drift", drift));
  put(HEAD);
  steps.push(await repository.run("apply", { event: "push", sha: SHA.main, inputs: { reviewed: "ignore" } }));
  expect(
    steps.map(({ code }) => code),
    steps[0]?.log,
  ).toEqual([0, 2, 0, 2, 0]);
  const files = steps.flatMap(({ outputs }) => Object.values(outputs).filter((value) => existsSync(value)));
  const shown = [
    repository.published(steps),
    JSON.stringify([github.git.pulls, github.git.commits]),
    ...files.map((file) => readFileSync(file, "utf8")),
  ]
    .join("\n")
    .toLowerCase();
  for (const [what, canary] of Object.entries({ ...canaries, ...PERSON, pending: PENDING }))
    if (typeof canary === "string") expect(shown, what).not.toContain(canary.toLowerCase());
  // All of it could have been revealed.
  for (const there of ["person 13", "the option", "left out: it mentions", "account 6", "private-channel-"])
    expect(shown).toContain(there);
});
