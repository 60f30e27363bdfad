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

const crew = (permissions: string): string =>
  `version: 1\nuser_groups: {crew: {permissions: {${permissions}}}}\nchannels: {vault: {permissions: {can_subscribe_group: crew}}}\n`;

test.each(["can_join_group: role:members", "can_add_members_group: role:members", "can_manage_group: role:members"])(
  "the undo of a run that let people into a group that a private channel admits (%s) names who came into the group",
  async (permission) => {
    const world = await World.start();
    try {
      await vault(world);
      world.file(
        "realm.yaml",
        "version: 1\nuser_groups: {crew: {members: [farah@acme.example]}}\nchannels: {vault: {permissions: {can_subscribe_group: crew}}}\n",
      );
      const first = await world.realmctl("apply --yes --allow opened,people_gaining_access,unlisted_subscribers");
      expect(first.code, first.err + first.out).toBe(EXIT.done);
      const earlier = world.journals();
      world.file("realm.yaml", crew(permission));
      const applied = await world.realmctl("apply --yes --allow opened,people_gaining_access");
      expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
      const [journal = ""] = world.journals().filter((name) => !earlier.includes(name));
      await world.edit("ben@acme.example", "POST", `/user_groups/${world.group("crew")}/members`, {
        add: [world.person("ben@acme.example")],
      });
      const undone = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
      expect(undone.err.replaceAll(/\s+/g, " ")).toContain(
        "Not undone: #vault is still open to who came into a group since the run: Ben Lindqvist (in crew). Take out of the group by hand whoever must not read it",
      );
      expect(undone.code, undone.err + undone.out).toBe(EXIT.appliedInPart);
    } finally {
      await world.end();
    }
  },
);
