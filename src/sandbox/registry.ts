import { attachmentEndpoints } from "./attachments.ts";
import type { Call } from "./call.ts";
import { folderEndpoints } from "./channel-folders/endpoints.ts";
import { defaultGroupEndpoints } from "./channels/default-groups.ts";
import { channelAddressEndpoints, channelEndpoints, channelTopicEndpoints } from "./channels/endpoints.ts";
import { domainEndpoints } from "./domains.ts";
import { draftEndpoints } from "./drafts.ts";
import { emojiEndpoints } from "./emoji.ts";
import type { Endpoint } from "./endpoint.ts";
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
import { presenceEndpoints } from "./presence.ts";
import { profileDataEndpoints } from "./profile/data.ts";
import { profileFieldEndpoints } from "./profile/fields.ts";
import { realmSettingsEndpoints, welcomeTestEndpoints } from "./realm-settings/endpoints.ts";
import { realmImageEndpoints } from "./realm-settings/images.ts";
import { registerEndpoints } from "./register/endpoint.ts";
import { remindDue, reminderEndpoints } from "./reminders.ts";
import { scheduledEndpoints, sendDue } from "./scheduled.ts";
import { eventEndpoints, pushTestEndpoints, serverEndpoints, signInEndpoints } from "./server-endpoints.ts";
import { statusEndpoints } from "./status.ts";
import { subscriptionEndpoints } from "./subscriptions/endpoints.ts";
import { subscriptionPropertyEndpoints } from "./subscriptions/properties.ts";
import { typingEndpoints } from "./typing.ts";
import { unservedEndpoints } from "./unserved.ts";
import { userGroupEndpoints } from "./user-groups/endpoints.ts";
import { userSettingsEndpoints } from "./user-settings/endpoints.ts";
import { avatarEndpoints } from "./users/avatar.ts";
import { botEndpoints } from "./users/bots.ts";
import { accountEndpoints, userEndpoints } from "./users/endpoints.ts";

/** Messages: sending, reading, editing, moving, deleting, flags. */
const messageEndpoints: readonly Endpoint[] = [
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
];

/** Every operation of the realm, one line per area; then those that only real servers have. */
export const endpoints: readonly Endpoint[] = [
  ...serverEndpoints,
  ...eventEndpoints,
  ...registerEndpoints,
  ...folderEndpoints,
  ...attachmentEndpoints,
  ...channelEndpoints,
  ...defaultGroupEndpoints,
  ...channelTopicEndpoints,
  ...channelAddressEndpoints,
  ...subscriptionEndpoints,
  ...subscriptionPropertyEndpoints,
  ...userSettingsEndpoints,
  ...userGroupEndpoints,
  ...userEndpoints,
  ...accountEndpoints,
  ...avatarEndpoints,
  ...botEndpoints,
  ...domainEndpoints,
  ...emojiEndpoints,
  ...inviteEndpoints,
  ...linkifierEndpoints,
  ...messageEndpoints,
  ...typingEndpoints,
  ...statusEndpoints,
  ...scheduledEndpoints,
  ...reminderEndpoints,
  ...draftEndpoints,
  ...navigationViewEndpoints,
  ...playgroundEndpoints,
  ...profileDataEndpoints,
  ...profileFieldEndpoints,
  ...pushTestEndpoints,
  ...realmSettingsEndpoints,
  ...realmImageEndpoints,
  ...welcomeTestEndpoints,
  ...presenceEndpoints,
  ...personalDataEndpoints,
  ...signInEndpoints,
  ...unservedEndpoints,
];

/** What the server does by itself as time passes (for example, sending scheduled messages). Each chore runs before every call. */
type Chore = (call: Call) => void;
export const chores: readonly Chore[] = [sendDue, remindDue];
