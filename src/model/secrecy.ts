import type { Json } from "./json.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * What the name of an object gives away, and how it is hidden where others read along:
 * - `public`: nothing; it is always shown.
 * - `own`: what the object is itself; hidden where {@link SecrecyFacet.isHidden} says that the object is.
 * - `text`: what somebody wrote; left out where it mentions what is hidden.
 * - `link`: a part of a URL of Zulip; replaced where it leads to what is hidden.
 * - `invited`: the address of somebody who was invited; `account`: that of an account.
 * - `{ of }`: it is the name of an object of that kind.
 */
export type NameSecrecy = "public" | "own" | "text" | "link" | "invited" | "account" | { readonly of: string };

/**
 * What the values of a field give away; what a kind does not list is `text`.
 * - `word`: one of the words of the format, or the name of a thing whose names are public; always shown.
 * - `groups`: groups and people; addresses are replaced.
 * - `about`: what somebody wrote about the object: left out where the object is hidden, else as `text`.
 * - `text`: left out where it mentions what is hidden.
 */
export type FieldSecrecy = "word" | "groups" | "about" | "text";

/** What a hidden snapshot may show: the file's own words are no secret to those who read the file. */
export interface Shown {
  /** Whether the file already has this text. */
  isKnown(text: string | null): boolean;
  /** A text without what is hidden. */
  text(value: string): string;
  /** What stands for the name of an object of this kind; undefined where it may be shown. */
  hiddenName(name: string): string | undefined;
}

/** A name on the server; `isHidden` where it is one that others must not see. */
export interface KnownName {
  readonly name: string;
  readonly id?: number;
  readonly isHidden: boolean;
}

/** What of the objects of a kind other people must not see: those who read a pull request, an issue or an artifact. */
export interface SecrecyFacet {
  readonly name: NameSecrecy;
  readonly fields?: { readonly [field: string]: FieldSecrecy };
  /** Whether one of these values, as a file or a plan has them, makes the whole object a secret, even its name. */
  isHidden?(fields: { readonly [field: string]: Json }): boolean;
  /** Every name that a reading has of the kind, where names are `own` or `invited`. */
  namesIn?(snapshot: Snapshot): readonly KnownName[];
  /** Names that a section must hide although nobody has decoded it, because it has errors. */
  namesToHide?(section: unknown): readonly string[];
  /** The kind's part of a snapshot, without what is hidden. What no kind gives is not in a hidden snapshot. */
  snapshot(snapshot: Snapshot, shown: Shown): Partial<Snapshot>;
}
