import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { draft as draftOf } from "../../test/support/changes.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Address } from "../model/plan.ts";
import { OPERATIONS } from "../zulip/operations.ts";
import { EFFECTS, mayOpen, type Sent, stepOf } from "./exposure-steps.ts";

const sent = (operation: string, params: DraftCall["params"] = {}, more: Partial<DraftCall> = {}): Sent =>
  draftOf(operation, "user_group:crew", ["members"], { params, ...more });
const about = (...addresses: readonly Address[]): Partial<DraftCall> => ({
  for: addresses.map((address) => ({ address, fields: ["description"] })),
});

describe("whether somebody may temporarily hold a right", () => {
  test.each<{ fact: string; drafts: readonly Sent[]; may: boolean }>([
    {
      fact: "not if each channel is written only once",
      drafts: [sent("update-stream", {}, about("channel:a")), sent("update-stream", {}, about("channel:b"))],
      may: false,
    },
    {
      fact: "if a channel is written twice",
      drafts: [sent("update-stream", {}, about("channel:a")), sent("subscribe", {}, about("channel:b", "channel:a"))],
      may: true,
    },
  ])("$fact", ({ drafts, may }) => expect(mayOpen(drafts)).toBe(may));
});

describe("the effect of a request on the holders of a right", () => {
  const parts = sent("x").for;
  const made = { creates: ["channel:hall"] } as const;
  const ofOwner = { path: { bot_id: 17 }, for: [{ address: "person:ada", fields: ["deactivated"] }] } as const;

  test.each<{ fact: string; draft: Sent; step: ReturnType<typeof stepOf> }>([
    {
      fact: "people are added to a group",
      draft: sent("update-user-group-members", { add: [1, { idOf: "bot:x" }] }),
      step: { parts, half: "adding", members: { add: [1], delete: [] } },
    },
    {
      fact: "people are added and removed",
      draft: sent("update-user-group-members", { add: [1], delete: [2] }),
      step: { parts, half: "whole", members: { add: [1], delete: [2] } },
    },
    {
      fact: "people are subscribed",
      draft: sent("subscribe", { principals: [1, { idOf: "bot:x" }] }),
      step: { parts, half: "adding", people: [1] },
    },
    {
      fact: "people are unsubscribed",
      draft: sent("unsubscribe", { principals: [1] }),
      step: { parts, half: "removing", people: [1] },
    },
    {
      fact: "a channel is created with its subscribers",
      draft: sent("subscribe", { principals: [1] }, made),
      step: { parts, half: "whole" },
    },
    {
      fact: "a bot is deactivated with its owner",
      draft: sent("deactivate-bot", {}, ofOwner),
      step: { parts: [], half: "whole", leaving: [17] },
    },
    {
      fact: "a bot that this plan creates is deactivated",
      draft: sent("deactivate-bot", {}, { ...ofOwner, path: { bot_id: { idOf: "bot:x" } } }),
      step: { parts: ofOwner.for, half: "whole" },
    },
    {
      fact: "the owner of a bot changes",
      draft: sent("update-bot", {}, ofOwner),
      step: { parts: ofOwner.for, half: "whole" },
    },
  ])("$fact", ({ draft, step }) => expect(stepOf(draft)).toEqual(step));
});

/** Requests of plans that move nobody who is there between groups, and by which nobody joins or can no longer join. */
const OTHERS = {
  "channels and what is in them: who reads them follows from groups and settings":
    "create-channel update-stream archive-stream subscribe unsubscribe create-channel-folder update-channel-folder patch-channel-folders",
  "settings: those that decide it are known by their names, whatever request sends them":
    "update-realm update-user-group",
  "somebody who is new, and whom nobody was before": "create-bot",
  "what the organization offers to everybody":
    "update-realm-user-settings-defaults add-default-stream remove-default-stream " +
    "upload-realm-icon remove-realm-icon upload-realm-logo remove-realm-logo upload-custom-emoji deactivate-custom-emoji add-code-playground remove-code-playground " +
    "add-linkifier update-linkifier remove-linkifier reorder-linkifiers create-custom-profile-field update-custom-profile-field " +
    "remove-custom-profile-field reorder-custom-profile-fields add-navigation-view edit-navigation-view remove-navigation-view",
};

test("of each request that a plan can send, somebody decided whether it moves people, lets them join, or ends an invitation", () => {
  const folder = join(import.meta.dirname, "../kinds");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const code = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  const sent = OPERATIONS.filter(({ name, repeat }) => repeat !== "read" && code.includes(`"${name}"`));
  const decided = [...Object.keys(EFFECTS), ...Object.values(OTHERS).flatMap((names) => names.split(" "))];
  expect(decided.sort()).toEqual(sent.map(({ name }) => name).sort());
});
