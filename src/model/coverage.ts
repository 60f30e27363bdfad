import * as z from "zod";
import { Span } from "./fact-forms.ts";
import type { Immutable } from "./form.ts";

/** What an account does not see, in words (src/kinds/readings.ts says which account). */
const UNSEEN = ["private-channels", "others-invitations", "invitations", "addresses"] as const;
export type UnseenWhat = (typeof UNSEEN)[number];

/** The same in a plan and in a drift. */
export const UnseenForm = z
  .array(
    z.strictObject({
      what: z.enum(UNSEEN).exactOptional().describe("Absent for what names something of the file that is not seen."),
      section: z.string(),
      names: z
        .array(z.strictObject({ quoted: z.string(), of: z.string().exactOptional() }))
        .describe("What the file has of it: objects, addresses, or fields of settings."),
    }),
  )
  .describe(
    "What the account that reads does not see, so that it is neither compared nor created; absent if it sees all that the file has.",
  );
/** Something that the account that reads does not see, so that nothing of it is compared, created or removed. */
export type Unseen = Immutable<z.infer<typeof UnseenForm>>[number];

/** Why a field is not compared, or only in part. */
const NOT_COVERED = [
  "not-written",
  "only-adds",
  "not-in-file",
  "left-aside",
  "no-section",
  "unresolved",
  "held",
  "inactive",
  "too-old",
  "not-told",
  "not-read",
  "newer",
  ...UNSEEN,
  "names-unseen",
] as const;
export type NotCovered = (typeof NOT_COVERED)[number];

const NotCovered = z.enum(NOT_COVERED).describe("Why it is not compared, or only in part.");

/** One field of one object, and whether the file's value is compared with the server's. */
export const Covered = z.strictObject({
  section: z.string(),
  kind: z.string(),
  name: z.string().describe("The object; `organization` for settings."),
  field: z.string().exactOptional().describe("Absent if the whole object is meant."),
  is_permission: z.literal(true).exactOptional(),
  compared: z.enum(["yes", "in-part", "no"]),
  policy: z.string().exactOptional().describe("Of an object that the file does not have: the policy of its section."),
  at: Span.exactOptional().describe("The line of the file with the value."),
  why: NotCovered.exactOptional(),
});
export type Covered = Readonly<z.infer<typeof Covered>>;
