import type { FieldSecrecy, SecrecyFacet } from "../../model/secrecy.ts";
import { CHANNEL_SETTINGS } from "./channels.ts";
import { PERMISSION_SETTINGS } from "./permissions.ts";
import { PICTURE_FIELDS } from "./pictures.ts";
import { AUTHENTICATION_METHODS, FIELD_ORDER } from "./schema.ts";

/** Fields with free text; all others have words, numbers and names of the server. */
const TEXTS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "default_code_block_language",
  "jitsi_server_url",
  "welcome_message_custom_text",
  ...Object.keys(CHANNEL_SETTINGS),
  ...PICTURE_FIELDS,
]);

export const secrecy: SecrecyFacet = {
  name: "public",
  fields: Object.fromEntries([
    ...FIELD_ORDER.map((field): [string, FieldSecrecy] => [field, TEXTS.has(field) ? "text" : "word"]),
    [AUTHENTICATION_METHODS, "word"],
    ...PERMISSION_SETTINGS.map((setting): [string, FieldSecrecy] => [setting, "groups"]),
  ]),
  snapshot: () => ({}),
};
