// A singleton that no server has. It is in `settings.toy_theme` of a snapshot.
import * as z from "zod";
import {
  decodeProperties,
  liveProperties,
  type PropertyType,
  propertiesToYaml,
  propertyForms,
  row,
  secrecyOf,
  standardProperties,
  standardsInWords,
  text,
} from "../../src/kinds/property.ts";
import { requestFor } from "../../src/kinds/requests.ts";
import { mapOf } from "../../src/model/json.ts";
import type { SingletonKind } from "../../src/model/kind.ts";
import { once } from "../../src/model/lazy.ts";

/** A name that is no secret. */
const name: PropertyType = { ...text({}), secrecy: "word" };

/** A row for each field: schema, reading, defaults, export and the reference follow from it. */
const FIELDS = {
  colour: row("What the background is painted with.", name, "white"),
  font: row("What texts are set in.", name, "serif"),
  motto: row("What stands above every page.", text({}), ""),
};

const themeForm = once(() => z.strictObject(propertyForms(FIELDS)));
type Theme = z.infer<ReturnType<typeof themeForm>>;

export const theme: SingletonKind<Theme> = {
  name: "toy_theme",
  section: "toy_theme",
  shape: "singleton",
  noun: ["toy theme", "toy theme"],
  file: {
    schema: themeForm,
    fields: FIELDS,
    decode: (item, _, context) => ({ absent: false, fields: decodeProperties(FIELDS, item, context).fields }),
  },
  live: {
    read: (realm) => {
      const stored = mapOf(realm.snapshot.settings.toy_theme);
      return stored && liveProperties(FIELDS, (field) => stored[field], realm);
    },
  },
  diff: { defaults: (realm) => standardProperties(FIELDS, realm) },
  calls: {
    draft: (changes) =>
      changes.map((change) => {
        const params = Object.fromEntries(change.fields.map(({ field, after }) => [field, after]));
        return requestFor(change, { operation: "update-toy-theme", params });
      }),
  },
  yaml: { item: ({ fields }, realm) => propertiesToYaml(FIELDS, fields, realm) },
  secrecy: { name: "public", fields: secrecyOf(FIELDS), snapshot: ({ settings }) => ({ settings }) },
  docs: {
    about: "How pages look.",
    who: "Everybody.",
    defaults: standardsInWords(FIELDS),
    example: "toy_theme: {colour: teal}",
  },
};
