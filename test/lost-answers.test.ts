import { describe, expect, test } from "vitest";
import { kinds } from "../src/kinds/registry.ts";
import { liveObjects } from "../src/model/kind.ts";
import { unresolvedIn } from "../src/model/plan.ts";
import { Realm } from "../src/model/realm.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { plannedCases } from "./support/cases.ts";
import { oneIn } from "./support/sample.ts";
import { must, World } from "./support/world.ts";

const KINDS =
  /^(?:(?:linkifier|domain|navigation-view|invite|invite-link|emoji|profile-field|bot|user-defaults|playground)\/|settings\/(?:pictures|code-language)|person\/role-and-rights)/;

const plans = (await plannedCases()).filter(({ name }) => KINDS.test(name));
const cases = plans.flatMap(({ name, yaml, live, plan }) =>
  plan.ok ? plan.value.calls.map(({ n, operation }) => ({ name, yaml, live, plan: plan.value, n, operation })) : [],
);

test("there are such cases", () => expect(cases.length).toBeGreaterThan(80));

const UNSEEN: ReadonlySet<string> = new Set(["invite/invited-twice", "emoji/replace"]);

/** Every object as a file would write it; of each invitation, the address and the role. */
function objectsOf(snapshot: Snapshot) {
  const realm = new Realm(snapshot);
  return {
    objects: kinds.map((kind) => [
      kind.name,
      (liveObjects(kind, realm) ?? []).map(({ name, fields }) => ({ name, fields })),
    ]),
    invites: snapshot.invites?.map(({ email, invited_as }) => [email, invited_as]).sort(),
  };
}

const ended = new Map<string, Promise<unknown>>();
/** The state after a run without a fault; computed once for each case. */
function calm(name: string, run: () => Promise<unknown>): Promise<unknown> {
  const known = ended.get(name) ?? run();
  ended.set(name, known);
  return known;
}

describe("the answer to one request is lost after the request was carried out", () => {
  test.each(oneIn(12, cases))("$name, call $n ($operation)", async ({ name, yaml, live, plan, n }) => {
    const expected = await calm(name, async () => {
      const quiet = new World(live);
      await quiet.apply(plan, yaml);
      return objectsOf(await quiet.read());
    });

    const world = new World(live);
    let sent = 0;
    const result = await world.apply(plan, yaml, undefined, (answer) => {
      sent += 1;
      return sent === n
        ? { outcome: "unknown", reason: { is: "no-answer", why: { quoted: "the connection was lost" } } }
        : answer;
    });
    // Nothing is carried out twice, and the next plan does whatever was not carried out because of the lost answer.
    expect(result.conflicts).toEqual([]);
    // If an address has two open invitations, nothing shows which one was revoked: a second revocation is refused, and harmless.
    // Nothing shows either whether a picture has replaced another: by then the name is taken.
    const most = plan.calls.length + (UNSEEN.has(name) ? 1 : 0);
    expect(world.writes).toBeLessThanOrEqual(most);
    const again = must(await world.plan(yaml));
    if (again.calls.length > 0) await world.apply(again, yaml);
    expect(objectsOf(await world.read())).toEqual(expected);
    expect(world.writes).toBeLessThanOrEqual(most + again.calls.length);
  });

  test("a whole run ends even if every answer is lost", async () => {
    const whole = cases.filter(({ n, name }) => n === 1 && !name.startsWith("invite/") && !UNSEEN.has(name));
    for (const { yaml, live, plan } of oneIn(3, whole)) {
      const world = new World(live);
      const lost = {
        outcome: "unknown",
        reason: { is: "no-answer", why: { quoted: "the connection was lost" } },
      } as const;
      const result = await world.apply(plan, yaml, undefined, () => lost);
      // A plan that leaves something out does not do all of the file, with whatever answers.
      expect(result.outcome).toBe(unresolvedIn(plan).length === 0 ? "applied" : "in-part");
      expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
      expect(world.writes).toBe(plan.calls.length);
    }
  });
});
