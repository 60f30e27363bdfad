import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about:
    "These are the views of the account that runs realmctl, and of nobody else: the server lets nobody set the views of others. A view is named by the part of its URL after the #.",
  who: "Every account, only for itself.",
  defaults: { is_pinned: "required", name: "required for your own views" },
  example: `navigation_views:
  inbox: {is_pinned: true}
  narrow/topic/mentions: {name: My mentions, is_pinned: true}`,
};
