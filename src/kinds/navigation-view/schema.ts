import * as z from "zod";
import { once } from "../../model/lazy.ts";

export const navigationViewForm = once(() =>
  z.strictObject({
    is_pinned: z.boolean().optional().describe("Shown in the sidebar itself (`true`) or in its menu (`false`)."),
    name: z
      .string()
      .nullable()
      .optional()
      .describe("The name of the view. Your own views need one; Zulip's views cannot have one."),
    absent: z
      .boolean()
      .optional()
      .describe("`true` removes the view under any policy; one of Zulip's views gets its default again."),
  }),
);
export type NavigationView = z.infer<ReturnType<typeof navigationViewForm>>;
