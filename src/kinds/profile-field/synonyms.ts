import type { Synonyms } from "../../model/synonyms.ts";

export const profileFieldWords = (): Synonyms => ({
  section: ["custom_profile_fields", "profile_field", "custom_fields"],
  entry: ["name", "type"],
  fields: {
    hint: ["description", "help", "placeholder", "help_text"],
    options: ["choices", "values", "field_data"],
    in_profile_summary: ["display_in_profile_summary", "summary"],
    service: ["subtype", "provider"],
    type: ["field_type", "kind"],
    required: ["mandatory", "is_required"],
    editable_by_user: ["editable", "user_editable"],
    url_pattern: ["url", "url_template"],
  },
  values: {
    short_text: ["text", "string"],
    long_text: ["paragraph", "textarea", "markdown"],
    select: ["list", "dropdown", "choice", "enum", "options"],
    users: ["user", "person", "people"],
    external_account: ["account", "external"],
    link: ["url"],
  },
});
