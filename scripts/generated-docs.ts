import { CODES, pageOf, pageText, titleOf } from "../src/explain/explain.ts";
import { codeExamples } from "./code-examples.ts";
import { levelsPage } from "./levels-docs.ts";
import { manPage } from "./man-page.ts";
import { referenceDocs } from "./reference-docs.ts";
import { workflowTemplatesSource } from "./workflow-templates.ts";

const MADE = "<!-- Made by `npm run generate`: change the sources, not this page. -->\n";

/** Pages of the reference that people write. */
export const WRITTEN: ReadonlySet<string> = new Set(
  ["environment", "glossary", "limits"].map((name) => `docs/reference/${name}.md`),
);

/** Every page, and the examples that `realmctl explain` shows: path in the repository → text. A test keeps them up to date. */
export async function generatedDocs(root: string): Promise<ReadonlyMap<string, string>> {
  const examples = await codeExamples(root);
  const files = new Map(await referenceDocs());
  files.set("src/explain/examples.json", `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`);
  files.set("man/realmctl.1", await manPage(root));
  files.set("src/cli/init/workflow-templates.ts", workflowTemplatesSource(root));
  files.set("docs/reference/levels.md", levelsPage(MADE));
  files.set("docs/diagnostics/README.md", index());
  for (const code of CODES) {
    const page = pageOf(code);
    if (page !== undefined)
      files.set(`docs/diagnostics/${code}.md`, pageText({ ...page, example: examples.get(code) }));
  }
  return files;
}

function index(): string {
  const groups = new Map<string, string[]>();
  for (const code of CODES) {
    const page = pageOf(code);
    const [group = ""] = code.split("/");
    const rows = groups.get(group) ?? [];
    if (page !== undefined) rows.push(`| [\`${code}\`](${code}.md) | ${titleOf(page).replaceAll("|", "\\|")} |`);
    groups.set(group, rows);
  }
  const parts = [...groups].map(([group, rows]) => `## ${group}\n\n| code | |\n| --- | --- |\n${rows.join("\n")}\n`);
  return `${MADE}
# Codes

Every error and every warning has a stable code, the word in brackets behind \`error\` or \`warning\`. \`realmctl explain CODE\` prints these
pages; scripts may rely on the codes, never on the sentences.

${parts.join("\n")}`;
}
