// A singleton that no server has. It is in `settings.toy_theme` of a snapshot.
import * as z from "zod";
import { PropertyTable, type PropertyType, row, text } from "../../src/kinds/property.ts";
import { requestFor } from "../../src/kinds/requests.ts";
import { mapOf } from "../../src/model/json.ts";
import type { SingletonKind } from "../../src/model/kind.ts";
import { once } from "../../src/model/lazy.ts";

/** A name that is no secret. */
const name: PropertyType = { ...text({}), secrecy: "word" };

/** A row for each field: schema, reading, defaults, export and the reference follow from it. */
const FIELDS = new PropertyTable({
  colour: row("What the background is painted with.", name, "white"),
  font: row("What texts are set in.", name, "serif"),
  motto: row("What stands above every page.", text({}), ""),
});

const themeForm = once(() => z.strictObject(FIELDS.forms()));
type Theme = z.infer<ReturnType<typeof themeForm>>;

export const theme: SingletonKind<Theme> = {
  name: "toy_theme",
  section: "toy_theme",
  shape: "singleton",
  noun: ["toy theme", "toy theme"],
  file: {
    schema: themeForm,
    fields: FIELDS.rows,
    decode: (item, _, context) => ({ absent: false, fields: FIELDS.decode(item, context).fields }),
  },
  live: {
    read: (realm) => {
      const stored = mapOf(realm.snapshot.settings.toy_theme);
      return stored && FIELDS.live((field) => stored[field], realm);
    },
  },
  diff: { defaults: (realm) => FIELDS.standards(realm) },
  calls: {
    draft: (changes) =>
      changes.map((change) => {
        const params = Object.fromEntries(change.fields.map(({ field, after }) => [field, after]));
        return requestFor(change, { operation: "update-toy-theme", params });
      }),
  },
  yaml: { item: ({ fields }, realm) => FIELDS.toYaml(fields, realm) },
  secrecy: { name: "public", fields: FIELDS.secrecy(), snapshot: ({ settings }) => ({ settings }) },
  docs: {
    about: "How pages look.",
    who: "Everybody.",
    defaults: FIELDS.standardsInWords(),
    example: "toy_theme: {colour: teal}",
  },
};
