import { expect, test } from "vitest";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { realmOf } from "../support/realm.ts";
import { adopted, one, planned } from "./files.ts";

/** The ids of the base realm: Farah Haddad and Gustavo Rocha. */
const [FARAH, GUSTAVO] = ["farah@acme.example", "gustavo@acme.example"];

/** The same organization, in which these people hide their addresses. */
function hiding(snapshot: Snapshot, ...emails: readonly string[]): Snapshot {
  const isOne = (email: string | null): boolean => email !== null && emails.includes(email);
  return {
    ...snapshot,
    users: snapshot.users.map((user) => (isOne(user.delivery_email) ? { ...user, delivery_email: null } : user)),
  };
}

const idOf = ({ users }: Snapshot, email: string): number =>
  users.find(({ delivery_email }) => delivery_email === email)?.user_id ?? Number.NaN;

const MEMBERS = ["ada@acme.example", FARAH, GUSTAVO, "hana@acme.example"];
const SNAPSHOT = realmOf({
  user_groups: [{ name: "crew", members: MEMBERS }],
  channels: [{ name: "vault", invite_only: true, history_public_to_subscribers: true }, { name: "yard" }],
  subscribers: { vault: MEMBERS, yard: MEMBERS },
});

const LISTS = [
  { what: "members", list: (users: string) => `user_groups:\n  crew:\n    members:\n${users}` },
  {
    what: "subscribers of a private channel",
    list: (users: string) =>
      `channels:\n  vault:\n    privacy: private_shared_history\n    subscribers:\n      users:\n${users}`,
  },
  {
    what: "subscribers of a public channel",
    list: (users: string) => `channels:\n  yard:\n    subscribers:\n      users:\n${users}`,
  },
];

test.each(LISTS)("$what: somebody who hides the address stays where the list names the person", async ({ list }) => {
  const text = (farah: string, gustavo: string): string =>
    `version: 1\n${list(`        - ${farah} # leads\n        # nights\n        - ${gustavo}\n        - hana@acme.example\n        - ada@acme.example # boss\n`)}`;
  const snapshot = hiding(SNAPSHOT, FARAH, GUSTAVO);
  const { files, left } = await adopted(one(text(FARAH, GUSTAVO)), snapshot);
  expect(files.get("realm.yaml")).toBe(text(`id: ${idOf(SNAPSHOT, FARAH)}`, `id: ${idOf(SNAPSHOT, GUSTAVO)}`));
  expect([left, (await planned(files, snapshot)).changes]).toEqual([0, []]);
});

test("a list in brackets keeps its order", async () => {
  const file = `version: 1\nuser_groups:\n  crew: {members: [${FARAH}, hana@acme.example, ${GUSTAVO}, ada@acme.example]} # four\n`;
  const { files } = await adopted(one(file), hiding(SNAPSHOT, FARAH));
  expect(files.get("realm.yaml")).toBe(file.replace(FARAH, `{id: ${idOf(SNAPSHOT, FARAH)}}`));
});

test("of a public channel, an address that nobody has stays if people are subscribed who hide theirs", async () => {
  const file = "version: 1\nchannels:\n  yard: {subscribers: {users: [fh@acme.example, ada@acme.example]}}\n";
  const { files, left } = await adopted(one(file), hiding(SNAPSHOT, FARAH, GUSTAVO));
  expect([files.get("realm.yaml"), left]).toEqual([file, 1]);
});

/** The organization as a member sees it, who does not see the address of anybody else. */
const MEMBER = ((): Snapshot => {
  const own = idOf(SNAPSHOT, "hana@acme.example");
  return {
    ...SNAPSHOT,
    account: { ...SNAPSHOT.account, user_id: own, role: 400 },
    users: SNAPSHOT.users.map((user) =>
      user.user_id === own || user.is_bot ? user : { ...user, delivery_email: null },
    ),
  };
})();

test.each([
  ...LISTS,
  {
    what: "subscribers of a profile",
    list: (users: string) =>
      `profiles:\n  team:\n    subscribers:\n      users:\n${users}channels:\n  yard: {profile: team}\n`,
  },
])("$what: addresses that only this account does not see stay, whoever was added", async ({ list }) => {
  const users = (...names: readonly string[]): string => names.map((name) => `        - ${name}\n`).join("");
  for (const names of [MEMBERS, MEMBERS.slice(1), [...MEMBERS, "kofi@acme.example"]]) {
    const file = `version: 1\n${list(users(...names))}`;
    const { files, left } = await adopted(one(file), MEMBER);
    expect([files.get("realm.yaml"), left]).toEqual([file, 1]);
  }
});

test("an owner whose address this account does not see stays, and the reason is told", async () => {
  const bot = MEMBER.users.find(
    ({ is_bot, bot_owner_id: owner }) => is_bot && owner === idOf(SNAPSHOT, "ada@acme.example"),
  );
  const name = bot?.email.split("@")[0] ?? "";
  const file = `version: 1\nbots:\n  ${name}: {full_name: Renamed, owner: ada@acme.example}\n`;
  const { files, reasons } = await adopted(one(file), MEMBER);
  expect(files.get("realm.yaml")).toBe(file.replace("Renamed", bot?.full_name ?? ""));
  expect(reasons.get(`bot:${name}`)).toEqual([{ why: "addresses-unseen", field: "owner" }]);
});
