import type { DocsFacet } from "../../model/kind.ts";

export const docs: DocsFacet = {
  about:
    "These are the views of the account that runs realmctl and of nobody else: the server lets nobody set those of others. Named by the part of the URL behind the #.",
  who: "Every account, for itself alone.",
  defaults: { is_pinned: "has to be written", name: "has to be written for views of your own" },
  example: `navigation_views:
  inbox: {is_pinned: true}
  narrow/topic/mentions: {name: My mentions, is_pinned: true}`,
};
