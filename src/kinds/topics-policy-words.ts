import type { Synonyms } from "../model/synonyms.ts";

const REQUIRED = "topics_policy: disable_empty_topic";
const FREE = "topics_policy: allow_empty_topic";

/** Words with true or false for whether messages need a topic. */
export const TOPICS_POLICY_LINES: NonNullable<Synonyms["lines"]> = {
  mandatory_topics: [REQUIRED, FREE],
  require_topic: [REQUIRED, FREE],
  allow_empty_topics: [FREE, REQUIRED],
};
