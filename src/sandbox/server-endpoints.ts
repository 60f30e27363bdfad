import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { rendered } from "./channels/rules.ts";
import { defineEndpoint } from "./endpoint.ts";
import type { RealmState } from "./state.ts";

/** GET /server_settings (zulip-api.md §1.1): needs no credentials, and ignores them. */
export const serverEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/server_settings",
    who: "anybody",
    reportsIgnored: false,
    plain405: true,
    params: {},
    handler({ state, level, server }) {
      const { realm } = state;
      const description = typeof realm.description === "string" ? realm.description : "";
      return {
        authentication_methods: authenticationMethods(state),
        external_authentication_methods: [],
        zulip_version: state.zulip_version,
        zulip_merge_base: state.zulip_merge_base,
        zulip_feature_level: level,
        push_notifications_enabled: true,
        is_incompatible: false,
        email_auth_enabled: realm.email_auth_enabled ?? true,
        require_email_format_usernames: true,
        realm_url: server.url,
        realm_uri: server.url,
        realm_name: realm.name ?? "",
        realm_icon: realm.icon_url ?? `${server.url}/static/images/icon.png`,
        realm_description: rendered(description === "" ? "The coolest place in the universe." : description),
        realm_web_public_access_enabled:
          state.server.server_web_public_streams_enabled === true && realm.enable_spectator_access === true,
      };
    },
  }),
];

function authenticationMethods({ realm }: RealmState): { readonly [name: string]: boolean } {
  const methods: { [name: string]: boolean } = { password: true, ldap: false, remoteuser: false };
  const known: Json | undefined = realm.authentication_methods;
  if (isObject(known))
    for (const [name, method] of Object.entries(known))
      methods[name.toLowerCase()] = isObject(method) ? method.enabled === true : method === true;
  return methods;
}
