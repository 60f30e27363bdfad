import * as z from "zod";

export const Domain = z.strictObject({
  allow_subdomains: z
    .boolean()
    .optional()
    .describe("Whether addresses of subdomains count too, of every depth. Left out, a new domain is added without."),
  absent: z.boolean().optional().describe("`true` removes the domain under any policy."),
  lift_restriction: z
    .literal(true)
    .optional()
    .describe("Together with `absent: true`: this may be the last domain, so that anybody may join from then on."),
});
export type Domain = z.infer<typeof Domain>;
