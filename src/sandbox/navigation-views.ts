import { defined } from "../model/defined.ts";
import { words } from "../model/synonyms.ts";
import { type Call, only } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError, notFound } from "./errors.ts";
import { bool, json, optional, required, text } from "./params.ts";
import type { NavigationView } from "./rows/organization.ts";

const BUILT_IN: ReadonlySet<string> = new Set(
  words(
    "inbox recent feed drafts narrow/has/reaction/sender/me narrow/is/mentioned narrow/is/starred scheduled reminders",
  ),
);

const viewsOf = (call: Call): readonly NavigationView[] => call.state.navigation_views[call.user.user_id] ?? [];
const keep = (call: Call, views: readonly NavigationView[]): void =>
  call.ledger.put(call.state.navigation_views, call.user.user_id, views);

function find(call: Call, fragment: string): NavigationView {
  const view = viewsOf(call).find((each) => each.fragment === fragment);
  if (view === undefined) throw notFound("Navigation view does not exist.");
  return view;
}
const checkNoCustomName = (fragment: string, name: string | undefined): void => {
  if (BUILT_IN.has(fragment) && name !== undefined) throw new ApiError("Built-in views cannot have a custom name.");
};
/** The count includes the view that is being renamed. */
const checkNameIsFree = (call: Call, name: string | undefined): void => {
  if (name !== undefined && viewsOf(call).some((view) => view.name === name)) throw alreadyExists();
};
const alreadyExists = (): ApiError => new ApiError("Navigation view already exists.");

const nameText = text({ strip: true, notBlank: true });

/** Each account's own entries in the sidebar (zulip-api.md §8). */
export const navigationViewEndpoints = [
  defineEndpoint("GET /navigation_views", {
    level: 390,
    handler: (call) => ({ navigation_views: viewsOf(call).map((view) => ({ ...view })) }),
  }),
  defineEndpoint("POST /navigation_views", {
    level: 390,
    params: {
      fragment: required(text({ strip: true, notBlank: true })),
      is_pinned: required(json(bool)),
      name: optional(nameText),
    },
    handler(call, { fragment, is_pinned, name }) {
      checkNoCustomName(fragment, name);
      if (!BUILT_IN.has(fragment) && name === undefined) throw new ApiError("Custom views must have a valid name.");
      checkNameIsFree(call, name);
      if (viewsOf(call).some((view) => view.fragment === fragment)) throw alreadyExists();
      const view = { fragment, is_pinned, name: name ?? null };
      keep(call, [...viewsOf(call), view]);
      call.emit(only(call.user.user_id), { type: "navigation_view", op: "add", navigation_view: view });
    },
  }),
  defineEndpoint("PATCH /navigation_views/{fragment:path}", {
    level: 390,
    params: { is_pinned: optional(json(bool)), name: optional(nameText) },
    handler(call, { fragment, is_pinned, name }) {
      checkNoCustomName(fragment, name);
      checkNameIsFree(call, name);
      const view = find(call, fragment);
      const data = { ...defined({ is_pinned, name }) };
      keep(
        call,
        viewsOf(call).map((each) => (each === view ? { ...each, ...data } : each)),
      );
      call.emit(only(call.user.user_id), { type: "navigation_view", op: "update", fragment, data });
    },
  }),
  defineEndpoint("DELETE /navigation_views/{fragment:path}", {
    level: 390,
    handler(call, { fragment }) {
      const view = find(call, fragment);
      keep(
        call,
        viewsOf(call).filter((each) => each !== view),
      );
      call.emit(only(call.user.user_id), { type: "navigation_view", op: "remove", fragment });
    },
  }),
];
