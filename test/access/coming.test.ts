import { describe, expect, test } from "vitest";
import { AccessForm } from "../../src/model/access-form.ts";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { type Overlay, realmOf } from "../support/realm.ts";

/** What `access` says of those who do not read a channel yet, and of what the account that reads cannot see. */
const BASE: Overlay = {
  channels: [
    { name: "vault", invite_only: true, can_subscribe_group: "staff" },
    { name: "old", invite_only: true, can_subscribe_group: "staff", is_archived: true },
    { name: "closed", invite_only: true },
  ],
  subscribers: { vault: ["ada@acme.example"], old: ["ada@acme.example"], closed: ["ada@acme.example"] },
  user_groups: [
    { name: "staff", members: ["hana@acme.example"], subgroups: [], can_join_group: "crew" },
    { name: "crew", members: ["elif@acme.example"], subgroups: [] },
  ],
  settings: { can_manage_all_groups: 10 },
};

async function asked(words: readonly string[], overlay: Overlay = {}, file = "") {
  const files = { "s.json": snapshotText(realmOf({ ...BASE, ...overlay })), "realm.yaml": `version: 1\n${file}` };
  const { out, err } = await runCommandLine(["access", ...words, "--snapshot", "s.json"], { files });
  expect(err).not.toContain("error[");
  return out;
}
const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

describe("who can come to read a private channel", () => {
  test.each([
    ["a channel", ["#vault"], "Elif Demir can join staff, and then read it."],
    ["a person", ["elif@acme.example"], "Can join staff, and then read #vault and #old."],
    ["a person, by one right", ["elif@acme.example", "--right", "read"], "Can join staff, and then read #vault"],
    ["an invented person", ["--as", "member", "--groups", "crew"], "Can join staff, and then read #vault and #old."],
  ])("is said of %s", async (_, words, says) => {
    expect(flat(await asked(words))).toContain(says);
  });

  test("an archived channel lets its group subscribe, and others join the group", async () => {
    expect(flat(await asked(["#old"]))).toMatch(/Elif Demir and Hana Sato can join staff, and then read it\./);
    const subscribing = {
      ...BASE,
      channels: [{ name: "old", invite_only: true, can_subscribe_group: "crew", is_archived: true }],
    };
    expect(flat(await asked(["#old"], subscribing))).toContain("Elif Demir can subscribe, and then read it.");
  });

  test.each([
    ["nobody can", ["#closed"]],
    ["another right is asked for", ["#vault", "--right", "post"]],
    ["another right is asked for, of a person", ["elif@acme.example", "--right", "post"]],
    ["the person reads it", ["ada@acme.example"]],
    ["the person cannot", ["gustavo@acme.example"]],
  ])("is not said if %s", async (_, words) => {
    expect(await asked(words)).not.toContain("and then read");
  });

  test.each([["#vault"], ["elif@acme.example"]])("is in every other format: %s", async (question) => {
    const json: unknown = JSON.parse(await asked([question, "--format", "json"]));
    expect(AccessForm.safeParse(json).error).toBeUndefined();
    expect(json).toMatchObject({
      coming: question.startsWith("#")
        ? { people: [10], groups: ["staff"] }
        : [
            { on: "channel:vault", groups: ["staff"] },
            { on: "channel:old", groups: ["staff"] },
          ],
    });
    expect(await asked([question, "--format", "csv"])).toContain("#vault,come to read,,elif@acme.example");
    expect(await asked([question, "--format", "html"])).toContain("can join staff, and then read");
  });

  test("the JSON of people who act through bots has its form, too", async () => {
    const bots = { subscribers: { ...BASE.subscribers, vault: ["deploy-bot@localhost"] } };
    for (const question of ["#vault", "ada@acme.example"])
      expect(AccessForm.safeParse(JSON.parse(await asked([question, "--format", "json"], bots))).error).toBeUndefined();
  });
});

describe("an account that is no administrator", () => {
  const chiara = { account: "chiara@acme.example" };
  const note = "private channels that it does not see are not in this answer";
  const PLAN = ["--plan", "realm.yaml"];

  test.each([["elif@acme.example"], ["--as", "guest"], PLAN])(
    "is told what is not in an answer: %s",
    async (...words) => {
      expect(flat(await asked(words, chiara))).toContain(note);
      expect(JSON.parse(await asked([...words, "--format", "json"], chiara))).toMatchObject({ hides_channels: true });
      expect(flat(await asked(words))).not.toContain(note);
    },
  );
});

describe("invitations that were not read", () => {
  const opening = "channels: {closed: {permissions: {can_subscribe_group: role:moderators}}}\n";
  const note = "who accepts one may come to read #closed";
  const plan = async (overlay: Overlay, ...words: readonly string[]) =>
    flat(await asked([...words, "--plan", "realm.yaml"], overlay, opening));

  test("are named by an answer about a plan that depends on them", async () => {
    expect(await plan({})).toContain(note);
    expect(await plan({}, "#closed")).toContain(note);
    expect(await plan({}, "#vault")).not.toContain(note);
    expect(await plan({ invites: [] })).not.toContain(note);
    const json: unknown = JSON.parse(await plan({}, "--format", "json"));
    expect(AccessForm.safeParse(json).error).toBeUndefined();
    expect(json).toMatchObject({ unread_invitations: ["channel:closed"] });
  });
});
