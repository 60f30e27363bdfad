import { CHANNEL } from "../access/scope.ts";
import { clean } from "../model/clean.ts";
import { SINGLETON } from "../model/kind.ts";
import type { Change, Unmanaged } from "../model/plan.ts";
import { count } from "../model/words.ts";
import { bounded, PLAIN } from "./style.ts";

const IRREGULAR: { readonly [kind: string]: string } = { person: "people", emoji: "emoji" };
/** `user_groups`, 1 → "1 user group". */
export function counted(section: string, number: number): string {
  const words = clean(section).replaceAll("_", " ");
  const irregular = Object.keys(IRREGULAR).find((kind) => IRREGULAR[kind] === section);
  return count(number, irregular ?? words.replace(/s$/, ""), words);
}

/** `default_channel` → "default channels". */
export function pluralOf(kind: string): string {
  return IRREGULAR[kind] ?? `${clean(kind).replaceAll("_", " ")}s`;
}

/** The maximum number of columns of a name. */
const LONGEST_NAME = 200;

/** A name, safe to print; of a very long one its beginning and its length. */
export function shownName(name: string): string {
  return bounded(PLAIN, clean(name), LONGEST_NAME);
}

/** The name of an object in sentences: `#announce` for a channel, otherwise its kind and name. */
export function objectName(kind: string, name: string): string {
  if (isSingleton(kind, name)) return wordsOf(kind);
  return kind === CHANNEL ? `#${shownName(name)}` : `${clean(kind).replaceAll("_", " ")} ${shownName(name)}`;
}

/** The kind of some changes, as a heading. */
export function headingOf(kind: string, [first]: readonly Pick<Change, "singleton">[]): string {
  return first?.singleton === true ? wordsOf(kind) : pluralOf(kind);
}

/** Whether the object is a singleton: the kind's name is then a plural. */
export const isSingleton = (kind: string, name: string): boolean => name === SINGLETON && kind.endsWith("s");

const wordsOf = (kind: string): string => clean(kind).replaceAll("_", " ");

/** The name of the object of a change in sentences. */
export function changeName(change: Pick<Change, "action" | "kind" | "name" | "singleton">): string {
  if (change.singleton === true) return wordsOf(change.kind);
  return change.action === "reorder" ? `order of ${pluralOf(change.kind)}` : objectName(change.kind, change.name);
}

/** "2 channels are left aside by manage.channels.except: tmp-a, tmp-b". @param list the names; left out where they stand below */
export function leftAsideText({ section, names, private: closed = 0 }: Unmanaged, list = ""): string {
  const are = names.length === 1 ? "is" : "are";
  const unwatched =
    closed === 0
      ? ""
      : `; ${closed} of them ${closed === 1 ? "is" : "are"} private, and nobody watches who reads ${closed === 1 ? "it" : "them"}`;
  return `${counted(section, names.length)} ${are} left aside by manage.${section}.except${list === "" ? "" : `: ${list}`}${unwatched}`;
}
