import { expect, test } from "vitest";
import { callText } from "../model/diagnostics/calls.ts";
import type { JsonObject } from "../model/json.ts";
import { isPartlyDone, refusalFact } from "./apply.ts";

const refusal = (code: string, details: JsonObject) =>
  ({ outcome: "refused", status: 400, code, message: "No.", details }) as const;

test.each<[string, JsonObject, string]>([
  ["BAD_REQUEST", {}, "No."],
  ["BAD_REQUEST", { errors: [["a@example.org", "Invalid address.", false]] }, "No."],
  ["INVITATION_FAILED", {}, "No."],
  ["INVITATION_FAILED", { errors: [] }, "No."],
  ["INVITATION_FAILED", { errors: "none" }, "No."],
  ["INVITATION_FAILED", { errors: [["a@example.org"], 1, [1, 2], [1, "No."]] }, "No."],
  [
    "INVITATION_FAILED",
    {
      errors: [
        ["a@example.org", "Already has an account.", false],
        ["b@example.org", "Account has been deactivated.", true],
        ["c@example.org", "example.org is not allowed.", false],
      ],
    },
    "No. a@example.org: Already has an account; b@example.org: Account has been deactivated; c@example.org: example.org is not allowed",
  ],
])("%s %j: %s", (code, details, text) => expect(callText(refusalFact(refusal(code, details)))).toBe(text));

test("a refusal that is realmctl's own is reported as such", () => {
  const own = { is: "rate-limited" } as const;
  expect(refusalFact({ ...refusal("RATE_LIMIT_HIT", {}), own })).toEqual({ kind: "refused-here", refusal: own });
});

test.each<[JsonObject, boolean]>([
  [{}, false],
  [{ sent_invitations: false }, false],
  [{ sent_invitations: true }, true],
])("%j is partly done: %s", (details, done) => {
  expect(isPartlyDone(refusal("INVITATION_FAILED", details))).toBe(done);
});
