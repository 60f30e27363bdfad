import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { vault } from "./reproductions.ts";
import { World } from "./world.ts";

const channel = (fields: string): string => `version: 1\nchannels: {vault: {${fields}}}\n`;

test.each([
  { how: "by its privacy", yaml: channel("privacy: public"), isIn: true },
  { how: "by a setting", yaml: channel("permissions: {can_subscribe_group: role:members}"), isIn: true },
  { how: "and nobody came in", yaml: channel("privacy: public"), isIn: false },
])(
  "the undo of a run that opened a private channel $how names who came in by it, and stays",
  async ({ yaml, isIn }) => {
    const world = await World.start();
    try {
      await vault(world);
      world.file("realm.yaml", yaml);
      const applied = await world.realmctl("apply --yes --allow opened,people_gaining_access");
      expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
      const [journal = ""] = world.journals();
      if (isIn)
        await world.edit("ben@acme.example", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "vault" }] });
      const undone = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
      const said = undone.err.replaceAll(/\s+/g, " ");
      const names =
        "Not undone: #vault keeps subscribers who came in since the run and would still read it: Ben Lindqvist.";
      if (isIn) expect(said).toContain(names);
      else expect(said).not.toContain("Not undone");
      expect(undone.code, undone.err + undone.out).toBe(isIn ? EXIT.appliedInPart : EXIT.done);
    } finally {
      await world.end();
    }
  },
);
