import { expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import { callText } from "../report/words/calls.ts";
import { isPartlyDone, refusalFact } from "./refusals.ts";

const refusal = (code: string, details: JsonObject) =>
  ({ outcome: "refused", status: 400, code, message: "No.", details }) as const;

test.each<[string, JsonObject, string]>([
  ["BAD_REQUEST", {}, "No."],
  ["BAD_REQUEST", { errors: [["a@example.org", "Invalid address.", false]] }, "No."],
  ["INVITATION_FAILED", {}, "No."],
  ["INVITATION_FAILED", { errors: [] }, "No."],
  ["INVITATION_FAILED", { errors: "none" }, "No."],
  ["INVITATION_FAILED", { errors: [["a@example.org"], 1, [1, 2]] }, "No."],
  [
    "INVITATION_FAILED",
    {
      errors: [
        ["a@example.org", "Already has an account.", false],
        ["b@example.org", "Account has been deactivated.", true],
      ],
    },
    "No. a@example.org: Already has an account; b@example.org: Account has been deactivated",
  ],
])("%s %j: %s", (code, details, text) => expect(callText(refusalFact(refusal(code, details)))).toBe(text));

test.each<[JsonObject, boolean]>([
  [{}, false],
  [{ sent_invitations: false }, false],
  [{ sent_invitations: true }, true],
])("%j is partly done: %s", (details, done) => {
  expect(isPartlyDone(refusal("INVITATION_FAILED", details))).toBe(done);
});
