import type { Finding, Path, Span } from "./diagnostic.ts";
import type { Json } from "./json.ts";
import type { Realm } from "./realm.ts";
import type { RepositoryFile } from "./repository-file.ts";
import type { Patience } from "./suggest.ts";

/** Everything a kind may ask while it decodes an item. `realm` is undefined offline (`validate` without a server). */
export interface DecodeContext {
  readonly realm: Realm | undefined;
  /** Nothing is sent: the file is only compared with the realm. */
  readonly comparesOnly?: boolean;
  /** Whether the file declares an object of that kind (not as `absent`). */
  declares(kind: string, key: string): boolean;
  /** The names that the file declares of that kind (and not `absent`), in file order: for suggestions. */
  declaredNames?(kind: string): readonly string[];
  /** The name, as the file writes it, of the object with that key that it declares (and not `absent`). */
  declaredName?(kind: string, key: string): string | undefined;
  /** The place where the file itself removes the object with that key (`absent`, `archived`, `deactivated`); undefined if it does not. */
  removedAt?(kind: string, key: string): Span | undefined;
  /** The new name that the file gives to the object with this key, or this id, on the server. */
  renamedTo?(kind: string, key: string, id: number): string | undefined;
  /** The remaining budget for suggestions. */
  readonly patience?: Patience;
  /**
   * The facts about the file that is named at a path below the item, which `files` of the kind's file facet returns. Undefined: it cannot be read,
   * which was reported.
   */
  file?(path: Path): RepositoryFile | undefined;
  /** Reports an error at a path below the item. */
  report(path: Path, finding: Finding): void;
}

/** The result of decoding one item; errors went to `context.report`. */
export interface Decoded {
  readonly was?: string;
  readonly id?: number;
  readonly absent: boolean;
  readonly settled?: boolean;
  readonly fields: { readonly [field: string]: Json };
  readonly creation?: { readonly [field: string]: Json };
  /** Field → path below the item whose span is the field's place, if that is not simply `[field]`. */
  readonly paths?: { readonly [field: string]: Path };
}
