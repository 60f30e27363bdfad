import type { Synonyms } from "../../model/synonyms.ts";

export const navigationViewWords = (): Synonyms => ({
  section: ["views", "view", "sidebar"],
  fields: {
    is_pinned: ["pinned", "pin", "visible"],
  },
});
