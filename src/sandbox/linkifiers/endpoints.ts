import { defined } from "../../model/defined.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Call, everybody } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { type Args, int, json, list, optional, required, string } from "../params.ts";
import type { Linkifier } from "../rows/organization.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { stripped } from "../white-space.ts";
import { checkLinkifier, type LinkifierFields } from "./rules.ts";

/** The linkifiers in processing order, as the level shows them: GET /realm/linkifiers, register and events (zulip-api.md §6.1). */
export function shownLinkifiers(state: RealmState, level: number): readonly JsonObject[] {
  return ordered(state).map((linkifier) =>
    defined({
      pattern: linkifier.pattern,
      url_template: linkifier.url_template,
      id: linkifier.id,
      example_input: level >= 471 ? linkifier.example_input : undefined,
      reverse_template: level >= 471 ? linkifier.reverse_template : undefined,
      alternative_url_templates: level >= 478 ? linkifier.alternative_url_templates : undefined,
    }),
  );
}
const ordered = (state: RealmState): Linkifier[] =>
  rows(state.linkifiers).sort((a, b) => a.order - b.order || a.id - b.id);

const params = {
  pattern: required(stripped),
  url_template: required(stripped),
  alternative_url_templates: optional(json(list(string())), { level: 478 }),
  example_input: optional(stripped, { level: 471 }),
  reverse_template: optional(stripped, { level: 471 }),
};
/** The fields as they are stored: an empty or missing text becomes null. */
function fieldsOf(sent: Args<typeof params>): LinkifierFields {
  return {
    pattern: sent.pattern,
    url_template: sent.url_template,
    example_input: sent.example_input || null,
    reverse_template: sent.reverse_template || null,
    alternative_url_templates: sent.alternative_url_templates ?? [],
  };
}

/**
 * Every change sends the whole list, in order. Clients that do not know URL templates get an empty list when they register, but they get these
 * events.
 */
function tell(call: Call): void {
  call.emit(everybody, {
    type: "realm_linkifiers",
    realm_linkifiers: shownLinkifiers(call.state, call.level),
  });
}

function find(state: RealmState, id: number): Linkifier {
  const linkifier = state.linkifiers[id];
  if (linkifier === undefined) throw new ApiError("Linkifier not found.");
  return linkifier;
}

export const linkifierEndpoints = [
  defineEndpoint("GET /realm/linkifiers", {
    handler: ({ state, level }) => ({ linkifiers: shownLinkifiers(state, level) }),
  }),
  defineEndpoint("PATCH /realm/linkifiers", {
    level: 202,
    who: ["administrator"],
    params: { ordered_linkifier_ids: required(json(list(int()))) },
    handler(call, { ordered_linkifier_ids: ids }) {
      const places = new Map(ids.map((id, place) => [id, place]));
      if (places.size !== ids.length) throw new ApiError("The ordered list must not contain duplicated linkifiers");
      const all = rows(call.state.linkifiers);
      if (all.length !== ids.length || all.some(({ id }) => !places.has(id)))
        throw new ApiError("The ordered list must enumerate all existing linkifiers exactly once");
      for (const linkifier of all) call.ledger.set(linkifier, "order", places.get(linkifier.id) ?? 0);
      if (all.length > 0) tell(call);
    },
  }),
  defineEndpoint("POST /realm/filters", {
    who: ["administrator"],
    params,
    handler(call, sent) {
      const fields = fieldsOf(sent);
      checkLinkifier(call.state, fields);
      const order = ordered(call.state).reduce((last, each) => Math.max(last, each.order + 1), 0);
      const id = call.ledger.nextId("linkifier");
      call.ledger.put(call.state.linkifiers, id, { id, ...fields, order });
      tell(call);
      return { id };
    },
  }),
  defineEndpoint("DELETE /realm/filters/{filter_id}", {
    who: ["administrator"],
    handler(call, { filter_id }) {
      find(call.state, filter_id);
      call.ledger.remove(call.state.linkifiers, filter_id);
      tell(call);
    },
  }),
  defineEndpoint("PATCH /realm/filters/{filter_id}", {
    level: 57,
    who: ["administrator"],
    params,
    handler(call, { filter_id, ...sent }) {
      const linkifier = find(call.state, filter_id);
      const fields = fieldsOf(sent);
      checkLinkifier(call.state, fields, filter_id);
      call.ledger.assign(linkifier, fields);
      tell(call);
    },
  }),
];
