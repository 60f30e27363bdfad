import * as z from "zod";
import { once } from "../../model/lazy.ts";
import { ROLE_WORDS } from "../../model/roles.ts";

export const personForm = once(() =>
  z.strictObject({
    role: z
      .enum(ROLE_WORDS)
      .optional()
      .describe("The role of the account. Without this field, the account keeps its role."),
    deactivated: z
      .boolean()
      .optional()
      .describe(
        "`true` deactivates the account, `false` reactivates it. Without this field it stays as it is: an account that somebody deactivated does not come back by itself.",
      ),
  }),
);
export type Person = z.infer<ReturnType<typeof personForm>>;
