import type { DocsFacet } from "../../model/kind.ts";

export const docs: DocsFacet = {
  about:
    "Their order is the order in which the server tries them. Those that the file does not mention keep their places among them.",
  who: "Administrators.",
  defaults: {
    pattern: "–",
    url_template: "has to be written",
    example_input: "none",
    reverse_template: "none",
    alternative_url_templates: "none",
  },
  example: `linkifiers:
  - pattern: '#(?P<id>[0-9]+)'
    url_template: https://bugs.example.org/{id}
    example_input: '#1234'`,
};
