import type { Synonyms } from "../../model/synonyms.ts";

export const synonyms: Synonyms = {
  section: ["custom_profile_fields", "profile_field", "custom_fields"],
  entry: ["name", "type"],
  fields: {
    hint: ["description", "help", "placeholder"],
    options: ["choices", "values", "field_data"],
    in_profile_summary: ["display_in_profile_summary", "summary"],
    service: ["subtype", "provider"],
    type: ["field_type", "kind"],
  },
  values: {
    short_text: ["text", "string"],
    long_text: ["paragraph", "textarea", "markdown"],
    select: ["list", "dropdown", "choice", "enum", "options"],
    users: ["user", "person", "people"],
    external_account: ["account", "external"],
    link: ["url"],
  },
};
