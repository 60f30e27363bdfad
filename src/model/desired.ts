import type { Diagnostic, Span } from "./diagnostic.ts";
import type { DeclaredObject, Policy } from "./objects.ts";
import type { PolicyEntry } from "./policy.ts";

/** What the file asks for: every section that it has, decoded and resolved. Sections that it leaves out are missing here. */
export interface Desired {
  /** `realm:` the URL that this file is for, without a trailing slash; undefined if the file has none. */
  readonly realm?: { readonly url: string; readonly at: Span };
  /** Section → what happens to live objects that the file does not mention. Has exactly the keys of `sections`. */
  readonly manage: { readonly [section: string]: Policy };
  /** Section → its place in `manage:`; sections that `manage:` does not name are missing. */
  readonly manageAt?: { readonly [section: string]: Span };
  /** Section → where `manage:` says `unset: default`: fields that the file leaves out are what the server gives to new objects. */
  readonly unset?: { readonly [section: string]: Span };
  /** Section → its objects in file order. An empty list is a section that is written and empty. */
  readonly sections: ReadonlyMap<string, readonly DeclaredObject[]>;
  /** Sections whose order counts although the file may not have all of their objects: an undo restores them. */
  readonly ordered?: ReadonlySet<string>;
  /** `policy:` guard rails, or where they are. */
  readonly policy?: PolicyEntry;
  readonly warnings: readonly Diagnostic[];
}
