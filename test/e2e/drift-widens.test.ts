import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Drifted } from "../../src/model/plan.ts";
import { realmOf } from "../support/realm.ts";
import { worldOfTests } from "./world.ts";

// What a drift says about access is what somebody did: who can do more, or less, than if the organization matched the file.

const world = worldOfTests({
  from: realmOf({
    user_groups: [{ name: "keepers", members: ["ada@acme.example"] }],
    channels: [{ name: "vault", invite_only: true }, { name: "lobby" }],
    subscribers: {
      vault: ["ada@acme.example", "deploy-bot@localhost"],
      lobby: ["ada@acme.example"],
    },
  }),
});

const patch = (path: string, params: { readonly [name: string]: unknown }) =>
  world.edit("ada@acme.example", "PATCH", path, params);
const stream = () => `/streams/${world.channel("vault").stream_id}`;
const VAULT = "subscribers: {users: [ada@acme.example, deploy-bot@localhost]}";
const BOTS = "bots:\n  deploy-bot: {owner: ada@acme.example}\n";

interface Way {
  readonly what: string;
  readonly file: string;
  /** Brings the organization in line with the file, where it is not. */
  readonly first?: () => Promise<void>;
  readonly byHand: () => Promise<void>;
  /** Of each object that differs; one word is of the only one. */
  readonly access: Drifted | readonly Drifted[];
}

const WAYS: readonly Way[] = [
  {
    what: "a bot that reads a private channel has another owner",
    file: BOTS,
    first: () => patch(`/bots/${world.person("deploy-bot@localhost")}`, { bot_owner_id: world.person("ada") }),
    byHand: () => patch(`/bots/${world.person("deploy-bot@localhost")}`, { bot_owner_id: world.person("dmitri") }),
    access: "widens",
  },
  {
    what: "a bot has another owner, and the subscribers were read",
    file: `${BOTS}channels: {vault: {privacy: private_shared_history, ${VAULT}}}\n`,
    first: () => patch(`/bots/${world.person("deploy-bot@localhost")}`, { bot_owner_id: world.person("ada") }),
    byHand: () => patch(`/bots/${world.person("deploy-bot@localhost")}`, { bot_owner_id: world.person("dmitri") }),
    access: "widens",
  },
  {
    what: "a bot is reactivated",
    file: "bots: {ci-bot: {deactivated: true}}\n",
    byHand: async () => {},
    access: "widens",
  },
  {
    what: "a person is reactivated",
    file: "people: {elif@acme.example: {deactivated: true}}\n",
    byHand: async () => {},
    access: "widens",
  },
  {
    what: "a guest becomes a member",
    file: "people: {elif@acme.example: {role: guest}}\n",
    byHand: async () => {},
    access: "widens",
  },
  {
    what: "a member becomes a guest",
    file: "people: {elif@acme.example: {role: member}}\n",
    byHand: () => patch(`/users/${world.person("elif")}`, { role: 600 }),
    access: "narrows",
  },
  {
    what: "protected history becomes shared",
    file: `channels: {vault: {privacy: private_protected_history, ${VAULT}, permissions: {can_subscribe_group: keepers}}}\n`,
    first: () => patch(stream(), { can_subscribe_group: { new: world.group("keepers") } }),
    byHand: async () => {},
    access: "widens",
  },
  {
    what: "a channel that members may join is unarchived",
    file: `channels: {vault: {archived: true, privacy: private_shared_history, ${VAULT}}}\n`,
    byHand: async () => {},
    access: "widens",
  },
  {
    what: "a channel is archived",
    file: `channels: {vault: {privacy: private_shared_history, ${VAULT}}}\n`,
    byHand: () => world.edit("ada@acme.example", "DELETE", stream(), {}),
    access: "narrows",
  },
  {
    what: "a private channel becomes public",
    file: `channels: {vault: {privacy: private_shared_history, ${VAULT}}}\n`,
    byHand: () => patch(stream(), { is_private: false }),
    access: "widens",
  },
  // To put back what opens is no risk, so no risk of a plan says these.
  {
    what: "everybody sees the addresses of new people",
    file: "user_defaults: {email_address_visibility: administrators}\n",
    byHand: () => patch("/realm/user_settings_defaults", { email_address_visibility: 1 }),
    access: "widens",
  },
  {
    what: "nobody sees the addresses of new people",
    file: "user_defaults: {email_address_visibility: members}\n",
    byHand: () => patch("/realm/user_settings_defaults", { email_address_visibility: 4 }),
    access: "narrows",
  },
  {
    what: "the waiting period ends",
    file: "settings: {waiting_period_threshold: 30d}\n",
    byHand: () => patch("/realm", { waiting_period_threshold: 0 }),
    access: "widens",
  },
  {
    what: "people can join without an invitation",
    file: "settings: {invite_required: true}\n",
    byHand: () => patch("/realm", { invite_required: false }),
    access: "widens",
  },
  {
    what: "links are shown with what is behind them",
    file: "settings: {inline_url_embed_preview: false}\n",
    byHand: () => patch("/realm", { inline_url_embed_preview: true }),
    access: "widens",
  },
  {
    what: "a method to sign in is switched off, and nobody gains anything by summaries",
    file: "settings: {digest_emails_enabled: true, authentication_methods: {Email: true, GitHub: true}}\n",
    byHand: () =>
      patch("/realm", { digest_emails_enabled: false, authentication_methods: { Email: true, GitHub: false } }),
    access: "narrows",
  },
  {
    what: "nobody is mailed a summary",
    file: "settings: {digest_emails_enabled: true}\n",
    byHand: () => patch("/realm", { digest_emails_enabled: false }),
    access: "same",
  },
  {
    what: "more people may make groups",
    file: "settings: {permissions: {can_create_groups: role:administrators}}\n",
    byHand: async () => {},
    access: "widens",
  },
  {
    what: "somebody comes into a group, and somebody leaves it",
    file: "user_groups: {keepers: {members: [elif@acme.example]}}\n",
    byHand: async () => {},
    access: "both",
  },
  {
    what: "everybody may join a group",
    file: "user_groups: {keepers: {permissions: {can_join_group: role:nobody}}}\n",
    byHand: () =>
      patch(`/user_groups/${world.group("keepers")}`, { can_join_group: { new: world.group("role:members") } }),
    access: "widens",
  },
  {
    what: "a group that people may join is deactivated",
    file: "user_groups: {keepers: {permissions: {can_manage_group: role:administrators, can_join_group: role:members}}}\n",
    first: async () => {
      await patch(`/user_groups/${world.group("keepers")}`, {
        can_join_group: { new: world.group("role:members") },
        can_manage_group: { new: world.group("role:administrators") },
      });
    },
    byHand: () => world.edit("ada@acme.example", "POST", `/user_groups/${world.group("keepers")}/deactivate`, {}),
    access: "narrows",
  },
  {
    what: "only the description of a group differs",
    file: "user_groups: {keepers: {description: They keep it}}\n",
    byHand: async () => {},
    access: "same",
  },
  {
    what: "somebody is deactivated, and of a channel only the description differs",
    file: "people: {elif@acme.example: {deactivated: false}}\nchannels: {lobby: {description: Come in}}\n",
    byHand: () => world.edit("ada@acme.example", "DELETE", `/users/${world.person("elif")}`, {}),
    access: ["narrows", "same"],
  },
  {
    what: "a member becomes a guest, and of a group only the description differs",
    file: "people: {elif@acme.example: {role: member}}\nuser_groups: {keepers: {description: They keep it}}\n",
    byHand: () => patch(`/users/${world.person("elif")}`, { role: 600 }),
    access: ["narrows", "same"],
  },
  // Each is judged by itself: an alarm on what widens must not ring for the other one.
  {
    what: "a moderator becomes a member, who reads a channel that is in use again",
    file: "people: {dmitri@acme.example: {role: moderator}}\nchannels: {lobby: {archived: true}}\n",
    byHand: async () => {},
    access: ["narrows", "widens"],
  },
  {
    what: "a member becomes a guest, and everybody may join a group",
    file: "people: {elif@acme.example: {role: member}}\nuser_groups: {keepers: {permissions: {can_join_group: role:nobody}}}\n",
    byHand: async () => {
      await patch(`/users/${world.person("elif")}`, { role: 600 });
      await patch(`/user_groups/${world.group("keepers")}`, { can_join_group: { new: world.group("role:members") } });
    },
    access: ["narrows", "widens"],
  },
  {
    what: "a guest becomes a member, and a channel that members may join is archived",
    file: `people: {elif@acme.example: {role: guest}}\nchannels: {lobby: {privacy: public}}\n`,
    byHand: () => world.edit("ada@acme.example", "DELETE", `/streams/${world.channel("lobby").stream_id}`, {}),
    access: ["widens", "narrows"],
  },
];

test.each(WAYS)("$what", async ({ file, first, byHand, access }) => {
  world.file("realm.yaml", `version: 1\n${file}`);
  await first?.();
  await byHand();
  const ran = await world.realmctl("drift --format json");
  expect(ran.code, ran.err + ran.out).toBe(EXIT.changesPending);
  const { differences } = JSON.parse(ran.out);
  const said = [access].flat();
  expect(differences.map((one: { access: string }) => one.access)).toEqual(said);
  const told = (await world.realmctl("drift")).out.replaceAll(/\s+/g, " ");
  expect(told.includes("widens access")).toBe(said.includes("widens") || said.includes("both"));
  expect(told.includes("takes access away")).toBe(said.includes("narrows") || said.includes("both"));
});
