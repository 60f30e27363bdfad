import type { FieldSecrecy, SecrecyFacet } from "../../model/secrecy.ts";
import { CHANNEL_SETTINGS } from "./channels.ts";
import { PERMISSION_SETTINGS } from "./permissions.ts";
import { PICTURE_FIELDS } from "./pictures.ts";
import { PROPERTIES } from "./properties.ts";
import { AUTHENTICATION_METHODS, FIELD_ORDER } from "./schema.ts";

/** Fields with free text; all others have words, numbers and names of the server. */
const TEXTS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "default_code_block_language",
  "jitsi_server_url",
  "welcome_message_custom_text",
  ...PICTURE_FIELDS,
]);

export const secrecy: SecrecyFacet = {
  name: "public",
  fields: Object.fromEntries([
    ...FIELD_ORDER.flatMap((field): [string, FieldSecrecy][] => {
      const secrecy = TEXTS.has(field) ? "text" : "word";
      return [field, PROPERTIES[field]?.api ?? field].map((name) => [name, secrecy]);
    }),
    ...Object.keys(CHANNEL_SETTINGS).map((field): [string, FieldSecrecy] => [field, { of: "channel" }]),
    [AUTHENTICATION_METHODS, "word"],
    ...PERMISSION_SETTINGS.map((setting): [string, FieldSecrecy] => [setting, "groups"]),
  ]),
  snapshot: () => ({}),
};
