import { defined } from "../model/defined.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { words } from "../model/synonyms.ts";
import { rendered } from "./channels/params.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { bool, int, json, list, optional, required, string, text, withDefault } from "./params.ts";
import { DISCORD_LEVEL, versionOf } from "./start.ts";
import type { RealmState } from "./state.ts";
import { accountWithAddress } from "./users/access.ts";

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
  // GET and DELETE /events (zulip-api.md §2.6).
  defineEndpoint("GET /events", {
    bucket: "events",
    reportsIgnored: false,
    params: {
      apply_markdown: withDefault(json(bool), false),
      client_gravatar: withDefault(json(bool), false),
      dont_block: withDefault(json(bool), false),
      event_types: optional(json(list(string()))),
      last_event_id: optional(json(int())),
      queue_id: optional(text()),
    },
    async handler(call, { queue_id, last_event_id, dont_block, event_types, apply_markdown, client_gravatar }) {
      const { user, server } = call;
      if (queue_id !== undefined && last_event_id === undefined) throw new ApiError("Missing 'last_event_id' argument");
      if (queue_id !== undefined) {
        const { events, waited } = await server.queues.read(
          user,
          queue_id,
          last_event_id ?? -1,
          dont_block,
          call.signal,
        );
        return { events, ...defined({ queue_id: waited ? queue_id : undefined }) };
      }
      // A request that creates a queue cannot wait for events.
      if (!dont_block) throw new ApiError("Missing 'queue_id' argument");
      const client = {
        userId: user.user_id,
        capabilities: new Set<string>(),
        clientGravatar: client_gravatar,
        applyMarkdown: apply_markdown,
      };
      const made = server.queues.register({ client, eventTypes: event_types ?? null, idleTimeoutSeconds: 600 });
      const { events } = await server.queues.read(user, made, -1, dont_block, call.signal);
      return { events, queue_id: made };
    },
  }),
  defineEndpoint("DELETE /events", {
    params: { queue_id: required(text()) },
    handler(call, { queue_id }) {
      call.server.queues.delete(call.user, queue_id);
    },
  }),
  // No device ever registers here: POST /mobile_push/e2ee/test_notification knows one answer (api.md 22).
  defineEndpoint("POST /mobile_push/e2ee/test_notification", {
    level: 420,
    who: ["human"],
    params: {
      device_id: optional(json(int()), { level: 468 }),
      push_account_id: optional(json(int()), { until: 468 }),
    },
    handler() {
      throw new ApiError("No active registered push device", { code: "NO_ACTIVE_PUSH_DEVICE" });
    },
  }),
  // Signing in with a password: here, everybody's password is their API key, which nobody can guess.
  defineEndpoint("POST /fetch_api_key", {
    who: "anybody",
    plain405: true,
    params: { username: required(text()), password: required(text()) },
    handler({ state, server }, { username, password }) {
      if (state.realm.email_auth_enabled === false)
        throw refused("PASSWORD_AUTH_DISABLED", "Password authentication is disabled in this organization");
      const user = accountWithAddress(state, username);
      if (user === undefined || user.is_bot || user.is_system_bot || password !== server.keyOf(user.user_id))
        throw refused("AUTHENTICATION_FAILED", "Your username or password is incorrect");
      if (!user.is_active) throw refused("USER_DEACTIVATED", "Account is deactivated");
      return { api_key: password, email: user.delivery_email, user_id: user.user_id };
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
const METHODS = [...words("dev email ldap remoteuser github azuread gitlab apple google saml"), "openid connect"];
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

const refused = (code: string, message: string): ApiError => new ApiError(message, { status: 401, code });
