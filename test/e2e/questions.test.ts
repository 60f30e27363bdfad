import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTests } from "./world.ts";

// A question about access that is answered from the server reads everything that its file needs.

// Not tomorrow: midnight may pass before the last command.
const soon = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
const FILE = `version: 1
channels:
  general: {description: Everything}
invites:
  - emails: [nora@acme.example]
    send_until: ${soon}
`;
const RULES = "version: 1\ntests: [{name: A, who: {role: member}, can: {read: general}}]\n";

const world = worldOfTests({ files: { "realm.yaml": FILE, "realm.test.yaml": RULES } });

test.each(["access --plan", "access --plan realm.yaml #general", "test --live", "plan --rehearse"])(
  "%s has nothing to warn about",
  async (command) => {
    const { code, err } = await world.realmctl(command);
    expect({ code, err }).toEqual({ code: EXIT.done, err: "" });
  },
);
