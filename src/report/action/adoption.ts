import type { LostProtection } from "../../model/policy.ts";
import { realmName } from "../layout.ts";
import { type Block, codeText, fillBlocks } from "../markdown-text.ts";
import { CLASS_WORD, plainTitle, type ShownDrift } from "./drift.ts";

/** The title of the pull request and of its commit. */
export const adoptionTitle = (url: string, file: string): string =>
  plainTitle(`Take what ${realmName(url)} has into ${file}`).slice(0, 200);

/** The text of the pull request that takes the server's values into the file. */
export function adoptionBody(
  { url, file }: { readonly url: string; readonly file: string },
  {
    taken,
    left,
    unprotected,
    shared,
  }: {
    readonly taken: readonly ShownDrift[];
    readonly left: readonly ShownDrift[];
    readonly unprotected: readonly LostProtection[];
    /** Files that other organizations include, too. */
    readonly shared: readonly { readonly file: string; readonly by: readonly string[] }[];
  },
  budget: number,
): string {
  const block = (title: string, items: readonly ShownDrift[]): Block =>
    listOf(
      title,
      items.map((item) =>
        [
          `- ${CLASS_WORD[item.class]}: ${codeText(item.title)}`,
          ...item.lines.map((line) => `  - ${codeText(line)}`),
        ].join("\n"),
      ),
      ", left out here: the diff has each",
    );
  return fillBlocks(
    [
      {
        fixed: `Takes what ${codeText(realmName(url))} has into ${codeText(file)}: nothing else in it changes. Merging this sends nothing to the server; to put the server back instead, close it and follow the drift issue.\n`,
      },
      listOf(
        "For other organizations, too",
        shared.map(({ file, by }) =>
          by.length === 0
            ? `- ${codeText(file)} is outside of the directory of this organization: merging this changes every organization that includes it`
            : `- ${codeText(file)} is a part of ${by.map(codeText).join(", ")}, too: merging this changes what those files ask for`,
        ),
      ),
      block("Taken", taken),
      block("Not taken: to be written by hand, or left out because it names what is private", left),
      listOf(
        "No longer protected: change `protect`",
        unprotected.map(
          ({ pattern, name, to, file }) =>
            `- ${codeText(to)}, which was ${codeText(name)}: ${codeText(pattern)}${file === undefined ? "" : ` in ${codeText(file)}`}`,
        ),
      ),
      {
        fixed:
          "This pull request is kept up to date, and closed when the file and the organization are the same again.",
      },
    ],
    budget,
  );
}

const listOf = (title: string, items: readonly string[], where = ""): Block => ({
  share: 0.8,
  before: `### ${title}\n\n`,
  after: "\n",
  items,
  left: (number) => `- … and ${number} more${where}`,
});

/** The comment that closes the pull request. @param areLeft some differences cannot be taken */
export function nothingToTake(url: string, areLeft: boolean, runUrl: string): string {
  const realm = codeText(realmName(url));
  const why = areLeft ? `what still differs in ${realm} has to be written by hand` : `${realm} matches the file again`;
  return `${why} ([the run](${runUrl})).`;
}

export const notOurBranch = (branch: string): string =>
  `The branch ${branch} has commits by somebody else, so it was not changed.`;

export const adoptionClosed = (pull: number): string =>
  `Somebody closed #${pull}, and the drift is still the same: it is not opened again.`;
