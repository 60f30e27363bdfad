import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { int, json, optional } from "./params.ts";

/** No device ever registers here: POST /mobile_push/e2ee/test_notification knows one answer (api.md 22). */
export const pushTestEndpoints = [
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
];
