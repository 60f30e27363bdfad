import { own } from "../model/own.ts";
import type { Synonyms } from "../model/synonyms.ts";

type Table = { readonly [name: string]: readonly string[] };

/** Other words for fields that objects of several kinds have. Each kind has the words for its own fields (`file.synonyms`). */
const FIELDS: Table = {
  description: ["desc", "about", "purpose", "topic", "subject", "summary", "note", "notes", "comment", "info", "text"],
  was: ["rename", "renamed_from", "old_name", "previous_name", "previously", "formerly", "from", "aka"],
  absent: ["delete", "deleted", "remove", "removed", "ensure", "state", "gone"],
  archived: ["archive", "is_archived", "deactivated", "inactive", "disabled", "closed", "active", "status"],
  deactivated: [
    "deactivate",
    "archive",
    "archived",
    "inactive",
    "is_active",
    "active",
    "enabled",
    "disabled",
    "suspended",
    "status",
    "absent",
    "deleted",
    "removed",
  ],
  id: ["stream_id", "channel_id", "group_id", "user_group_id", "folder_id", "filter_id"],
  profile: ["profiles", "extends", "inherits", "template", "preset", "uses"],
  name: ["title", "label", "caption", "display_name"],
};

/** Other words for values that fields of several kinds can have. */
const VALUES: Table = {
  owner: ["owners", "organization_owner", "realm_owner", "superadmin", "role_owners", "100"],
  administrator: ["admin", "admins", "administrators", "organization_administrator", "role_administrators", "200"],
  moderator: ["mod", "mods", "moderators", "role_moderators", "300"],
  member: ["user", "normal", "members", "regular", "default", "standard", "role_members", "400"],
  guest: ["guests", "external", "role_guests", "600"],
  unlimited: ["never", "forever", "none", "infinite"],
  disabled: ["none", "off", "false"],
};

/** Other words for the keys of a file that are not sections. */
const KEYS: Table = {
  realm: ["organization", "organisation", "org", "site", "server", "url", "host"],
  manage: ["mode", "modes", "managed", "policies", "prune"],
  policy: ["guards", "guard_rails", "guardrails", "limits", "protect"],
  vars: ["variables", "parameters", "params"],
  values: ["variable_values"],
  profiles: ["templates", "presets", "bundles"],
  include: ["imports", "import", "files", "extends"],
};

/** The field that a word means: `"invite_as"`, or a line that says the same: `"privacy: public"`. @param known the fields that exist */
export function fieldMeant(
  word: string,
  known: readonly string[],
  { fields, lines }: Synonyms = {},
): string | undefined {
  const line = own(lines ?? {}, plain(word));
  if (line !== undefined && known.includes(line.split(":")[0] ?? "")) return line;
  return meantBy(word, known, [fields, FIELDS]);
}

/** How another part of the file says what a word means. */
export const elsewhere = (word: string, { elsewhere: lines }: Synonyms): string | undefined =>
  own(lines ?? {}, plain(word));

/** The value that a word means. @param known the values that exist */
export function valueMeant(word: string, known: readonly string[], { values }: Synonyms = {}): string | undefined {
  return meantBy(word, known, [values, VALUES]);
}

/** The key of a file that a word means. @param known the keys that exist @param sections the words for each section */
export function keyMeant(word: string, known: readonly string[], sections: Table): string | undefined {
  return meantBy(word, known, [sections, KEYS]);
}

function meantBy(word: string, known: readonly string[], tables: readonly (Table | undefined)[]): string | undefined {
  const wanted = plain(word);
  return known.find((name) => tables.some((table) => own(table ?? {}, name)?.includes(wanted) === true));
}

const plain = (word: string): string =>
  word
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
