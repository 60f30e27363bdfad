import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import type { FragmentCause } from "../../model/diagnostics/navigation-views.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { Named } from "../../model/objects.ts";
import { own } from "../../model/own.ts";
import { didYouMean } from "../../model/suggest.ts";
import { strip } from "../names.ts";
import { optional, orNull } from "../optional.ts";

export const navigationViewForm = once(() =>
  z.strictObject({
    is_pinned: optional(z.boolean(), "Shown in the sidebar itself (`true`) or in its menu (`false`)."),
    name: orNull(z.string(), "The name of the view. Your own views need one; Zulip's views cannot have one."),
    absent: optional(
      z.boolean(),
      "`true` removes the view under any policy; one of Zulip's views gets its default again.",
    ),
  }),
);
export type NavigationView = z.infer<ReturnType<typeof navigationViewForm>>;

export function decodeView(item: NavigationView, fragment: string, context: DecodeContext): Decoded {
  const cause = fragmentCause(fragment);
  if (cause !== undefined) context.report([], finding("navigation_views/fragment", cause));
  const fields: { [field: string]: Json } = {};
  if (item.is_pinned !== undefined) fields.is_pinned = item.is_pinned;
  const name = item.name === undefined || item.absent === true ? undefined : decodeName(item.name, fragment, context);
  if (name !== undefined) fields.name = name;
  return { absent: item.absent === true, fields };
}

function decodeName(written: string | null, fragment: string, context: DecodeContext): string | undefined {
  const name = strip(written ?? "");
  if (isBuiltIn(fragment)) {
    if (written !== null)
      context.report(["name"], finding("navigation_views/built-in-name", { view: viewName(fragment) }));
    return undefined;
  }
  if (name !== "") return name;
  context.report(["name"], finding("navigation_views/no-name", { view: viewName(fragment), is_new: false }));
  return undefined;
}

/** Views that Zulip itself has (zulip-api.md §8): they need no name, and cannot have one. */
const BUILT_IN: ReadonlySet<string> = new Set([
  "inbox",
  "recent",
  "feed",
  "drafts",
  "narrow/has/reaction/sender/me",
  "narrow/is/mentioned",
  "narrow/is/starred",
  "scheduled",
  "reminders",
]);

/** What people call them. */
const OTHER_WORDS: { readonly [word: string]: string } = {
  all: "feed",
  all_messages: "feed",
  combined_feed: "feed",
  home: "inbox",
  recent_conversations: "recent",
  recent_topics: "recent",
  reactions: "narrow/has/reaction/sender/me",
};

/** Zulip's own view that a fragment probably means: by its spelling, or by its last part. */
export function builtInMeant(fragment: string): string | undefined {
  const word = fragment.toLowerCase().replaceAll(/[\s-]+/g, "_");
  const views = [...BUILT_IN];
  const last = new Map(views.map((view) => [view.split("/").at(-1) ?? view, view]));
  return (
    own(OTHER_WORDS, word) ??
    didYouMean(fragment, views) ??
    last.get(word) ??
    (word.includes("/") ? undefined : last.get(didYouMean(word, last.keys()) ?? ""))
  );
}

export const BUILT_IN_VIEWS: readonly string[] = [...BUILT_IN];

export function isBuiltIn(fragment: string): boolean {
  return BUILT_IN.has(fragment);
}

/** As the server stores it: case-sensitive, without surrounding white space. */
export function canonicalFragment(name: string): string {
  return strip(name);
}

/** Channels that a view narrows to: `narrow/channel/4-general`, or only the name, as in old links. */
export function channelsNamed(fragment: string): readonly Named[] {
  const [first, ...terms] = fragment.split("/");
  if (first !== "narrow") return [];
  return terms.flatMap((operator, at): readonly Named[] => {
    const operand = terms[at + 1];
    if (at % 2 === 1 || operand === undefined || !/^-?(channel|stream)$/.test(operator)) return [];
    const id = /^(\d+)(-|$)/.exec(operand)?.[1];
    if (id !== undefined) return [{ kind: "channel", id: Number(id), field: "" }];
    const name = decoded(operand);
    return name === undefined ? [] : [{ kind: "channel", name, field: "" }];
  });
}

/** Zulip writes `.20` where an address has `%20`. */
function decoded(operand: string): string | undefined {
  try {
    return decodeURIComponent(operand.replaceAll("%", "%25").replaceAll(".", "%"));
  } catch {
    return undefined;
  }
}

/** Why this does not identify a view; undefined if it does. */
export function fragmentCause(text: string): FragmentCause | undefined {
  const fragment = viewName(text);
  if (text === "") return { cause: "empty" };
  if (text.startsWith("#") || (text.indexOf("#") > 0 && /^https?:/.test(text))) return { cause: "hash", fragment };
  if (text.split("/").some((part) => part === "." || part === "..")) return { cause: "dots", fragment };
  const builtIn = text.toLowerCase();
  if (!isBuiltIn(text) && isBuiltIn(builtIn)) return { cause: "case", fragment, built_in: builtIn };
  return undefined;
}

export const viewName = (fragment: string): Quoted => quote(fragment, "navigation_view");
