import fc from "../support/random.ts";

/** Each has a special meaning where it is shown. A server accepts all of them as a channel's name. */
export const PARTS = [
  "@octocat",
  "@acme/owners",
  "#1",
  "closes #1",
  "acme/chat#12",
  "https://evil.example",
  "www.evil.example",
  "</code><script>alert(1)</script>",
  "</pre></details>",
  "<img src=x onerror=alert(1)>",
  "<!-- realmctl:state:e30= -->",
  "-->",
  "`x`",
  "```",
  "::error::pwned",
  "::set-output name=drift::pwned",
  "::add-mask::a",
  "##[error]pwned",
  "%0A::error::pwned",
  "\u202eevil",
  "\u2066x",
  "| a | b |",
  "[x](javascript:alert(1))",
  "![x](https://evil.example/p.png)",
  "**bold**",
  "${{ secrets.KEY }}",
  "$(id)",
  "<<EOF",
  "- item",
  "/merge",
  "$`x`$",
  "{+a+}",
  "!12",
  "~bug",
  "[x][1]",
  "[1]: https://evil.example",
  "~~~",
  "1. one",
  "> quote",
  ":+1:",
  "0123456789abcdef0123456789abcdef01234567",
];
/** Descriptions may also contain what a name may not. */
export const LOUD = ["\u001b[31mred", "line\n::error::pwned", "\r\n# Title", "ghadelimiter_1"];

/** Texts of one to three parts. */
export const words = (parts: readonly string[], most: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 })
    .map((chosen) => chosen.join(" ").slice(0, most).trim())
    .filter((text) => text !== "");
