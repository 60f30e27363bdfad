import { defined, whenDefined } from "../../model/defined.ts";
import type { DocsFacet } from "../../model/facets.ts";
import { isList, type Json } from "../../model/json.ts";
import type { ListKind } from "../../model/kind.ts";
import type { FinalFact, LossFact } from "../../model/kind-facts.ts";
import type { Fields } from "../../model/objects.ts";
import { type Change, type FieldChange, fieldIn } from "../../model/plan.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { strip } from "../names.ts";
import { renamesAsMoves } from "../requests.ts";
import { profileFieldCalls, renamedOptions } from "./calls.ts";
import {
  checkProfileFields,
  checkProfileFieldsInFile,
  profileFieldRisks,
  profileFieldToYaml,
  usualFields,
} from "./check.ts";
import { liveProfileFields, MATCHING_LEVEL, newerOfFields, newerTypes } from "./live.ts";
import { asNew, decodeProfileField, type ProfileField, profileFieldForm, servicesOf } from "./schema.ts";

const docs: DocsFacet = {
  about:
    "Custom profile fields, in the order in which profiles show them. Fields that the file does not mention keep their places. The values belong to people: realmctl counts them, and neither reads nor sets them.",
  who: "Administrators.",
  defaults: {
    name: "–",
    type: "required, and never changes",
    hint: "none",
    options: "required (`select`)",
    service: "this or `url_pattern` is required (`external_account`)",
    url_pattern: "this or `service` is required (`external_account`)",
    in_profile_summary: "`false`",
    required: "`false`",
    editable_by_user: "`true`",
    use_for_user_matching: "`false`",
  },
  example: `profile_fields:
  - {name: Pronouns, type: pronouns, in_profile_summary: true}
  - {name: Site, type: select, options: [Leeds, Porto], required: true}
  - {name: GitHub username, type: external_account, service: github}`,
};

const NAME_LIMIT = 40;

/** The server does not change a field for a service that it knows. */
function whyStays({ action, fields }: Change): FinalFact | undefined {
  const becomes = fieldIn(fields, "service")?.after;
  return action === "update" && typeof becomes === "string" ? "service-fixed" : undefined;
}

/** People's values are deleted with a field, and with an option. */
function lostWith({ action, fields }: Change): LossFact | undefined {
  if (action === "remove") return "profile-values";
  const options = fieldIn(fields, "options");
  const after = options !== undefined && isList(options.after) ? options.after : [];
  const renamed = new Set(Object.values(options?.renamed ?? {}));
  const isLost = (text: Json): boolean => !after.includes(text) && !renamed.has(String(text));
  const lost = options !== undefined && isList(options.before) && options.before.some(isLost);
  return lost ? "chosen-options" : undefined;
}

/** A renamed option gets its old text back, and the people who chose it keep it. */
function declares(restored: readonly FieldChange[]): Fields {
  const renamed = restored.find(({ field }) => field === "options")?.renamed ?? {};
  return { option_names: Object.fromEntries(Object.entries(renamed).map(([after, before]) => [before, after])) };
}

/**
 * A custom profile field. Its name is unique, and its identity; the type never changes. Options are identified by their texts, and keep the server's
 * keys, so that a new order changes nobody's value (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md).
 * @see zulip-api.md §12.3 https://zulip.com/api/create-custom-profile-field
 */
export const profileField: ListKind<ProfileField> = {
  name: "profile_field",
  section: "profile_fields",
  shape: "list",
  noun: ["profile field", "profile fields"],
  identity: {
    keyOf: strip,
    canonicalName: strip,
    nameOf: (item) => item.name,
    temporaryName: (name, id, spare) => temporaryName(name, id, NAME_LIMIT, spare),
  },
  file: {
    schema: profileFieldForm,
    fields: {
      type: {},
      hint: {},
      options: { isOfSome: true },
      service: { isOfSome: true },
      url_pattern: { isOfSome: true },
      in_profile_summary: {},
      required: {},
      editable_by_user: {},
      use_for_user_matching: { level: MATCHING_LEVEL },
    },
    decode: decodeProfileField,
    check: checkProfileFieldsInFile,
  },
  live: { read: liveProfileFields, newer: newerOfFields, newerObjects: newerTypes },
  diff: {
    ordered: true,
    resolveDerivedFields: asNew,
    traits: { type: "fixed", hint: "words", options: "items", service: "value", url_pattern: "value" },
    // The type says what such a field asks for, as the service says it of an account.
    compared: (_name, fields) => (fields.type === "pronouns" ? { ...fields, service: "pronouns" } : fields),
    defaults: (realm, { fields }) => usualFields(fields, servicesOf(realm)),
  },
  review: { check: checkProfileFields, renamedIn: renamedOptions, risks: profileFieldRisks },
  calls: { draft: profileFieldCalls, moves: renamesAsMoves },
  undo: { lostWith, declares, whyStays },
  yaml: {
    item: ({ name, fields }, realm) => profileFieldToYaml(name, fields, servicesOf(realm)),
    // The order of options has a meaning: they are not written in the order of the current item.
    field: (field, live) => (field === "options" && isList(live) ? [...live] : live),
  },
  secrecy: {
    name: "text",
    fields: { type: "word", service: "word", subtype: "word" },
    snapshot: ({ profile_values }, { text }) =>
      defined({ profile_values: whenDefined(profile_values, (values) => withShownKeys(values, text)) }),
  },
  reach: { role: "administrator" },
  docs,
};

/** Somebody chose the keys of options; keys that look the same when hidden count together. */
function withShownKeys(
  fields: NonNullable<Snapshot["profile_values"]>,
  text: (value: string) => string,
): NonNullable<Snapshot["profile_values"]> {
  return Object.fromEntries(
    Object.entries(fields).map(([id, values]) => {
      const shown = new Map<string, number>();
      for (const [key, count] of Object.entries(values)) {
        // A number is the server's, even if a channel has it as its name.
        const own = /^\d+$/.test(key) ? key : text(key);
        shown.set(own, (shown.get(own) ?? 0) + count);
      }
      return [id, Object.fromEntries(shown)];
    }),
  );
}
