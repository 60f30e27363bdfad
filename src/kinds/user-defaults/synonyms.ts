import type { Synonyms } from "../../model/synonyms.ts";

export const userDefaultsWords = (): Synonyms => ({
  section: ["default_user_settings", "user_settings", "realm_user_settings_defaults"],
  fields: {
    twenty_four_hour_time: ["24_hour_time", "time_format"],
    color_scheme: ["theme", "colour_scheme"],
  },
  lines: {
    dark_mode: ["color_scheme: dark", "color_scheme: light"],
    night_mode: ["color_scheme: dark", "color_scheme: light"],
  },
  elsewhere: {
    language: "settings: {default_language: de}",
    default_language: "settings: {default_language: de}",
  },
  values: {
    dark: ["night", "black"],
    light: ["day", "white"],
    automatic: ["auto", "system"],
  },
});
