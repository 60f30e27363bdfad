import { type Diagnostic, error } from "../model/diagnostic.ts";
import type { OtherFormat } from "../model/diagnostics/syntax.ts";
import type { SourceText } from "./text.ts";

interface Mark {
  readonly format: OtherFormat;
  /** What the first line with text looks like, or any line for a mark that is never in YAML; the match is what is shown. */
  readonly mark: RegExp | ((text: string) => RegExpExecArray | null);
}

/** Lines that were copied with their numbers, from an editor or a message: the first two, if the numbers follow each other. */
function numbered(text: string): RegExpExecArray | null {
  const found = /^[ \t]*(\d+)(?:[ \t]*[│|:→]|[ \t]).*\r?\n[ \t]*(\d+)(?:[ \t]*[│|:→]|[ \t]|\r?$)/m.exec(text);
  return found !== null && Number(found[1]) + 1 === Number(found[2]) ? /^[ \t]*\d+.*/m.exec(text) : null;
}

/** Asked only about files that are not YAML, so a mark needs to tell apart no more than those. */
const MARKS: readonly Mark[] = [
  // In a text of several lines it is indented.
  { format: "fence", mark: /^(?:`{3,}|~{3,})[\w.{} -]*$/m },
  { format: "html", mark: /^\s*<(?:!doctype|html|head|body|svg|\?xml)\b[^\n]*/i },
  { format: "zuliprc", mark: /^(?:[^\S\n]*(?:[#;][^\n]*)?\n)*[^\S\n]*\[api\]/ },
  { format: "lfs", mark: /^version https:\/\/git-lfs[^\n]*/ },
  { format: "diff", mark: /^(?:diff --git [^\n]*|--- [^\n]+(?=\r?\n\+\+\+ ))/ },
  {
    format: "terraform",
    mark: /^(?:(?:resource|data|variable|module|output|provider)(?: "[^"\n]*")+|terraform|locals) \{(?=[ \t]*(?:$|\}))/m,
  },
  { format: "key", mark: /^-----BEGIN [A-Z ]+-----/ },
  { format: "line-numbers", mark: numbered },
  { format: "line-numbers", mark: /^ *┌─ \S+:\d+:\d+$/m },
  { format: "added-lines", mark: /^\+ *["']?[\w-]+["']?:(?=\s|$).*/m },
  { format: "quoted-lines", mark: /^> ?[\w"'#-].*(?=\r?\n>)/ },
  {
    format: "rego",
    mark: /(?<![\s\S])(?:#[^\n]*\n|\s)*package [\w.]+(?=[ \t]*\r?\n[\s\S]*?^(?:import (?:rego|future)\.|default \w|(?:deny|allow|violation|warn)\b))/m,
  },
  {
    format: "program",
    mark: /^\s*(?:#!.*\b(?:sh|bash|zsh|python\d?|node|ruby|perl)\b.*|export default\b.*|module\.exports\b.*|(?:const|let|var) \w+ *=.*|(?:async )?function\b.*|import \w[^:\n]*|from [\w.]+ import .*|def \w+\(.*|class \w+.*[:{]|package \w+;?|use [\w:]+;)(?=\r?\n|$)/,
  },
  { format: "markdown", mark: /^\|.*\|(?=[ \t]*\r?\n\|[-: |]+\|)/m },
  { format: "csv", mark: /^[\w"'. -]+(?:[,;\t][\w"'. -]+)+(?=\r?\n.*[,;\t])/ },
  { format: "terminal", mark: /^\s*[$>] (?:cat|less|more|head|realmctl|npx|vi|vim|nano)\b[^\n]*/ },
  { format: "slashes", mark: /^\s*(?:\/\/|\/\*)[^\n]*/ },
  { format: "environment", mark: /^(?:#[^\n]*\n|\s)*(?:export )?[A-Z][A-Z0-9_]*(?==)/ },
  {
    format: "toml",
    mark: /^(?:[#;][^\n]*\n|\s)*(?:\[[\w."-]+\](?=\s*\n\s*[\w"-]+\s*=)|[\w-]+(?=[^\S\n]*=[^\n]*(?:\n|$)))/,
  },
];

/** Names what a file is that is not YAML, at its first mark. Otherwise each of its lines would be an error of its own. */
export function otherFormat(source: SourceText): Diagnostic | undefined {
  for (const { format, mark } of MARKS) {
    const found = typeof mark === "function" ? mark(source.text) : mark.exec(source.text);
    if (found === null) continue;
    const end = found.index + found[0].trimEnd().length;
    const start = Math.max(found.index, source.text.lastIndexOf("\n", end - 1) + 1);
    return error("yaml/other-format", { format }, source.span(start, end));
  }
  return undefined;
}
