export interface Example {
  /** The file with the error; undefined where no single file shows it. */
  readonly file: string;
  /** The output of realmctl about the file. */
  readonly output: string;
}

export interface Page {
  readonly code: string;
  readonly means: string;
  readonly out: string;
  readonly example: Example | undefined;
}

/** The title of a page in lists: the first sentence, up to a colon outside of code. */
export function titleOf({ means }: Pick<Page, "means">): string {
  return /^(?:`[^`]*`|[^`])*?[.:](?= |$)/.exec(means)?.[0].replace(/:$/, ".") ?? means;
}

/** The page as Markdown, for docs/diagnostics/ and for a terminal. */
export function pageText({ code, means, out, example }: Page): string {
  const shown =
    example === undefined
      ? ""
      : `## Example\n\n\`\`\`yaml\n${example.file.trimEnd()}\n\`\`\`\n\n\`\`\`text\n${example.output.trimEnd()}\n\`\`\`\n\n`;
  return `# ${code}\n\n${means}\n\n${shown}## Way out\n\n${out}\n`;
}
