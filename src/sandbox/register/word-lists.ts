import type { JsonObject } from "../../model/json.ts";
import { INTEGRATIONS } from "../users/integrations.ts";

/** The server's own lists, which clients get when they register; a recorded realm can have its own. */

/** Words that searches ignore. */
export const STOP_WORDS: readonly string[] = (
  "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself " +
  "they them their theirs themselves what which who whom this that these those am is are was were be been being have has had " +
  "having do does did doing a an the and but if or because as until while of at by for with about against between into through " +
  "during before after above below to from up down in out on off over under again further then once here there when where why " +
  "how all any both each few more most other some such no nor not only own same so than too very s t can will just don should now"
).split(" ");

/** Hints that the web app shows each person once; in a sandbox nobody has seen any of them. */
export const ONBOARDING_STEPS: readonly JsonObject[] = [
  "visibility_policy_banner",
  "intro_inbox_view_modal",
  "intro_recent_view_modal",
  "first_stream_created_banner",
  "jump_to_conversation_banner",
  "non_interleaved_view_messages_fading",
  "interleaved_view_messages_fading",
  "intro_resolve_topic",
  "navigation_tour_video",
].map((name) => ({ type: "one_time_notice", name }));

/** The services for which incoming webhook bots can be created. Their display names belong to the server, and are not known here. */
export const WEBHOOK_BOTS: readonly JsonObject[] = [...INTEGRATIONS].map((name) => ({
  name,
  display_name: name,
  all_event_types: null,
  config_options: [],
  url_options: [],
}));
