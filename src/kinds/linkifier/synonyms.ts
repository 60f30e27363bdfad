import type { Synonyms } from "../../model/synonyms.ts";

export const linkifierWords = (): Synonyms => ({
  section: ["filters", "realm_filters", "realm_linkifiers", "links", "link_patterns", "autolinks"],
  entry: ["pattern", "url_template"],
  fields: {
    pattern: ["regex", "regexp", "re", "match", "find", "expression", "trigger", "search", "prefix"],
    url_template: [
      "url",
      "url_prefix",
      "link",
      "href",
      "target",
      "to",
      "template",
      "url_format",
      "url_format_string",
      "uri",
      "destination",
      "replace",
      "replacement",
    ],
    example_input: ["example", "sample", "test"],
    reverse_template: ["reverse"],
    alternative_url_templates: ["alternatives", "alternative", "alternative_urls", "other_urls"],
  },
});
