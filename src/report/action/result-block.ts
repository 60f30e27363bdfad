import { fillBlocks } from "../markdown-budget.ts";
import { fenceOf } from "../markdown-text.ts";

/**
 * The result as a terminal shows it. The last paragraph, which has the outcome, is never cut.
 * @param elsewhere the name of the file with the whole result
 */
export function resultBlock(text: string, elsewhere: string, budget: number): string {
  const shown = text.trimEnd();
  const end = shown.lastIndexOf("\n\n") + 1;
  const fence = fenceOf(shown);
  return fillBlocks(
    [
      { fixed: `${fence}text` },
      {
        share: 1,
        items: end === 0 ? [] : shown.slice(0, end).split("\n"),
        left: (number) => `… and ${number} more lines, left out here: ${elsewhere}\n`,
      },
      { fixed: shown.slice(end) },
      { fixed: fence },
    ],
    budget,
  );
}
