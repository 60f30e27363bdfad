import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { change, EMPTY_PLAN, field, risk } from "../../test/support/example-plans.ts";
import fc from "../../test/support/random.ts";
import { realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { driftItems } from "../action/drift-issue.ts";
import { defined } from "../model/defined.ts";
import type { Change, Drifted, Risk } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Drift } from "../model/result.ts";
import { withDrifted } from "../plan/drifted.ts";
import { driftOf } from "../workflow/workflow.ts";
import { accessInPlan } from "./access.ts";
import { driftMomentJson, renderDrift, renderDriftMoment } from "./drift.ts";
import { renderDriftHtml } from "./html-drift.ts";
import { renderDriftJson } from "./json.ts";
import { PLAIN } from "./style.ts";

const WIDE = { ...PLAIN, width: 1000 };

interface Told {
  readonly widens: boolean;
  readonly narrows: boolean;
}

const inText = (text: string): Told => ({
  widens: text.includes("widens access"),
  narrows: text.includes("takes access away"),
});
const fromAccess = (access: unknown): Told => ({
  widens: access === "widens" || access === "both",
  narrows: access === "narrows" || access === "both",
});

/** The description of the only difference in each format. */
function shownOf(drift: Drift): readonly Told[] {
  const [item] = driftItems(drift, drift, undefined, "secret");
  const moment = {
    drift,
    appeared: drift.differences,
    ended: [],
    unmanagedNew: [],
    unmanagedGone: [],
    renamed: [],
    uncomparedNew: [],
    uncomparedGone: [],
  };
  return [
    inText(renderDrift(drift, { style: WIDE })),
    inText(renderDriftHtml(drift, accessInPlan(drift.plan))),
    inText(renderDriftMoment(moment, WIDE, false)),
    fromAccess(JSON.parse(renderDriftJson(drift)).differences[0].access),
    fromAccess(JSON.parse(driftMomentJson("change", moment)).appeared[0].access),
    // The issue has one heading for each object: the worse half.
    { ...fromAccess(JSON.parse(renderDriftJson(drift)).differences[0].access), widens: item?.class === "widens" },
  ];
}

const kinds: readonly Risk["kind"][] = ["widens", "narrows", "removes", "irreversible", "noisy", "lockout"];
const actions: readonly Change["action"][] = ["create", "update", "remove", "reorder"];

test("every format says the same about a change of access, whatever the risks of correcting it are", () => {
  const drifts = fc.constantFrom<Drifted | undefined>("widens", "narrows", "both", "same", undefined);
  fc.assert(
    fc.property(fc.constantFrom(...actions), fc.subarray([...kinds]), drifts, (action, risks, drifted) => {
      const one = change({
        action,
        name: "ops",
        fields: [field("description", "theirs", "ours")],
        risks: risks.map((kind) => risk(kind, "ops", "something")),
        ...defined({ drifted }),
      });
      const expected = fromAccess(drifted);
      const shown = shownOf(driftOf({ ...EMPTY_PLAN, changes: [one] }));
      expect(shown).toEqual(shown.map(() => expected));
    }),
  );
});

describe("a change on the server", () => {
  const declared = (privacy: string) => `version: 1\nchannels:\n  ops: {privacy: ${privacy}}\n`;
  test.each([
    {
      about: "opened a private channel",
      live: {},
      yaml: declared("private_shared_history"),
      expected: { widens: true, narrows: false },
    },
    {
      about: "closed a public channel",
      live: { invite_only: true },
      yaml: declared("public"),
      expected: { widens: false, narrows: true },
    },
  ])("$about", async ({ live, yaml, expected }) => {
    const snapshot = realmOf({ channels: [{ name: "ops", ...live }], subscribers: { ops: ["ada@acme.example"] } });
    const drift = driftOf(withDrifted(must(await planText(yaml, snapshot)), new Realm(snapshot)));
    const shown = shownOf(drift);
    expect(shown).toEqual(shown.map(() => expected));
    const [difference] = JSON.parse(renderDriftJson(drift)).differences;
    const privacy = difference.fields.find((one: { field: string }) => one.field === "privacy");
    // The names `file` and `realm` are clearer than before and after.
    expect(privacy).toMatchObject(
      expected.widens
        ? { file: "private_shared_history", realm: "public" }
        : { file: "public", realm: expect.stringMatching(/^private/) },
    );
    expect(difference.put_back.risks.map(({ kind }: Risk) => kind)).toContain(expected.widens ? "narrows" : "widens");
  });
});
