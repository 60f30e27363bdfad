import { describe, expect, test } from "vitest";
import { change, channel, field, planOf, set, snapshotOf } from "../../test/support/apply/toy.ts";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { whyNotJson } from "../model/not-json.ts";
import { PLAN_VERSION } from "../model/plan.ts";
import { VERSION } from "../version.ts";
import {
  checksumOf,
  hmacOf,
  isSignedWith,
  MOST_PLAN_BYTES,
  type PlanInputs,
  parsePlanFile,
  planFileText,
} from "./plan-file.ts";
import { sha256 } from "./sha256.ts";

const plan = planOf(
  [change("a", 1, field("description", "old", "new"))],
  [set(1, 1, "a", "description", "old", "new")],
);
const inputs: PlanInputs = {
  file: "realm.yaml",
  allow: [],
  files: [{ path: "realm.yaml", text: "version: 1\n" }],
  directories: [],
  snapshot: snapshotOf([channel(1, "a", "old")]),
};
const origin = { configuration: sha256("version: 1\n"), snapshot: sha256("{}") };
const text = await planFileText(plan, { inputs, origin });

test("a saved plan has the same content when it is read", () => {
  const parsed = parsePlanFile(text, "realm.plan");
  const { extra, ...rest } = parsed.plan;
  expect(rest).toEqual(plan);
  expect(extra?.origin).toEqual(origin);
  expect(parsed.inputs).toEqual(inputs);
  expect(parsed.signature).toBeUndefined();
});

test("all inputs of the plan are saved", async () => {
  const all: PlanInputs = {
    ...inputs,
    policy_file: "policy.yaml",
    allow: ["removals"],
    targets: { only: ["channels"], except: ["channel:a"], needs: "refuse" },
    uploads: [{ path: "a.png", sha256: sha256("a"), size_bytes: 1, image: null, lfs_pointer: false }],
  };
  const sign = async (what: string) => hmacOf(what, "secret");
  const parsed = parsePlanFile(await planFileText(plan, { inputs: all, origin }, sign), "realm.plan");
  expect(parsed.inputs).toEqual(all);
  expect(parsed.signature).toEqual(await sign(parsed.signedText));
});

test("a plan in which names were replaced is not saved", async () => {
  const saved = planFileText({ ...plan, extra: { redacted: true } }, { inputs, origin });
  await expect(saved).rejects.toMatchObject({ diagnostics: [{ code: "plan/redacted" }] });
});

test("a plan that was never saved has no checksum", () => expect(checksumOf({ plan })).toBe(""));

test("the checksum is the same before and after saving again, signed or not", async () => {
  const parsed = parsePlanFile(text, "realm.plan");
  expect(checksumOf(parsed)).toMatch(/^[0-9a-f]{64}$/);
  const again = parsePlanFile(await planFileText(parsed.plan, { inputs: parsed.inputs, origin }), "x");
  expect(checksumOf(again)).toBe(checksumOf(parsed));
  const signed = parsePlanFile(
    await planFileText(plan, { inputs, origin }, async (what) => hmacOf(what, "secret")),
    "x",
  );
  expect(checksumOf(signed)).toBe(checksumOf(parsed));
  expect([isSignedWith(signed, "secret"), isSignedWith(signed, "another"), isSignedWith(parsed, "secret")]).toEqual([
    true,
    false,
    false,
  ]);
  const short = { ...signed, signature: { method: "hmac-sha256", value: "00" } } as const;
  expect(isSignedWith(short, "secret")).toBe(false);
});

describe("refuses", () => {
  test.each([
    { fact: "an edited value", edit: text.replace('"new"', '"newer"'), code: "plan-file/edited", exit: EXIT.errors },
    {
      fact: "an edited input",
      edit: text.replace("version: 1\\n", "version: 1\\n\\n"),
      code: "plan-file/edited",
      exit: EXIT.errors,
    },
    {
      fact: "a removed checksum",
      edit: text.replace(/"checksum": "\w+"/, '"note": 1'),
      code: "plan-file/edited",
      exit: EXIT.errors,
    },
    {
      fact: "a missing list",
      edit: text.replace('"calls"', '"called"'),
      code: "plan-file/edited",
      exit: EXIT.errors,
    },
    ...["1", "2", "3", "4", "6", '"5"'].map((version) => ({
      fact: `version ${version}`,
      edit: text.replace('"version": 5', `"version": ${version}`),
      code: "plan-file/other-version",
      exit: EXIT.conflict,
    })),
    { fact: "half a file", edit: text.slice(0, 200), code: "plan-file/not-json", exit: EXIT.errors },
    { fact: "some other JSON", edit: "[]", code: "plan-file/no-plan", exit: EXIT.errors },
  ])("$fact", ({ edit, code, exit }) => {
    expect(edit).not.toBe(text);
    try {
      parsePlanFile(edit, "realm.plan");
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect([error.diagnostics[0]?.code, error.exitCode]).toEqual([code, exit]);
    }
  });

  /** A plan of another version whose checksum is right nevertheless. */
  const odd = async (more: object): Promise<string> => {
    const other: typeof plan = JSON.parse(JSON.stringify({ ...plan, tool_version: "9.9.9", ...more }));
    return await planFileText(other, { inputs, origin });
  };
  const otherTool = (part: string) => ({
    saved_by: { quoted: "9.9.9" },
    this_version: VERSION,
    because: { of: "form", part },
  });
  const file = "realm.plan";
  test.each<{ fact: string; edit: () => string | Promise<string>; said: object }>([
    { fact: "an edited value", edit: () => text.replace('"new"', '"newer"'), said: {} },
    { fact: "an object that is not a plan", edit: () => '{"format": "other"}', said: {} },
    { fact: "no object", edit: () => "null", said: {} },
    {
      fact: "another version",
      edit: () => text.replace('"version": 5', '"version": 6'),
      said: { found: { quoted: "6" }, reads: PLAN_VERSION },
    },
    {
      fact: "no version",
      edit: () => text.replace('"version": 5', '"note": 5'),
      said: { found: { quoted: "null" }, reads: PLAN_VERSION },
    },
    { fact: "no JSON", edit: () => "", said: { reason: whyNotJson("") } },
    {
      fact: "more than any plan has",
      edit: () => " ".repeat(MOST_PLAN_BYTES + 1),
      said: { most_bytes: MOST_PLAN_BYTES },
    },
    { fact: "a value of another type", edit: () => odd({ calls: 7 }), said: otherTool("calls") },
    {
      fact: "a change without a kind",
      edit: () => odd({ changes: [{ action: "update" }] }),
      said: otherTool("changes.0.kind"),
    },
  ])("$fact, with what is wrong", async ({ edit, said }) => {
    const broken = await edit();
    try {
      parsePlanFile(broken, file);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect(error.diagnostics[0]?.fact).toEqual({ file, ...said });
    }
  });

  test("white space and the order of keys do not matter", () => {
    const value: object = JSON.parse(text);
    const shuffled = JSON.stringify(Object.fromEntries(Object.entries(value).reverse()));
    expect(() => parsePlanFile(shuffled, "realm.plan")).not.toThrow();
  });
});
