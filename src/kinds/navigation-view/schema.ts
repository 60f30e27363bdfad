import * as z from "zod";

export const NavigationView = z.strictObject({
  is_pinned: z.boolean().optional().describe("Shown in the sidebar itself (`true`) or in its menu (`false`)."),
  name: z
    .string()
    .nullable()
    .optional()
    .describe("What the view is called. Views of your own need one; the ones that Zulip has cannot be given one."),
  absent: z
    .boolean()
    .optional()
    .describe("`true` removes the view under any policy; one that Zulip has goes back to its default."),
});
export type NavigationView = z.infer<typeof NavigationView>;
