import { defineEndpoint, type Endpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";

/**
 * What real servers have and the sandbox has not: a path, its methods with the page of Zulip's documentation about each (or `-`). A number is the
 * feature level that has the methods after it. A path of this list must not look like a wrong address where a server has it, and does where none has.
 */
const UNSERVED = `
/saved_snippets GET get-saved-snippets POST create-saved-snippet
/saved_snippets/{snippet_id} DELETE delete-saved-snippet 368 PATCH edit-saved-snippet
/messages/matches_narrow GET check-messages-match-narrow
/messages/summary GET -
/messages/{message_id}/report 382 POST report-message
/zcommand POST -
/streams/{stream_id}/delete_topic POST delete-topic
/users/me/subscriptions/muted_topics PATCH mute-topic
/users/me/onboarding_steps POST -
/users/me/api_key/regenerate POST regenerate-api-key
/users/me/android_gcm_reg_id POST add-fcm-token DELETE remove-fcm-token
/users/me/apns_device_token POST add-apns-token DELETE remove-apns-token
/mobile_push/test_notification POST test-notify
/mobile_push/register 406 POST register-push-device
/register_client_device 468 POST register-client-device
/remove_client_device 470 POST remove-client-device
/export/realm GET get-realm-exports POST export-realm
/export/realm/{export_id} DELETE -
/export/realm/consents GET get-realm-export-consents
/realm/deactivate POST -
/realm/subdomain/{subdomain:str} GET -
/tus POST -
/calls/zoom/create POST -
/calls/bigbluebutton/create GET create-big-blue-button-video-call
/calls/constructorgroups/create 460 POST create-constructor-groups-video-call
/calls/nextcloud_talk/create 465 POST create-nextcloud-talk-video-call
/calls/webex/create 493 POST create-webex-video-call
/jwt/fetch_api_key POST jwt-fetch-api-key
/dev_fetch_api_key POST dev-fetch-api-key
/dev_list_users GET dev-list-users
/external/{integration:path} POST incoming-webhooks-overview
`;

const DOCUMENTATION = "https://zulip.com/api/";

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];
const isMethod = (word: string): word is Method => METHODS.some((method) => method === word);

export const unservedEndpoints: readonly Endpoint[] = UNSERVED.trim()
  .split("\n")
  .flatMap((line) => {
    const [path = "", ...words] = line.split(" ");
    let level = 0;
    return words.flatMap((word, at) => {
      if (/^\d+$/.test(word)) level = Number(word);
      return isMethod(word) ? [unserved(word, path, { page: words[at + 1] ?? "-", level })] : [];
    });
  });

function unserved(
  method: Method,
  path: string,
  { page, level }: { readonly page: string; readonly level: number },
): Endpoint {
  const documentation = page === "-" ? DOCUMENTATION : `${DOCUMENTATION}${page}`;
  return defineEndpoint({
    method,
    path,
    level,
    // Who calls it does not matter.
    who: "anybody",
    params: {},
    handler() {
      throw new ApiError(`A Zulip server has ${method} ${path}, but this sandbox does not: ${documentation}`, {
        status: 501,
        code: "NOT_IN_SANDBOX",
        extra: { documentation },
      });
    },
  });
}
