import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { clean, paint, type Style } from "../report/style.ts";

/** What would change in a file, as unified difference; a file that is not there yet is all new. */
export function diffText(file: string, before: string | undefined, after: string, style: Style): string {
  const from = before === undefined ? "/dev/null" : file;
  const patch = createTwoFilesPatch(from, file, before ?? "", after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
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
