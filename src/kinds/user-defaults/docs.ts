import type { DocsFacet } from "../../model/facets.ts";
import { USER_DEFAULTS } from "./properties.ts";

export const docs: DocsFacet = {
  about:
    "The personal settings of new accounts. People can change their own; a change here changes nobody's settings. Names are the API's; where the API has numbers, the file has words.",
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
