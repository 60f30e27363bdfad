import type { Json } from "./json.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * What the name of an object reveals, and how it is hidden from other readers: - `public`: the name is not a secret, and always shown. - `own`: what
 * the object is itself; hidden where {@link SecrecyFacet.isHidden} says that the object is. - `text`: what somebody wrote; left out where it mentions
 * what is hidden. - `link`: a part of a URL of Zulip; replaced where it leads to what is hidden. - `invited`: the address of somebody who was
 * invited; `account`: that of an account. - `{ of }`: it is the name of an object of that kind.
 */
export type NameSecrecy = "public" | "own" | "text" | "link" | "invited" | "account" | { readonly of: string };

/**
 * What the values of a field reveal, or those of a parameter of requests; one that a kind does not list is `text`.
 * - `word`: one of the words of the format, or the name of an object whose names are public; always shown.
 * - `groups`: a set of groups and people; addresses are replaced.
 * - `{ of }`: the name of an object of that kind, or a set of such names.
 * - `about`: a text that somebody wrote about the object: left out if the object is hidden, otherwise as `text`.
 * - `text`: left out if it mentions something hidden.
 */
export type FieldSecrecy = "word" | "groups" | "about" | "text" | { readonly of: string };

/** What a hidden snapshot may show. Words of the file are not a secret for its readers. */
export interface Shown {
  /** Whether the file already has this text. */
  isKnown(text: string | null): boolean;
  /** A text without hidden names. */
  text(value: string): string;
  /** The replacement for the name of an object of this kind; undefined if it may be shown. */
  hiddenName(name: string): string | undefined;
}

/** The rest of a file with errors, as far as it can be read. */
export interface Written {
  /** `profiles:` of all files. */
  readonly profiles: { readonly [name: string]: Json };
  /** `defaults:` of the section. */
  readonly defaults: Json | undefined;
  /** Whether the server has such an object of the kind, and others must not see it. */
  isHidden(name: string, id?: number): boolean;
}

/** A name on the server; `isHidden` if others must not see it. */
export interface KnownName {
  readonly name: string;
  readonly id?: number;
  readonly isHidden: boolean;
}

/** What the readers of a pull request, an issue or an artifact must not see of a kind's objects. */
export interface SecrecyFacet {
  readonly name: NameSecrecy;
  readonly fields?: { readonly [field: string]: FieldSecrecy };
  /** Whether the server itself gave the object this name, for kinds whose names are `link`. Such names are always shown. */
  isOfServer?(name: string): boolean;
  /** Whether one of these values, as a file or a plan has them, makes the whole object a secret, even its name. */
  isHidden?(fields: { readonly [field: string]: Json }): boolean;
  /** Every name of the kind in a reading, for kinds whose names are `own` or `invited`. */
  namesIn?(snapshot: Snapshot): readonly KnownName[];
  /** Names that must be hidden in a section although it cannot be decoded, because it has errors. */
  namesToHide?(section: unknown, written: Written): readonly string[];
  /** The kind's part of a snapshot, without hidden parts. A hidden snapshot has only the parts that kinds return. */
  snapshot(snapshot: Snapshot, shown: Shown): Partial<Snapshot>;
}
