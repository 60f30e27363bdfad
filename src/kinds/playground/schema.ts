import * as z from "zod";
import type { DiagnosticFacts } from "../../model/diagnostics/facts.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { once } from "../../model/lazy.ts";
import { codePoints, strip } from "../names.ts";
import { optional } from "../optional.ts";

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
    absent: optional(z.boolean(), "`true` removes the playground under any policy."),
    url_template: optional(
      z.string(),
      "RFC 6570 URL template with only the variable `code`: `https://play.example.org/?code={code}`.",
    ),
  }),
);
export type Playground = z.infer<ReturnType<typeof playgroundForm>>;

/** The maximum length of a language; servers fail on longer ones (zulip-api.md §12.5). */
const MAX_LANGUAGE_LENGTH = 40;

/** The identity of a playground: the server requires the pair to be unique, and no language contains a colon. */
export const playgroundName = (language: string, name: string): string => `${strip(language)}: ${strip(name)}`;

export const ownName = (name: string): string => name.slice(name.indexOf(": ") + 2);

export function languageCause(language: string): DiagnosticFacts["playgrounds/language"] | undefined {
  if (language === "") return { cause: "empty" };
  const length = codePoints(language);
  if (length > MAX_LANGUAGE_LENGTH) return { cause: "too-long", length, limit: MAX_LANGUAGE_LENGTH };
  const character = /[^ A-Za-z0-9_+,./#-]/u.exec(language)?.[0];
  return character === undefined ? undefined : { cause: "character", character: quote(character) };
}
