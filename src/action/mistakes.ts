import type { Diagnostic } from "../model/diagnostic.ts";
import { fillBlocks } from "../report/markdown-budget.ts";
import { codeText, proseText } from "../report/markdown-text.ts";

/** Mistakes as a Markdown list, in their order, up to a budget. */
export function mistakesMarkdown(diagnostics: readonly Diagnostic[], budget: number): string {
  return fillBlocks(
    [
      {
        share: 1,
        items: diagnostics.map(({ severity, code, message, hint, at }) => {
          const where = at === undefined ? "" : ` · ${codeText(`${at.file}:${at.line}:${at.column}`)}`;
          const way = hint === undefined ? "" : `<br>${proseText(hint)}`;
          return `- **${severity}** ${codeText(code)}: ${proseText(message)}${where}${way}`;
        }),
        left: (number) => `- … and ${number} more`,
      },
    ],
    budget,
  );
}
