import { attachmentEndpoints } from "./attachments.ts";
import type { Call } from "./call.ts";
import { folderEndpoints } from "./channel-folders/endpoints.ts";
import { defaultGroupEndpoints } from "./channels/default-groups.ts";
import { channelEndpoints } from "./channels/endpoints.ts";
import { domainEndpoints } from "./domains.ts";
import { draftEndpoints } from "./drafts.ts";
import { emojiEndpoints } from "./emoji.ts";
import { defineEndpoint, type Endpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { realmImageEndpoints } from "./images.ts";
import { inviteEndpoints } from "./invites/endpoints.ts";
import { linkifierEndpoints } from "./linkifiers/endpoints.ts";
import { deleteEndpoints } from "./messages/delete.ts";
import { editEndpoints } from "./messages/edit.ts";
import { fetchEndpoints } from "./messages/fetch.ts";
import { markReadEndpoints, mutedUserEndpoints, receiptEndpoints } from "./messages/mark-read.ts";
import { reactionEndpoints } from "./messages/reactions.ts";
import { sendEndpoints } from "./messages/send.ts";
import { userTopicEndpoints } from "./messages/user-topics.ts";
import { submessageEndpoints } from "./messages/widgets.ts";
import { navigationViewEndpoints } from "./navigation-views.ts";
import { personalDataEndpoints } from "./personal-data.ts";
import { playgroundEndpoints } from "./playgrounds.ts";
import { presenceEndpoints, statusEndpoints } from "./presence.ts";
import { profileDataEndpoints, profileFieldEndpoints } from "./profile/profile.ts";
import { realmSettingsEndpoints } from "./realm-settings/endpoints.ts";
import { registerEndpoints } from "./register/endpoint.ts";
import { remindDue, reminderEndpoints } from "./reminders.ts";
import { scheduledEndpoints, sendDue } from "./scheduled.ts";
import { serverEndpoints } from "./server-endpoints.ts";
import { subscriptionEndpoints } from "./subscriptions/endpoints.ts";
import { subscriptionPropertyEndpoints } from "./subscriptions/properties.ts";
import { typingEndpoints } from "./typing.ts";
import { userGroupEndpoints } from "./user-groups/endpoints.ts";
import { userSettingsEndpoints } from "./user-settings/endpoints.ts";
import { avatarEndpoints } from "./users/avatar.ts";
import { botEndpoints } from "./users/bots.ts";
import { userEndpoints } from "./users/endpoints.ts";

/**
 * What real servers have and the sandbox has not: a path, its methods with the page of Zulip's documentation about each, of the API unless it names another
 * part (`help/…`); what has no page of its own names the one that mentions it. A number is the feature level that has the methods after it. A path of this list must not look like a wrong address where a server has it, and does where none has.
 */
const UNSERVED = `
/saved_snippets GET get-saved-snippets POST create-saved-snippet
/saved_snippets/{snippet_id} DELETE delete-saved-snippet 368 PATCH edit-saved-snippet
/messages/matches_narrow GET check-messages-match-narrow
/messages/summary GET register-queue
/messages/{message_id}/report 382 POST report-message
/zcommand POST help/dark-theme
/streams/{stream_id}/delete_topic POST delete-topic
/users/me/subscriptions/muted_topics PATCH mute-topic
/users/me/onboarding_steps POST register-queue
/users/me/api_key/regenerate POST regenerate-api-key
/users/me/android_gcm_reg_id POST add-fcm-token DELETE remove-fcm-token
/users/me/apns_device_token POST add-apns-token DELETE remove-apns-token
/mobile_push/test_notification POST test-notify
/mobile_push/register 406 POST register-push-device
/register_client_device 468 POST register-client-device
/remove_client_device 470 POST remove-client-device
/export/realm GET get-realm-exports POST export-realm
/export/realm/{export_id} DELETE help/export-your-organization
/export/realm/consents GET get-realm-export-consents
/realm/deactivate POST help/deactivate-your-organization
/realm/subdomain/{subdomain:str} GET help/create-an-organization
/tus POST upload-file
/calls/zoom/create POST help/configure-call-provider
/calls/bigbluebutton/create GET create-big-blue-button-video-call
/calls/constructorgroups/create 460 POST create-constructor-groups-video-call
/calls/nextcloud_talk/create 465 POST create-nextcloud-talk-video-call
/calls/webex/create 493 POST create-webex-video-call
/jwt/fetch_api_key POST jwt-fetch-api-key
/dev_fetch_api_key POST dev-fetch-api-key
/dev_list_users GET dev-list-users
/external/{integration:path} POST incoming-webhooks-overview
`;

/** Files outside /api/v1, which a server has, draws or scales, and their pages. The sandbox stores no picture. */
const FILES = [
  ["/avatar/", "get-users"],
  ["/user_avatars/", "get-users"],
  ["/user_uploads/thumbnail/", "message-formatting"],
  ["/user_uploads/download/", "get-file-temporary-url"],
  ["/static/", "get-server-settings"],
] as const;

const documentationOf = (page: string): string => `https://zulip.com/${page.includes("/") ? page : `api/${page}`}`;

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
      return isMethod(word) ? [unserved(word, path, { page: words[at + 1] ?? "", level })] : [];
    });
  });

function unserved(
  method: Method,
  path: string,
  { page, level }: { readonly page: string; readonly level: number },
): Endpoint {
  const operation = `${method} ${path}` as const;
  return defineEndpoint(operation, {
    level,
    // Who calls it does not matter.
    who: "anybody",
    handler() {
      throw notInSandbox(operation, page);
    },
  });
}

function notInSandbox(operation: string, page: string): ApiError {
  const documentation = documentationOf(page);
  return new ApiError(`A Zulip server has ${operation}, but this sandbox does not: ${documentation}`, {
    status: 501,
    code: "NOT_IN_SANDBOX",
    extra: { documentation },
  });
}

/** The answer to a request for a file that only a server has; undefined for every other request. */
export function unservedFile({ method, url }: Request): Response | undefined {
  const { pathname } = new URL(url);
  const [folder, page] = FILES.find(([start]) => pathname.startsWith(start)) ?? [];
  if (!["GET", "HEAD"].includes(method) || folder === undefined || page === undefined) return undefined;
  const error = notInSandbox(`GET ${folder}…`, page);
  return Response.json(error.body(), { status: error.status });
}

/** Every operation of the realm, one line per area; then those that only real servers have. */
export const endpoints: readonly Endpoint[] = [
  ...serverEndpoints,
  ...registerEndpoints,
  ...folderEndpoints,
  ...attachmentEndpoints,
  ...channelEndpoints,
  ...defaultGroupEndpoints,
  ...subscriptionEndpoints,
  ...subscriptionPropertyEndpoints,
  ...userSettingsEndpoints,
  ...userGroupEndpoints,
  ...userEndpoints,
  ...avatarEndpoints,
  ...botEndpoints,
  ...domainEndpoints,
  ...emojiEndpoints,
  ...inviteEndpoints,
  ...linkifierEndpoints,
  ...fetchEndpoints,
  ...sendEndpoints,
  ...editEndpoints,
  ...deleteEndpoints,
  ...markReadEndpoints,
  ...mutedUserEndpoints,
  ...reactionEndpoints,
  ...receiptEndpoints,
  ...submessageEndpoints,
  ...userTopicEndpoints,
  ...typingEndpoints,
  ...statusEndpoints,
  ...scheduledEndpoints,
  ...reminderEndpoints,
  ...draftEndpoints,
  ...navigationViewEndpoints,
  ...playgroundEndpoints,
  ...profileDataEndpoints,
  ...profileFieldEndpoints,
  ...realmSettingsEndpoints,
  ...realmImageEndpoints,
  ...presenceEndpoints,
  ...personalDataEndpoints,
  ...unservedEndpoints,
];

/** What the server does by itself as time passes (for example, sending scheduled messages). Each chore runs before every call. */
type Chore = (call: Call) => void;
export const chores: readonly Chore[] = [sendDue, remindDue];
