import * as z from "zod";
import { once } from "../../model/lazy.ts";

export const linkifierForm = once(() =>
  z.strictObject({
    pattern: z.string().describe("RE2 regular expression. The template gets what its named groups `(?P<id>…)` find."),
    was: z
      .string()
      .optional()
      .describe("The pattern that the linkifier has now. The linkifier is changed; no new one is created."),
    id: z.int().positive().optional().describe("Identifies the linkifier by its id instead of its pattern."),
    absent: z.boolean().optional().describe("`true` removes the linkifier under any policy."),
    url_template: z
      .string()
      .optional()
      .describe("RFC 6570 URL template that uses every named group: `https://bugs.example.org/{id}`."),
    example_input: z
      .string()
      .nullable()
      .optional()
      .describe("A text that the pattern finds. Feature level 471. `null` removes it."),
    reverse_template: z
      .string()
      .nullable()
      .optional()
      .describe("Turns a URL back into the text: `#{id}`. Needs example_input. Feature level 471. `null` removes it."),
    alternative_url_templates: z
      .array(z.string())
      .nullable()
      .optional()
      .describe("More URL templates that are turned back into the text. Feature level 478. `null` and `[]` mean none."),
  }),
);
export type Linkifier = z.infer<ReturnType<typeof linkifierForm>>;
