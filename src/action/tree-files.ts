import { NotReadable } from "../model/unreadable.ts";
import { CommitTree } from "./commit-tree.ts";
import { type Files, filesFrom } from "./files.ts";
import type { Branches } from "./github-branches.ts";

/** The files of a commit, byte by byte, with their modes: what is written back differs only in what was edited. */
export class CommitTexts {
  private readonly tree: CommitTree;
  private readonly modes = new Map<string, "100644" | "100755">();

  /** @param root the commit's tree */
  constructor(branches: Pick<Branches, "tree" | "wholeTree" | "blob">, root: string) {
    this.tree = new CommitTree(branches, root);
  }

  files(file: string): Files {
    return filesFrom(
      {
        text: (path) => this.text(path),
        upload: (path) => this.bytes(path),
        names: (directory) => this.tree.names(directory),
      },
      file,
    );
  }

  /** The mode of a file that was read. */
  mode(path: string): "100644" | "100755" {
    return this.modes.get(path) ?? "100644";
  }

  private async bytes(path: string): Promise<Buffer> {
    const entry = await this.tree.entry(path);
    const { mode } = entry;
    if (mode !== "100644" && mode !== "100755") throw new NotReadable({ is: "link" });
    this.modes.set(path, mode);
    return this.tree.blob(path, entry);
  }

  private async text(path: string): Promise<string> {
    const bytes = await this.bytes(path);
    const text = bytes.toString("utf8");
    if (!Buffer.from(text, "utf8").equals(bytes)) throw new NotReadable({ is: "not-utf-8" });
    return text;
  }
}
