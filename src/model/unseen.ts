import * as z from "zod";
import type { Immutable } from "./form.ts";

/** What an account does not see, in words (src/kinds/readings.ts says which account). */
export const UNSEEN = ["private-channels", "others-invitations", "invitations", "addresses"] as const;
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
