import type { DocsFacet } from "../../model/facets.ts";
import { ORGANIZATION_PERMISSIONS } from "../../model/permission-settings.ts";
import { CHANNEL_SETTINGS } from "./channels.ts";
import { isOwnerOnly } from "./check.ts";
import { PERMISSION_SETTINGS } from "./permissions.ts";
import { PICTURE_FIELDS, PICTURES } from "./pictures.ts";
import { PROPERTIES, type Property } from "./properties.ts";
import { AUTHENTICATION_METHODS, FIELD_ORDER } from "./schema.ts";

function defaultOf({ standard, type }: Property): string {
  if (standard === undefined) return "chosen at creation";
  return standard === "" ? "empty" : `\`${String(type.fromApi(standard))}\``;
}

export const docs: DocsFacet = {
  about:
    "The settings of the whole organization. Names are the API's, without a unit or an id at their end: `message_content_edit_limit: 10m` is the API's `message_content_edit_limit_seconds`, and channels are named. What is left out stays as it is.",
  who: "Administrators of the organization.",
  whoMay: Object.fromEntries(
    [...FIELD_ORDER, ...PERMISSION_SETTINGS].filter(isOwnerOnly).map((field) => [field, "owners"]),
  ),
  defaults: {
    ...Object.fromEntries(Object.entries(PROPERTIES).map(([name, property]) => [name, defaultOf(property)])),
    ...Object.fromEntries(
      Object.entries(CHANNEL_SETTINGS).map(([name, { general }]) => [name, general ? "`general`" : "none"]),
    ),
    ...Object.fromEntries(PICTURE_FIELDS.map((name) => [name, PICTURES[name]?.standard ?? ""])),
    [AUTHENTICATION_METHODS]: "all that the server has",
    ...Object.fromEntries(PERMISSION_SETTINGS.map((name) => [name, `\`${ORGANIZATION_PERMISSIONS[name].standard}\``])),
  },
  unseen: Object.fromEntries(
    PICTURE_FIELDS.map((name) => [
      name,
      "Whether there is an uploaded picture, and its version, which every upload and every removal raises. They do not see what it looks like. With `replaces`, drift warns of a picture that somebody else uploaded.",
    ]),
  ),
  example: `settings:
  name: Acme Foundry
  description: We cast and forge.
  default_language: en
  invite_required: true
  waiting_period_threshold: 3d
  authentication_methods: {Email: true, Google: false}
  message_content_edit_limit: 1h
  message_retention_days: unlimited
  new_stream_announcements_channel: announce
  permissions:
    can_create_public_channel_group: role:members
    can_invite_users_group: role:moderators
channels: {announce: {}}`,
};
