import { RE2JS } from "re2js";
import { defined } from "../../model/defined.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Call, everybody } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ALL_FIELDS, ApiError, BLANK, INVALID_URL_TEMPLATE, ValidationFailure } from "../errors.ts";
import { type Args, int, json, list, optional, required, string } from "../params.ts";
import { stripped } from "../python.ts";
import type { Linkifier } from "../rows/organization.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { type PatternGroups, readPattern } from "./re2-syntax.ts";

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

type LinkifierFields = Omit<Linkifier, "id" | "order">;

/**
 * @param id the linkifier that is changed; undefined for a new one
 * @throws ApiError with every error (zulip-api.md §6.3)
 */
function checkLinkifier(state: RealmState, fields: LinkifierFields, id?: number): void {
  const failure = new ValidationFailure();
  if (fields.pattern === "") failure.add("pattern", BLANK);
  if (fields.url_template === "") failure.add("url_template", BLANK);
  else if (templateVariables(fields.url_template) === undefined) failure.add("url_template", INVALID_URL_TEMPLATE);
  if (fields.alternative_url_templates.some((template) => templateVariables(template) === undefined))
    failure.add("alternative_url_templates", INVALID_URL_TEMPLATE);
  const reason = problemTogether(fields);
  if (reason !== undefined) failure.add(ALL_FIELDS, reason);
  if (!failure.has("pattern") && isTaken(state, fields.pattern, id))
    failure.add(ALL_FIELDS, "Realm filter with this Realm and Pattern already exists.");
  failure.throwIfAny();
}

const isTaken = (state: RealmState, pattern: string, except: number | undefined): boolean =>
  rows(state.linkifiers).some((linkifier) => linkifier.id !== except && linkifier.pattern === pattern);

/** The first error in the pattern, or between the pattern and the templates; only this one is reported. */
function problemTogether(fields: LinkifierFields): string | undefined {
  const syntax = readPattern(fields.pattern);
  if ("reason" in syntax) return `Bad regular expression: ${syntax.reason}`;
  const groups = new Set(syntax.groups);
  const ofExample = problemOfExample(fields, syntax);
  if (ofExample !== undefined) return ofExample;
  const variables = templateVariables(fields.url_template);
  if (variables === undefined) return undefined;
  const unknown = first(variables.filter((name) => !groups.has(name)));
  if (unknown !== undefined) return `Group '${unknown}' in URL template is not present in linkifier pattern.`;
  const unused = first(syntax.groups.filter((name) => !variables.includes(name)));
  if (unused !== undefined) return `Group '${unused}' in linkifier pattern is not present in URL template.`;
  return undefined;
}
/** The names are sorted by code points, as on the server. */
const first = (names: readonly string[]): string | undefined => [...names].sort()[0];

function problemOfExample(fields: LinkifierFields, syntax: PatternGroups): string | undefined {
  const { example_input: example, reverse_template: reverse } = fields;
  if (example === null) {
    if (reverse === null) return undefined;
    throw new ApiError("Example text is required when auto-conversion field is set.");
  }
  const matcher = matcherOf(syntax, example);
  // The few constructs that RE2 reads but re2js does not (`\C`) are accepted without a check.
  if (matcher === undefined) return undefined;
  if (!matcher.find()) return "Example input does not match the linkifier pattern.";
  if (reverse === null) return undefined;
  const values = new Map([...syntax.newNames].map(([name, newName]) => [name, matcher.group(newName) ?? ""]));
  const expanded = expandReverse(reverse, values);
  if ("reason" in expanded) return expanded.reason;
  return expanded.text === example ? undefined : "Example text does not match auto-conversion field.";
}

function matcherOf({ renamed }: PatternGroups, text: string): ReturnType<RE2JS["matcher"]> | undefined {
  try {
    return RE2JS.compile(renamed).matcher(text);
  } catch {
    return undefined;
  }
}

type Expanded = { readonly text: string } | { readonly reason: string };
function expandReverse(template: string, values: ReadonlyMap<string, string>): Expanded {
  let text = "";
  for (let at = 0; at < template.length; ) {
    const pair = template.slice(at, at + 2);
    if (pair === "{{" || pair === "}}") {
      text += pair.charAt(0);
      at += 2;
    } else if (template[at] === "{") {
      const end = template.indexOf("}", at + 1);
      if (end === -1) return { reason: "Invalid auto-conversion field: missing '}' character." };
      const name = template.slice(at + 1, end);
      if (name === "") return { reason: "Invalid auto-conversion field: empty field name." };
      const value = values.get(name);
      if (value === undefined)
        return { reason: `Group '${name}' in auto-conversion field is not present in linkifier pattern.` };
      text += value;
      at = end + 1;
    } else {
      text += template.charAt(at);
      at += 1;
    }
  }
  return { text };
}

const VARIABLE_START = /^[A-Za-z0-9_]/;
/** Characters of a variable name; a slash separates the name that is shown from the key that is looked up. */
const VARIABLE_NAME = /^(?:[A-Za-z0-9_./]|%[0-9A-Fa-f]{2})*$/;
const OPERATORS = "+#./;?&,";
const TRAILING_JOINERS = ",./;&";

/**
 * The variables of an RFC 6570 template, or undefined if the server's library calls it invalid. The library knows a few extensions: defaults, `[]`, a
 * trailing joiner (zulip-api.md §6.3, §12.5).
 */
export function templateVariables(template: string): readonly string[] | undefined {
  const names = new Set<string>();
  const literals = template.replace(/\{([^}]*)\}/g, (_, expression: string) => {
    const variables = expressionVariables(expression);
    // An invalid expression leaves a brace, which no literal may contain.
    if (variables === undefined) return "{";
    for (const name of variables) names.add(name);
    return "";
  });
  return /[{}]/.test(literals) ? undefined : [...names];
}

function expressionVariables(expression: string): readonly string[] | undefined {
  const startsWithName = VARIABLE_START.test(expression);
  const operator = startsWithName ? "" : expression.slice(0, expression.startsWith(",+") ? 2 : 1);
  if (!startsWithName && (operator === "" || !OPERATORS.includes(operator.charAt(0)))) return undefined;
  let list = expression.slice(operator.length);
  if (list !== "" && TRAILING_JOINERS.includes(list.slice(-1))) list = list.slice(0, -1);
  const names: string[] = [];
  for (const spec of list.split(",")) {
    const name = variableName(spec);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}

function variableName(spec: string): string | undefined {
  if (!VARIABLE_START.test(spec)) return undefined;
  let name = spec.replace(/=.*$/s, "");
  const colon = name.indexOf(":");
  if (colon !== -1) {
    if (!/^\d{1,3}$/.test(name.slice(colon + 1)) || Number(name.slice(colon + 1)) === 0) return undefined;
    name = name.slice(0, colon);
  } else {
    name = name.replace(/(\*|\[\])$/, "");
  }
  if (!VARIABLE_NAME.test(name)) return undefined;
  const parts = name.split("/");
  const key = parts.pop() ?? "";
  return parts.pop() || key;
}
