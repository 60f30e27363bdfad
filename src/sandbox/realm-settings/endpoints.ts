import { defineEndpoint } from "../endpoint.ts";
import { normalizedContent } from "../messages/content.ts";
import { post } from "../messages/post.ts";
import { required, text } from "../params.ts";
import { rows } from "../rows/values.ts";
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

/** An administrator looks at what new people will be told (zulip-api.md §12.1). */
export const welcomeTestEndpoints = [
  defineEndpoint("POST /realm/test_welcome_bot_custom_message", {
    level: 416,
    who: ["administrator"],
    params: { welcome_message_custom_text: required(text({ maxLength: 8000 })) },
    handler(call, { welcome_message_custom_text }) {
      const content = normalizedContent(welcome_message_custom_text);
      const sender = rows(call.state.users).find((user) => user.is_system_bot && user.email.startsWith("welcome-bot@"));
      if (sender === undefined) throw new Error("the realm was read without its Welcome Bot");
      const to = { kind: "direct" as const, userIds: [sender.user_id, call.user.user_id] };
      return { message_id: post(call, { sender, to, content, client: "Internal" }).id };
    },
  }),
];
