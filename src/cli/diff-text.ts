import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { clean } from "../model/clean.ts";
import { paint, type Style } from "../report/style.ts";

/** The maximum number of different lines. With more, the whole file is shown: the search for the fewest differences takes quadratic time. */
const MOST_EDITS = 1000;

/** A patch that removes all old lines and adds all new ones: correct, but longer than the shortest difference. */
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

/** The change of a file as a unified diff; a new file has only added lines. */
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
