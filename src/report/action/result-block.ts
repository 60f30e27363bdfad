import { fillBlocks } from "../markdown-budget.ts";

/**
 * The result as a terminal shows it. The last paragraph, which has the outcome, is never cut.
 * @param elsewhere the name of the file with the whole result
 */
export function resultBlock(text: string, elsewhere: string, budget: number): string {
  const safe = text.trimEnd().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const end = safe.lastIndexOf("\n\n") + 1;
  return fillBlocks(
    [
      { fixed: "<pre>" },
      {
        share: 1,
        items: end === 0 ? [] : safe.slice(0, end).split("\n"),
        left: (number) => `… and ${number} more lines, left out here: ${elsewhere}\n`,
      },
      { fixed: safe.slice(end) },
      { fixed: "</pre>" },
    ],
    budget,
  );
}
