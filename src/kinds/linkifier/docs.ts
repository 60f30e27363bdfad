import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about: "The server tries them in this order. Linkifiers that the file does not mention keep their places.",
  who: "Administrators.",
  defaults: {
    pattern: "–",
    url_template: "required",
    example_input: "none",
    reverse_template: "none",
    alternative_url_templates: "none",
  },
  example: `linkifiers:
  - pattern: '#(?P<id>[0-9]+)'
    url_template: https://bugs.example.org/{id}
    example_input: '#1234'`,
};
