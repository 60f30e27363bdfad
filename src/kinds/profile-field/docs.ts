import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about:
    "Custom profile fields, in the order in which profiles show them. Fields that the file does not mention keep their places. The values belong to people: realmctl counts them, and neither reads nor sets them.",
  who: "Administrators.",
  defaults: {
    name: "–",
    type: "required, and never changes",
    hint: "none",
    options: "required (`select`)",
    service: "this or `url_pattern` is required (`external_account`)",
    url_pattern: "this or `service` is required (`external_account`)",
    in_profile_summary: "`false`",
    required: "`false`",
    editable_by_user: "`true`",
    use_for_user_matching: "`false`",
  },
  example: `profile_fields:
  - {name: Pronouns, type: pronouns, in_profile_summary: true}
  - {name: Site, type: select, options: [Leeds, Porto], required: true}
  - {name: GitHub username, type: external_account, service: github}`,
};
