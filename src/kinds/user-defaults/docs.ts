import type { DocsFacet } from "../../model/kind.ts";
import { USER_DEFAULTS } from "./properties.ts";

export const docs: DocsFacet = {
  about:
    "What new accounts start with: people change it for themselves, and nobody's settings change with it. Names are the API's, words stand where it has numbers.",
  who: "Administrators of the organization.",
  defaults: Object.fromEntries(
    Object.entries(USER_DEFAULTS).map(([name, { type, standard }]) => [name, `\`${String(type.fromApi(standard))}\``]),
  ),
  example: `user_defaults:
  color_scheme: automatic
  twenty_four_hour_time: true
  web_home_view: inbox
  email_notifications_batching_period: 5m
  email_address_visibility: moderators`,
};
