import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { clean, paint, type Style } from "../report/style.ts";

/** A file with more lines that differ is shown whole: searching for the fewest takes time as their square. */
const MOST_EDITS = 1000;

/** The old file taken away and the new one put in its place: as right as the shortest difference, and longer. */
function wholePatch(from: string, file: string, before: string, after: string): string {
  const side = (mark: string, text: string): readonly string[] => {
    const lines = text.replace(/\n$/, "").split("\n");
    const marked = text === "" ? [] : lines.map((line) => mark + line);
    return text === "" || text.endsWith("\n") ? marked : [...marked, "\\ No newline at end of file"];
  };
  const [old, fresh] = [side("-", before), side("+", after)];
  const stretch = (lines: readonly string[], mark: string): string => {
    const number = lines.filter((line) => line.startsWith(mark)).length;
    return `${number === 0 ? 0 : 1},${number}`;
  };
  const head = [`--- ${from}`, `+++ ${file}`, `@@ -${stretch(old, "-")} +${stretch(fresh, "+")} @@`];
  return `${[...head, ...old, ...fresh].join("\n")}\n`;
}

/** What would change in a file, as unified difference; a file that is not there yet is all new. */
export function diffText(file: string, before: string | undefined, after: string, style: Style): string {
  const from = before === undefined ? "/dev/null" : file;
  const patch =
    createTwoFilesPatch(from, file, before ?? "", after, undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
      maxEditLength: MOST_EDITS,
    }) ?? wholePatch(from, file, before ?? "", after);
  return patch
    .split("\n")
    .map((line) => {
      const shown = clean(line);
      if (line.startsWith("+++") || line.startsWith("---")) return paint(style, "bold", shown);
      if (line.startsWith("+")) return paint(style, "add", shown);
      if (line.startsWith("-")) return paint(style, "remove", shown);
      return shown;
    })
    .join("\n");
}
