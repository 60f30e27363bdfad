import { expect, test } from "vitest";
import { answerAccess } from "../../src/workflow/access-answers.ts";
import { realmOf } from "../support/realm.ts";

// Administrators can make themselves the owner of any bot. No answer counts them for that, so it says so.
test.each([
  { what: "a bot reads it", subscribers: ["elif@acme.example", "ci-bot@localhost"], isSaid: true },
  {
    what: "a bot reads it, and so does every administrator",
    subscribers: ["elif@acme.example", "ci-bot@localhost", "ada@acme.example", "ben@acme.example", "kofi@acme.example"],
    isSaid: false,
  },
  {
    what: "an incoming webhook can only post",
    subscribers: ["elif@acme.example", "hook-bot@localhost"],
    isSaid: false,
  },
  { what: "no bot reads it", subscribers: ["elif@acme.example"], isSaid: false },
])("$what: $isSaid", async ({ subscribers, isSaid }) => {
  const snapshot = realmOf({ channels: [{ name: "vault", invite_only: true }], subscribers: { vault: subscribers } });
  const answer = await answerAccess({ question: "#vault" }, { from: "server", snapshot });
  expect(
    (answer.ok ? answer.value.replaceAll(/\s+/g, " ") : "").includes(
      "Administrators can take over a bot that reads it",
    ),
  ).toBe(isSaid);
});
