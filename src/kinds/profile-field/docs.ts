import type { DocsFacet } from "../../model/kind.ts";

export const docs: DocsFacet = {
  about:
    "Custom profile fields, in the order in which profiles show them. Those that the file does not mention keep their places among them. What people say of themselves is theirs: realmctl counts values, and neither reads nor sets them.",
  who: "Administrators.",
  defaults: {
    name: "–",
    type: "has to be written, and never changes",
    hint: "none",
    options: "have to be written (`select`)",
    service: "this or `url_pattern` has to be written (`external_account`)",
    url_pattern: "this or `service` has to be written (`external_account`)",
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
