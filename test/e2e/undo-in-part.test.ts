import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import { flat, worldOfTest } from "./world.ts";

const FILE = `version: 1
settings: {description: Another one, permissions: {can_create_groups: role:moderators}}
channels:
  general: {description: Another one}
`;

test("an undo without all permissions restores what it can, says what it cannot, and ends as applied in part", async () => {
  const world = await worldOfTest({
    from: realmOf({ channels: [{ name: "general", description: "First" }] }),
  });
  await world.bringInLine(FILE);
  const [journal = ""] = world.journals();
  const line = `apply --yes --undo .realmctl/${journal}`;

  const refused = await world.realmctl(line, { as: "ben@acme.example" });
  expect([refused.code, refused.err]).toEqual([EXIT.conflict, expect.stringContaining("error[journal/foreign]")]);
  expect(world.channel("general").description).toBe("Another one");

  const byAdministrator = await world.realmctl(`${line} --foreign-journal`, { as: "ben@acme.example" });
  expect(byAdministrator.code, byAdministrator.err + byAdministrator.out).toBe(EXIT.appliedInPart);
  expect(flat(byAdministrator.err)).toContain(
    "Not undone: settings can_create_groups stays: Ben Lindqvist (ben@acme.example), the account that runs this, may not",
  );
  expect(flat(byAdministrator.out)).toContain("Applied in part: done 2");
  expect(world.channel("general").description).toBe("First");

  // Only changes that this account may not make are left: that is an error, not a part.
  const again = await world.realmctl(`${line} --foreign-journal`, { as: "ben@acme.example" });
  expect([again.code, flat(again.err)]).toEqual([EXIT.notAllowed, expect.stringContaining("settings/owner-only")]);

  const byOwner = await world.realmctl(line);
  expect([byOwner.code, byOwner.err]).toEqual([EXIT.done, expect.not.stringContaining("Not undone")]);
  const plan = await world.realmctl("plan");
  expect(plan.out).toContain("can_create_groups");
});
