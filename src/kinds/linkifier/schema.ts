import * as z from "zod";

export const Linkifier = z.strictObject({
  pattern: z
    .string()
    .describe("RE2 regular expression. What its named groups `(?P<id>…)` find goes into the template."),
  was: z
    .string()
    .optional()
    .describe("The pattern that it has until now: the linkifier is changed, and no new one is made."),
  id: z.int().positive().optional().describe("Pins the linkifier by its id, whatever its pattern is."),
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
    .describe("More URL templates that are turned back into the text. Feature level 478. `null` and `[]` are none."),
});
export type Linkifier = z.infer<typeof Linkifier>;
