import type { Endpoint } from "../endpoint.ts";
import { deleteEndpoints } from "./delete.ts";
import { editEndpoints } from "./edit.ts";
import { fetchEndpoints } from "./fetch.ts";
import { markReadEndpoints, mutedUserEndpoints, receiptEndpoints } from "./mark-read.ts";
import { reactionEndpoints } from "./reactions.ts";
import { sendEndpoints } from "./send.ts";
import { submessageEndpoints } from "./submessages.ts";
import { userTopicEndpoints } from "./user-topics.ts";

/** Messages: sending, reading, editing, moving, deleting, flags. */
export const messageEndpoints: readonly Endpoint[] = [
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
