import type { Finding, Path, Span } from "./diagnostic.ts";
import type { DeclaredObject } from "./objects.ts";
import type { Realm } from "./realm.ts";
import type { RepositoryFile } from "./repository-file.ts";
import type { Patience } from "./suggest.ts";

/** Everything a kind may ask while it decodes an item. `realm` is undefined offline (`validate` without a server). */
export interface DecodeContext {
  readonly realm: Realm | undefined;
  /** Whether the file declares an object of that kind (not as `absent`). */
  declares(kind: string, key: string): boolean;
  /** The names of that kind that the file declares (without `absent` ones), in file order, for suggestions. */
  declaredNames?(kind: string): readonly string[];
  /** The name, as the file writes it, of the declared object with that key (unless it is `absent`). */
  declaredName?(kind: string, key: string): string | undefined;
  /** The place where the file removes the object with that key (`absent`, `archived`, `deactivated`); undefined if the file does not remove it. */
  removedAt?(kind: string, key: string): Span | undefined;
  /** Whether the file says of the object with that key that it is in use (`deactivated: false`). */
  bringsBack?(kind: string, key: string): boolean;
  /** The new name that the file gives to the object with this key, or this id, on the server. */
  renamedTo?(kind: string, key: string, id: number): string | undefined;
  /** The remaining budget for suggestions. */
  readonly patience?: Patience;
  /**
   * The facts about the file that is named at a path below the item; `files` of the kind's file facet returns these paths. Undefined if the file
   * cannot be read, which was reported.
   */
  file?(path: Path): RepositoryFile | undefined;
  /** Reports an error at a path below the item. */
  report(path: Path, finding: Finding, on?: "key"): void;
}

/** The result of decoding one item; errors went to `context.report`. */
export interface Decoded
  extends Pick<DeclaredObject, "was" | "id" | "absent" | "settled" | "fields" | "creation" | "partial"> {
  /** The name that the object has on the server, if the file has another one for it (`user:17`). */
  readonly name?: string;
  /** For fields whose place is not simply `[field]`: the path below the item whose span is the place. */
  readonly paths?: { readonly [field: string]: Path };
}
