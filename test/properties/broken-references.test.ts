import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../e2e/world.ts";
import fc from "../support/random.ts";
import { options, TIMEOUT_MS } from "./begin.ts";

/*
 * Somebody breaks names of a file by hand, in any combination, and opens a private channel in the same hour: drift names the channel and every name, an
 * unrelated change is applied, and after adopt nothing is left.
 */

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** The file; `desk` has the unrelated change. */
const fileOf = (desk: string): string => `version: 1
user_groups:
  crew: {description: Night crew, members: [farah@acme.example, elif@acme.example, ada@acme.example]}
settings: {signup_announcements_channel: news}
channels:
  gate: {folder: Ops, permissions: {can_send_message_group: staff}}
  yard: {description: Yard, permissions: {can_resolve_topics_group: {users: [elif@acme.example, ada@acme.example]}}}
  desk: {description: ${desk}}
  vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example]}}
default_channels: [general, board]
`;

interface Breaking {
  readonly by: string;
  readonly edit: () => readonly [
    as: string,
    method: string,
    path: string,
    params: { readonly [name: string]: unknown },
  ];
  /** What drift says about it. */
  readonly says: string;
}

const id = (name: string): number => world.channel(name).stream_id;
const folder = (): number =>
  Object.values(world.sandbox.state().channel_folders).find(({ name }) => name === "Ops")?.id ?? 0;

const BREAKINGS: readonly Breaking[] = [
  {
    by: "a hidden address",
    edit: () => ["member3", "PATCH", "/settings", { email_address_visibility: 4 }],
    says: "{id: 11}",
  },
  { by: "a deactivated person", edit: () => ["owner", "DELETE", "/users/10", {}], says: "elif@acme.example" },
  {
    by: "a renamed group",
    edit: () => ["owner", "PATCH", `/user_groups/${world.group("staff")}`, { name: "team" }],
    says: '"team"',
  },
  {
    by: "a renamed folder",
    edit: () => ["owner", "PATCH", `/channel_folders/${folder()}`, { name: "Operations" }],
    says: '"Operations"',
  },
  { by: "an archived channel", edit: () => ["owner", "DELETE", `/streams/${id("news")}`, {}], says: '"news"' },
  {
    by: "a renamed channel",
    edit: () => ["owner", "PATCH", `/streams/${id("news")}`, { new_name: "paper" }],
    says: '"news"',
  },
  {
    by: "a default channel that is private",
    edit: () => ["owner", "PATCH", `/streams/${id("board")}`, { is_private: true, is_default_stream: false }],
    says: "board",
  },
];

const spaced = (text: string): string => text.replaceAll(/\s+/g, " ");

async function tried(breakings: readonly Breaking[]): Promise<void> {
  world.restart();
  await world.edit("owner", "POST", "/user_groups/create", { name: "staff", description: "", members: [6, 7] });
  await world.edit("owner", "POST", "/channel_folders/create", { name: "Ops", description: "" });
  for (const name of ["news", "board"])
    await world.edit("owner", "POST", "/users/me/subscriptions", { subscriptions: [{ name }] });
  world.file("realm.yaml", fileOf("Before"));
  expect((await world.realmctl("apply --yes")).code).toBe(0);
  await world.edit("owner", "PATCH", `/streams/${id("vault")}`, { is_private: false });
  for (const { edit } of breakings) await world.edit(...edit());

  const drift = await world.realmctl("drift --all");
  expect(drift.code, drift.err).toBe(2);
  for (const text of ["#vault", "widens access", ...breakings.map(({ says }) => says)])
    expect(spaced(drift.out)).toContain(text);

  world.file("realm.yaml", fileOf("After"));
  const plan = await world.realmctl("plan");
  expect(plan.code, plan.err).toBe(1);
  const applied = await world.realmctl("apply --yes");
  expect(applied.code, applied.out + applied.err).toBe(5);
  expect(world.channel("desk").description).toBe("After");
  expect(world.channel("vault").invite_only).toBe(true);

  const adopted = await world.realmctl("adopt --all --yes");
  expect([0, 2], adopted.err).toContain(adopted.code);
  const after = await world.realmctl("plan --detailed-exit-code");
  if (adopted.code === 0) expect(after.code, `${after.out}${after.err}\n${world.read("realm.yaml")}`).toBe(0);
  else expect(adopted.err).toContain("Not taken");
}

test(
  "drift names all of them, an unrelated change lands, and adopt takes them or says what it leaves",
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...BREAKINGS), { minLength: 1, maxLength: 4 }),
        async (chosen) => {
          const isTwice = chosen.filter(({ by }) => by.endsWith(" channel")).length > 1;
          await tried(isTwice ? chosen.filter(({ by }) => by !== "a renamed channel") : chosen);
        },
      ),
      { numRuns: Math.ceil(options.numRuns / 10) },
    ),
  TIMEOUT_MS,
);
