/** Code → what it means, and the way out. The first sentence of the meaning is the page's title line in lists. */
export interface Catalogue {
  readonly [code: string]: readonly [means: string, out: string];
}

export interface Example {
  /** The file with the error; undefined where no single file shows it. */
  readonly file: string;
  /** What realmctl says about it. */
  readonly output: string;
}

export interface Page {
  readonly code: string;
  readonly means: string;
  readonly out: string;
  readonly example: Example | undefined;
}

/** What a list shows of a page: the first sentence, up to a colon outside of code. */
export function titleOf({ means }: Pick<Page, "means">): string {
  return /^(?:`[^`]*`|[^`])*?[.:](?= |$)/.exec(means)?.[0].replace(/:$/, ".") ?? means;
}

/** Markdown, the same in docs/diagnostics/ and on a terminal. */
export function pageText({ code, means, out, example }: Page): string {
  const shown =
    example === undefined
      ? ""
      : `## Example\n\n\`\`\`yaml\n${example.file.trimEnd()}\n\`\`\`\n\n\`\`\`text\n${example.output.trimEnd()}\n\`\`\`\n\n`;
  return `# ${code}\n\n${means}\n\n${shown}## Way out\n\n${out}\n`;
}
