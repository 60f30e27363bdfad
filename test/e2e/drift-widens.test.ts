import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import { World } from "./world.ts";

// What a drift says about access is what somebody did: who can do more, or less, than if the organization matched the file.

let world: World;
beforeAll(async () => {
  world = await World.start({
    from: realmOf({
      user_groups: [{ name: "keepers", members: ["ada@acme.example"] }],
      channels: [{ name: "vault", invite_only: true }, { name: "lobby" }],
      subscribers: {
        vault: ["ada@acme.example", "deploy-bot@localhost"],
        lobby: ["ada@acme.example"],
      },
    }),
  });
});
afterAll(() => world.end());
beforeEach(() => world.restart());

const id = (name: string): number =>
  world.sandbox.accounts[name.includes("@") ? name : `${name}@acme.example`]?.user_id ?? 0;
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
  readonly access: "widens" | "narrows" | "both";
}

const WAYS: readonly Way[] = [
  {
    what: "a bot that reads a private channel has another owner",
    file: BOTS,
    first: () => patch(`/bots/${id("deploy-bot@localhost")}`, { bot_owner_id: id("ada") }),
    byHand: () => patch(`/bots/${id("deploy-bot@localhost")}`, { bot_owner_id: id("dmitri") }),
    access: "widens",
  },
  {
    what: "a bot has another owner, and the subscribers were read",
    file: `${BOTS}channels: {vault: {privacy: private_shared_history, ${VAULT}}}\n`,
    first: () => patch(`/bots/${id("deploy-bot@localhost")}`, { bot_owner_id: id("ada") }),
    byHand: () => patch(`/bots/${id("deploy-bot@localhost")}`, { bot_owner_id: id("dmitri") }),
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
    byHand: () => patch(`/users/${id("elif")}`, { role: 600 }),
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
];

test.each(WAYS)("$what", async ({ file, first, byHand, access }) => {
  world.file("realm.yaml", `version: 1\n${file}`);
  await first?.();
  await byHand();
  const ran = await world.realmctl("drift --format json");
  expect(ran.code, ran.err + ran.out).toBe(EXIT.changesPending);
  const { differences } = JSON.parse(ran.out);
  expect(differences.map((one: { access: string }) => one.access)).toEqual([access]);
  const told = (await world.realmctl("drift")).out.replaceAll(/\s+/g, " ");
  expect(told.includes("widens access")).toBe(access !== "narrows");
  expect(told.includes("takes access away")).toBe(access !== "widens");
});
