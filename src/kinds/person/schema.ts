import * as z from "zod";
import { ROLE_WORDS } from "../roles.ts";

export const Person = z.strictObject({
  role: z.enum(ROLE_WORDS).optional().describe("The role that the account has; left out, whichever it has."),
  deactivated: z
    .boolean()
    .optional()
    .describe(
      "`true` deactivates the account, `false` reactivates it. Left out, it stays as it is: an account that somebody deactivated does not come back by itself.",
    ),
});
export type Person = z.infer<typeof Person>;
