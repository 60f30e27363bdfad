import * as z from "zod";
import { once } from "../../model/lazy.ts";

/** One code playground as the file writes it: language and name are its identity. */
export const playgroundForm = once(() =>
  z.strictObject({
    language: z
      .string()
      .describe(
        "The language of the code blocks that get the button, by its name in Pygments: `Rust`, not `rust` or `rs`.",
      ),
    name: z
      .string()
      .describe("What people see: `Rust playground`. Several playgrounds of a language need several names."),
    absent: z.boolean().optional().describe("`true` removes the playground under any policy."),
    url_template: z
      .string()
      .optional()
      .describe("RFC 6570 URL template with only the variable `code`: `https://play.example.org/?code={code}`."),
  }),
);
export type Playground = z.infer<ReturnType<typeof playgroundForm>>;
