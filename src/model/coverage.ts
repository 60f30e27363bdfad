import * as z from "zod";
import { Span } from "./fact-forms.ts";
import { UNSEEN } from "./unseen.ts";

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
