import type { Unseen } from "./coverage.ts";
import type { Diagnostic, Span } from "./diagnostic.ts";
import type { DeclaredObject, Policy } from "./objects.ts";
import type { PolicyEntry } from "./policy.ts";

/** What the file asks for: every section that it has, decoded and resolved. Sections that it leaves out are missing here. */
export interface Desired {
  /** The URL of `realm:`, without a trailing slash; undefined if the file has none. */
  readonly realm?: { readonly url: string; readonly at: Span };
  /** Section → what happens to live objects that the file does not mention. Has exactly the keys of `sections`. */
  readonly manage: { readonly [section: string]: Policy };
  /** Section → its place in `manage:`; sections that `manage:` does not name are missing. */
  readonly manageAt?: { readonly [section: string]: Span };
  /** Section → where `manage:` says `unset: default`: fields that the file leaves out are what the server gives to new objects. */
  readonly unset?: { readonly [section: string]: Span };
  /** Section → patterns of names: objects that match one are left alone if the file does not mention them, whatever the policy says. */
  readonly except?: { readonly [section: string]: readonly string[] };
  /** Section → its objects in file order. An empty list means that the file has the section and nothing in it. */
  readonly sections: ReadonlyMap<string, readonly DeclaredObject[]>;
  /**
   * What is not removed only because the file does not mention it: objects by their addresses, and kinds, if one of their objects is held or a name of one
   * does not resolve.
   */
  readonly keeps?: ReadonlySet<string>;
  /** Sections whose order counts although the file may not have all of their objects: an undo restores them. */
  readonly ordered?: ReadonlySet<string>;
  /**
   * What stands beside this and is not planned with it: an undo is made from a journal, and the invitations and links of the organization's file stay open
   * meanwhile.
   */
  readonly beside?: Desired;
  /** The guard rails of `policy:`, or the file with them. */
  readonly policy?: PolicyEntry;
  readonly warnings: readonly Diagnostic[];
  /** What the account that reads does not see of these sections; empty, or absent, if it sees all. */
  readonly unseen?: readonly Unseen[];
  /** The errors of the file without a server: a plan finds them again, with more facts. All that it finds besides comes from the server's state. */
  readonly errorsAlone?: () => readonly Diagnostic[];
}
