import { EXIT, Failure } from "../model/diagnostic.ts";
import { type Files, missing } from "./files.ts";
import type { Branches, TreeEntry } from "./github-branches.ts";

/** The files of a commit byte by byte, with what they are: what is written back differs in nothing but what was edited. */
export class CommitTexts {
  private readonly branches: Pick<Branches, "tree" | "blob">;
  private readonly root: string;
  private readonly trees = new Map<string, Promise<readonly TreeEntry[]>>();
  private readonly modes = new Map<string, "100644" | "100755">();

  /** @param root the commit's tree */
  constructor(branches: Pick<Branches, "tree" | "blob">, root: string) {
    this.branches = branches;
    this.root = root;
  }

  files(file: string): Files {
    const texts = new Map<string, string>();
    return {
      file,
      texts,
      readFile: async (path) => {
        const text = await this.read(path);
        texts.set(path, text);
        return text;
      },
      listFiles: async (directory) =>
        (await this.directory(directory.split("/").filter((part) => part !== "" && part !== ".")))
          .map(({ path }) => path)
          .sort(),
    };
  }

  /** Of a file that was read. */
  mode(path: string): "100644" | "100755" {
    return this.modes.get(path) ?? "100644";
  }

  private async read(path: string): Promise<string> {
    const parts = path.split("/");
    const name = parts.pop();
    const entry = (await this.directory(parts)).find((one) => one.path === name);
    if (entry === undefined) throw missing();
    const { mode } = entry;
    if (mode !== "100644" && mode !== "100755")
      throw refused("adopt/link", `${path} is a link or another repository`, "have the file itself there");
    const bytes = await this.branches.blob(entry.sha);
    const text = bytes.toString("utf8");
    if (!Buffer.from(text, "utf8").equals(bytes))
      throw refused("adopt/not-text", `${path} is not UTF-8 throughout`, "save it as UTF-8");
    this.modes.set(path, mode);
    return text;
  }

  private async directory(parts: readonly string[]): Promise<readonly TreeEntry[]> {
    let sha = this.root;
    for (const part of parts) {
      const entry = (await this.tree(sha)).find(({ path }) => path === part);
      if (entry?.mode !== "040000") throw missing();
      sha = entry.sha;
    }
    return this.tree(sha);
  }

  private tree(sha: string): Promise<readonly TreeEntry[]> {
    const known = this.trees.get(sha) ?? this.branches.tree(sha);
    this.trees.set(sha, known);
    return known;
  }
}

function refused(code: "adopt/link" | "adopt/not-text", message: string, hint: string): Failure {
  return new Failure(EXIT.mistakes, { code, severity: "error", message, hint });
}
