import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "./world.ts";

test("undoing a run that sent invitations revokes those that are still open", async () => {
  const world = await World.start();
  try {
    const before = world.sandbox.state().invites.length;
    world.file(
      "realm.yaml",
      "version: 1\ninvites:\n  - {emails: [newcomer@acme.example], send_until: 2099-01-01, channels: [general]}\n",
    );
    expect((await world.realmctl("apply --yes")).code).toBe(EXIT.done);
    expect(world.sandbox.state().invites).toHaveLength(before + 1);
    const [journal = ""] = world.journals();
    const undone = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
    expect(undone.code, undone.out + undone.err).toBe(EXIT.done);
    expect(world.sandbox.state().invites).toHaveLength(before);
  } finally {
    await world.end();
  }
});
