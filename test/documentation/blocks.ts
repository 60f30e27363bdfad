/** A fenced block of a page, with the HTML comments directly above it, which say how to run it. */
export interface Block {
  readonly line: number;
  /** yaml, console, sh, json, text, … */
  readonly language: string;
  readonly text: string;
  readonly directives: readonly Directive[];
}

/** `<!-- name: value -->`; the names are in docs/internals/README.md. */
export interface Directive {
  readonly name: string;
  readonly value: string;
}

/** Every fenced block of a page, in order. A comment belongs to a block if only comments are between them. */
export function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  let directives: Directive[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const language = /^```(\w*)$/.exec(line)?.[1];
    const [, name, value = ""] = /^<!-- ([a-z]+)(?:: (.*?))? -->$/.exec(line) ?? [];
    if (language !== undefined) {
      const end = lines.indexOf("```", at + 1);
      if (end < 0) throw new RangeError(`line ${at + 1}: this block has no end`);
      blocks.push({ line: at + 1, language, text: `${lines.slice(at + 1, end).join("\n")}\n`, directives });
      at = end;
      directives = [];
    } else if (name !== undefined) directives.push({ name, value });
    else directives = [];
  }
  return blocks;
}

export interface Command {
  readonly words: readonly string[];
  /** The output that the page shows; sh blocks show none. */
  readonly output: string | undefined;
}

/** The commands of a console block (`$ command`, then its output) or an sh block (a command on each line). */
export function commandsOf({ language, text }: Block): readonly Command[] {
  if (language === "sh")
    return text.split("\n").flatMap((line) => {
      const words = wordsOf(line);
      return words.length === 0 ? [] : [{ words, output: undefined }];
    });
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { words: wordsOf(part.slice(0, end)), output: part.slice(end + 1).trimEnd() };
    });
}

/** As a shell splits a line: quotes keep words together, and `#` after a blank starts a comment. */
export function wordsOf(line: string): readonly string[] {
  return [...line.replace(/(?:^|\s)#\s.*$/, "").matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? "",
  );
}

/** Does the output have the lines that the page shows? A line `…` stands for any number of lines. */
export function shows(expected: string, actual: string): boolean {
  const parts = expected.split(/^ *…$/m).map((part) => part.replace(/^\n|\n$/g, ""));
  let from = 0;
  const text = actual.trimEnd();
  for (const [index, part] of parts.entries()) {
    const found = text.indexOf(part, from);
    if (found < 0 || (index === 0 && found !== 0)) return false;
    from = found + part.length;
  }
  return expected.trimEnd().endsWith("…") || from === text.length;
}
