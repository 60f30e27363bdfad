import { defineEndpoint } from "../endpoint.ts";
import { RealmChange } from "./apply.ts";
import { checkBeforeWriting } from "./checks.ts";
import { realmParams } from "./params.ts";

/** PATCH /realm (zulip-api.md §12.1). */
export const realmSettingsEndpoints = [
  defineEndpoint("PATCH /realm", {
    who: ["administrator"],
    params: realmParams,
    handler(call, sent) {
      checkBeforeWriting(call, sent);
      const change = new RealmChange(call);
      change.run(sent);
      return change.changed;
    },
  }),
];
