import type { Synonyms } from "../../model/synonyms.ts";

export const playgroundWords = (): Synonyms => ({
  section: ["realm_playgrounds", "code_playgrounds", "playground"],
  entry: ["language", "url_template"],
  fields: {
    url_template: ["url", "url_prefix", "link", "href", "target", "to", "template", "url_format", "url_format_string"],
    language: ["pygments_language", "lang"],
  },
});
