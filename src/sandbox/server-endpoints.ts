import { defined } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";

/** GET /server_settings (zulip-api.md §1.1). */
export const serverEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/server_settings",
    who: "anybody",
    reportsIgnored: false,
    plain405: true,
    params: {},
    handler: ({ state, level, server }) =>
      defined({ zulip_version: state.zulip_version, zulip_feature_level: level, realm_url: server.url }),
  }),
];
