import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, own } from "../../model/defined.ts";
import { type Diagnostic, error, finding, warning } from "../../model/diagnostic.ts";
import type { FragmentCause } from "../../model/diagnostics/navigation-views.ts";
import { type Quoted, quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import type { DocsFacet, FoundRisk, Move } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import { once } from "../../model/lazy.ts";
import type { LiveObject, Named, Pair } from "../../model/objects.ts";
import { type Change, type FieldChange, fieldIn, objectChanges, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { didYouMean } from "../../model/suggest.ts";
import { sharingName } from "../checks.ts";
import { strip } from "../names.ts";
import { flag, orNull } from "../optional.ts";
import { liveObject } from "../readings.ts";
import { namedRequests } from "../requests.ts";

const navigationViewForm = once(() =>
  z.strictObject({
    is_pinned: flag("Shown in the sidebar itself (`true`) or in its menu (`false`)."),
    name: orNull(z.string(), "The name of the view. Your own views need one; Zulip's views cannot have one."),
    absent: flag("`true` removes the view under any policy; one of Zulip's views gets its default again."),
  }),
);
type NavigationView = z.infer<ReturnType<typeof navigationViewForm>>;

function decodeView(item: NavigationView, fragment: string, context: DecodeContext): Decoded {
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
function builtInMeant(fragment: string): string | undefined {
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

const BUILT_IN_VIEWS: readonly string[] = [...BUILT_IN];

export function isBuiltIn(fragment: string): boolean {
  return BUILT_IN.has(fragment);
}

/** As the server stores it: case-sensitive, without surrounding white space. */
function canonicalFragment(name: string): string {
  return strip(name);
}

/** Channels that a view narrows to: `narrow/channel/4-general`, or only the name, as in old links. */
function channelsNamed(fragment: string): readonly Named[] {
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

const viewName = (fragment: string): Quoted => quote(fragment, "navigation_view");

function checkViews(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...whoseViews(changes, context),
    ...changes.filter(({ action }) => action === "create").flatMap(incomplete),
    ...sameNames(context),
  ];
}

/** Everything else in the file belongs to the organization. These views belong to one person, and the file does not show that. */
function whoseViews(changes: readonly Change[], { declared, snapshot }: PlanContext): readonly Diagnostic[] {
  const [first] = declared("navigation_views");
  if (first === undefined && changes.length === 0) return [];
  return [warning("navigation_views/personal", { account: runningAccount(snapshot) }, first?.at)];
}

/** What the server requires for a new view (zulip-api.md §8). */
function incomplete(change: Change): readonly Diagnostic[] {
  const has = (field: string): boolean => fieldIn(change.fields, field) !== undefined;
  const view = viewName(change.name);
  return [
    ...(has("is_pinned") ? [] : [error("navigation_views/no-is-pinned", { view }, change.at)]),
    ...(has("name") || isBuiltIn(change.name)
      ? []
      : [
          error(
            "navigation_views/no-name",
            { view, is_new: true, ...defined({ meant: builtInMeant(change.name) }), built_in: BUILT_IN_VIEWS },
            change.at,
          ),
        ]),
  ];
}

/** Names of an account's views are unique, compared with case. */
const sameNames = (context: PlanContext): readonly Diagnostic[] =>
  sharingName(context.pairs("navigation_views"), nameAfter).map(({ pair, other, name }) => {
    const fact = { views: [fragmentOf(pair), fragmentOf(other)], name: quote(name) } as const;
    return error("navigation_views/same-name", fact, pair.declared?.spans.of("name") ?? pair.declared?.at);
  });

function nameAfter({ declared, live, change }: Pair): string | undefined {
  if (change?.action === "remove" || (live === undefined && change === undefined)) return undefined;
  const name = declared?.fields.name ?? live?.fields.name;
  return typeof name === "string" ? name : undefined;
}

const fragmentOf = ({ declared, live }: Pair): Quoted => viewName(declared?.name ?? live?.name ?? "");

/** Names are unique after every request: names that are freed come first. */
function viewCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).flatMap((change) => ownCalls(change, context));
}

/** Names of views are unique, although a view is identified by its fragment. */
function viewMoves(changes: readonly Change[]): readonly Move[] {
  return changes.flatMap((change) => {
    const moved = change.action === "update" ? nameOf(change) : undefined;
    if (moved === undefined) return [];
    const name = String(moved.after);
    return [{ change, from: String(moved.before), to: name, name }];
  });
}

function nameOf({ fields }: Pick<Change, "fields">): FieldChange | undefined {
  return fieldIn(fields, "name");
}

const ownCalls = namedRequests({
  kind: "navigation_view",
  nameOf: ({ action, address, fields }, context) => {
    const name = action === "create" ? nameOf({ fields })?.after : context.pair(address)?.live?.fields.name;
    return typeof name === "string" ? name : undefined;
  },
  create: ({ name: fragment, fields }) => {
    const name = nameOf({ fields })?.after;
    return {
      operation: "add-navigation-view",
      params: {
        fragment,
        is_pinned: sets(fields, "is_pinned", true),
        ...defined({ name: typeof name === "string" ? name : undefined }),
      },
      rank: 62,
    };
  },
  // The server treats a view's own name as taken: it is sent only if it changes.
  update: (change, fields, name) => ({
    operation: "edit-navigation-view",
    path: { fragment: change.name },
    params: Object.fromEntries(
      change.fields.flatMap(({ field, after }) =>
        fields.includes(field) ? [[field, field === "name" ? (name ?? after) : after]] : [],
      ),
    ),
    rank: 61,
  }),
  remove: ({ name: fragment }) => ({ operation: "remove-navigation-view", path: { fragment }, rank: 60 }),
});

const docs: DocsFacet = {
  about:
    "These are the views of the account that runs realmctl, and of nobody else: the server lets nobody set the views of others. A view is named by the part of its URL after the #.",
  who: "Every account, only for itself.",
  defaults: { is_pinned: "required", name: "required for your own views" },
  example: `navigation_views:
  inbox: {is_pinned: true}
  narrow/topic/mentions: {name: My mentions, is_pinned: true}`,
};

/**
 * An entry in the sidebar of the account that runs realmctl, and of nobody else
 * (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md). Its fragment (the part of
 * the URL behind the #) is its identity and cannot be changed.
 * @see zulip-api.md §8 https://zulip.com/api/edit-navigation-view
 */
export const navigationView: MapKind<NavigationView> = {
  name: "navigation_view",
  section: "navigation_views",
  shape: "map",
  noun: ["navigation view", "navigation views"],
  identity: { keyOf: canonicalFragment, canonicalName: canonicalFragment },
  file: {
    schema: navigationViewForm,
    fields: { is_pinned: {}, name: {} },
    decode: decodeView,
    names: ({ absent, name }) => (absent ? [] : channelsNamed(name)),
  },
  live: { level: 390, read: liveViews },
  review: { check: checkViews, risks: viewRisks },
  calls: { draft: viewCalls, moves: viewMoves },
  yaml: { item: ({ fields }) => fields, onRequest: true },
  secrecy: {
    name: "link",
    fields: { name: "about" },
    isOfServer: isBuiltIn,
    snapshot: ({ navigation_views }, { isKnown, text }) => ({
      navigation_views:
        navigation_views
          ?.filter(({ fragment }) => isKnown(fragment))
          .map((view) => ({ ...view, name: view.name === null ? null : text(view.name) })) ?? null,
    }),
  },
  docs,
};

/** The server has only views that somebody changed; Zulip's own views that it does not have are at their defaults. */
function liveViews({ snapshot }: Realm): readonly LiveObject[] | undefined {
  return snapshot.navigation_views?.map(({ fragment, is_pinned, name }) =>
    liveObject(fragment, name === null ? { is_pinned } : { is_pinned, name }),
  );
}

function viewRisks(change: Change): readonly FoundRisk[] {
  const { action, name } = change;
  if (action !== "remove") return [];
  const object = namedOf(change);
  const fact: RiskFact = isBuiltIn(name)
    ? { kind: "back-to-default", object }
    : { kind: "removed", object, noun: "view" };
  return [{ kind: "removes", fact }];
}
