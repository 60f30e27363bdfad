import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { rendered } from "./channels/rules.ts";
import { defineEndpoint } from "./endpoint.ts";
import type { RealmState } from "./state.ts";
import { DISCORD_LEVEL, versionOf } from "./upgraded.ts";

/** GET /server_settings (zulip-api.md §1.1): needs no credentials, and ignores them. */
export const serverEndpoints = [
  defineEndpoint("GET /server_settings", {
    who: "anybody",
    plain405: true,
    handler({ state, level, server }) {
      const { realm } = state;
      const description = typeof realm.description === "string" ? realm.description : "";
      return {
        authentication_methods: authenticationMethods(state, level),
        external_authentication_methods: externalMethods(state, server.url),
        zulip_version: versionOf(state, level),
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

function authenticationMethods({ realm }: RealmState, level: number): { readonly [name: string]: boolean } {
  const methods: { [name: string]: boolean } = { password: realm.email_auth_enabled !== false };
  for (const name of level < DISCORD_LEVEL ? METHODS : [...METHODS, "discord"]) methods[name] = false;
  for (const name of enabledMethods(realm.authentication_methods)) methods[name.toLowerCase()] = true;
  return methods;
}
/** Every method that the server's code has, whether or not it is configured. */
const METHODS = [
  "dev",
  "email",
  "ldap",
  "remoteuser",
  "github",
  "azuread",
  "gitlab",
  "apple",
  "google",
  "saml",
  "openid connect",
];
const enabledMethods = (known: Json | undefined): readonly string[] =>
  isObject(known)
    ? Object.entries(known).flatMap(([name, method]) =>
        method === true || (isObject(method) && method.enabled === true) ? [name] : [],
      )
    : [];

/** The buttons for signing in with another account; methods whose names are up to the server (SAML, OpenID Connect) have none here. */
function externalMethods({ realm }: RealmState, url: string): readonly JsonObject[] {
  const enabled = enabledMethods(realm.authentication_methods);
  return EXTERNAL.filter(([display_name]) => enabled.includes(display_name)).map(([display_name, name, icon]) => ({
    name,
    display_name,
    display_icon: `${url}/static/images/authentication_backends/${icon}-icon.png`,
    login_url: `/accounts/login/social/${name}`,
    signup_url: `/accounts/register/social/${name}`,
  }));
}
const EXTERNAL = [
  ["Google", "google", "googl_e"],
  ["GitHub", "github", "github"],
  ["GitLab", "gitlab", "gitlab"],
  ["AzureAD", "azuread-oauth2", "azuread"],
  ["Apple", "apple", "apple"],
] as const;
