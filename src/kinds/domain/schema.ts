import * as z from "zod";
import { once } from "../../model/lazy.ts";

export const domainForm = once(() =>
  z.strictObject({
    allow_subdomains: z
      .boolean()
      .optional()
      .describe(
        "Whether addresses of subdomains, of every depth, count too. A new domain without this field does not count them.",
      ),
    absent: z.boolean().optional().describe("`true` removes the domain under any policy."),
    lift_restriction: z
      .literal(true)
      .optional()
      .describe("Together with `absent: true`: this may be the last domain. After that, anybody may join."),
  }),
);
export type Domain = z.infer<ReturnType<typeof domainForm>>;
