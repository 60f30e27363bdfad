import type { JsonObject } from "../model/json.ts";
import { type Call, everybody } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ALL_FIELDS, ApiError, BLANK, INVALID_URL_TEMPLATE, internalError, ValidationFailure } from "./errors.ts";
import { templateVariables } from "./linkifiers/endpoints.ts";
import { checkNoNullBytes, codePoints, type Reader, required } from "./params.ts";
import { stripped } from "./python.ts";
import type { Playground } from "./rows/organization.ts";
import { rows } from "./rows/values.ts";
import type { RealmState } from "./state.ts";

/** A line break at the very end is accepted, and removed with other surrounding white space. */
const LANGUAGE = /^[ A-Za-z0-9_+,./#-]*\n?$/;
const MAX_LANGUAGE_LENGTH = 40;
/** Checked while the parameters are read, in the form that was sent. The server has no error for a language that is too long. */
const language: Reader<string> = (raw) => {
  if (codePoints(raw) > MAX_LANGUAGE_LENGTH) throw internalError();
  if (!LANGUAGE.test(raw)) throw new ApiError("Invalid characters in pygments language");
  return stripped(raw);
};

/** `realm_playgrounds` of POST /register: the only way to read playgrounds. */
export function shownPlaygrounds(state: RealmState): readonly JsonObject[] {
  return rows(state.playgrounds).map((playground) => ({ ...playground }));
}

/** @throws ApiError with every problem (zulip-api.md §12.5) */
function checkPlayground(state: RealmState, sent: Omit<Playground, "id">): void {
  checkNoNullBytes(sent.name, sent.url_template);
  const failure = new ValidationFailure();
  const variables = templateVariables(sent.url_template);
  if (sent.url_template === "") failure.add("url_template", BLANK);
  else if (variables === undefined) failure.add("url_template", INVALID_URL_TEMPLATE);
  for (const field of ["name", "pygments_language"] as const) if (sent[field] === "") failure.add(field, BLANK);
  if (variables !== undefined && !variables.includes("code"))
    failure.add(ALL_FIELDS, 'Missing the required variable "code" in the URL template');
  else if (variables !== undefined && variables.length > 1)
    failure.add(ALL_FIELDS, '"code" should be the only variable present in the URL template');
  const taken = rows(state.playgrounds).some(
    (each) => each.pygments_language === sent.pygments_language && each.name === sent.name,
  );
  if (taken) failure.add(ALL_FIELDS, "Realm playground with this Realm, Pygments language and Name already exists.");
  failure.throwIfAny();
}

const tell = (call: Call): void =>
  call.emit(everybody, { type: "realm_playgrounds", realm_playgrounds: shownPlaygrounds(call.state) });

export const playgroundEndpoints = [
  defineEndpoint("POST /realm/playgrounds", {
    level: 49,
    who: ["administrator"],
    params: {
      name: required(stripped),
      pygments_language: required(language),
      url_template: required(stripped),
    },
    handler(call, sent) {
      checkPlayground(call.state, sent);
      const id = call.ledger.nextId("playground");
      call.ledger.put(call.state.playgrounds, id, { id, ...sent });
      tell(call);
      return { id };
    },
  }),
  defineEndpoint("DELETE /realm/playgrounds/{playground_id}", {
    level: 49,
    who: ["administrator"],
    params: {},
    handler(call, { playground_id }) {
      const playground = call.state.playgrounds[playground_id];
      if (playground === undefined) throw new ApiError("Invalid playground");
      call.ledger.remove(call.state.playgrounds, playground_id);
      if (playground.pygments_language === call.state.realm.default_code_block_language) {
        call.ledger.set(call.state.realm, "default_code_block_language", "");
        call.emit(everybody, { type: "realm", op: "update", property: "default_code_block_language", value: "" });
      }
      tell(call);
    },
  }),
];
