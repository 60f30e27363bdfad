import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { MapKind } from "../../model/kind.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Change } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { viewCalls, viewMoves } from "./calls.ts";
import { checkViews } from "./check.ts";
import {
  canonicalFragment,
  channelsNamed,
  decodeView,
  isBuiltIn,
  type NavigationView,
  navigationViewForm,
} from "./schema.ts";
import { navigationViewWords } from "./synonyms.ts";

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
    synonyms: navigationViewWords,
    fields: {
      is_pinned: { about: "Shown in the sidebar itself or in its menu." },
      name: { about: "What a view of one's own is called." },
    },
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
  return snapshot.navigation_views?.map(({ fragment, is_pinned, name }) => ({
    key: fragment,
    name: fragment,
    id: null,
    fields: name === null ? { is_pinned } : { is_pinned, name },
    inactive: false,
  }));
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
