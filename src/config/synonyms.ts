import { own } from "../model/defined.ts";
import { type Synonyms, words } from "../model/synonyms.ts";

type Table = { readonly [name: string]: readonly string[] };

/** Other words for fields that objects of several kinds have. Each kind has the words for its own fields (`file.synonyms`). */
const FIELDS: Table = {
  description: words("desc about purpose topic subject summary note notes comment info text"),
  was: words("rename renamed_from old_name previous_name previously formerly from aka"),
  absent: words("delete deleted remove removed gone"),
  archived: words("archive is_archived deactivated inactive disabled closed"),
  deactivated: words("deactivate archive archived inactive disabled suspended absent deleted removed"),
  id: words("stream_id channel_id group_id user_group_id folder_id filter_id"),
  profile: words("profiles extends inherits template preset uses"),
  name: words("title label caption display_name"),
};

/** Other words for values that fields of several kinds can have. */
const VALUES: Table = {
  owner: words("owners organization_owner realm_owner superadmin role_owners 100"),
  administrator: words("admin admins administrators organization_administrator role_administrators 200"),
  moderator: words("mod mods moderators role_moderators 300"),
  member: words("user normal members regular default standard role_members 400"),
  guest: words("guests external role_guests 600"),
  unlimited: words("never forever none infinite"),
  disabled: words("none off false"),
};

/** Other words for the keys of a file that are not sections. */
const KEYS: Table = {
  realm: words("organization organisation org site server url host"),
  manage: words("mode modes managed prune exact additive ignore"),
  policy: words("policies guards guard_rails guardrails limits protect"),
  vars: words("variables parameters params"),
  values: words("variable_values"),
  profiles: words("templates presets bundles"),
  include: words("imports import files extends"),
};

/** Words for whether an object exists or is in use: only the value tells which field says the same. */
const STATES: ReadonlySet<string> = new Set(
  words("state ensure exists present status active is_active enabled is_enabled enable"),
);
/** The values that affirm such a word, or any other. */
const YES: ReadonlySet<string> = new Set(
  words("true yes on y 1 present exists existing created latest active enabled open started running"),
);
const NO: ReadonlySet<string> = new Set(
  words("false no off n 0 inactive disabled archived deactivated suspended closed stopped"),
);
const GONE: ReadonlySet<string> = new Set(words("absent deleted removed destroyed gone purged"));
/** Words that turn the meaning of a name around: `name_changes_disabled`. */
const NEGATIVE: ReadonlySet<string> = new Set(
  words(
    "disabled disable disallow disallowed deny denied forbid forbidden block blocked no not without",
    "inactive deactivated archived closed suspended absent deleted removed gone archive deactivate delete",
    "remove",
  ),
);

/** What a word and its value mean: a field, a line with its value, or nothing that has to be written. */
export type Meant = { readonly field: string } | { readonly line: string } | "needless";

/**
 * What a word means that is no field: `{field: "invite_as"}`, or the line that says the same as the word with its value: `is_private: false` is
 * `privacy: public`.
 * @param known the fields that exist @param value what is written behind the word
 */
export function fieldMeant(
  word: string,
  known: readonly string[],
  value: unknown,
  { fields, lines }: Synonyms = {},
): Meant | undefined {
  const name = plain(word);
  const said = own(lines ?? {}, name);
  const [affirmed = "", denied = ""] = said ?? [];
  const field = affirmed.split(":")[0] ?? "";
  if (said !== undefined && known.includes(field))
    return lineOrField(saysNo(value) ? denied : affirms(value) ? affirmed : field);
  if (STATES.has(name)) return stateMeant(name, known, value);
  const meant = meantBy(word, known, [fields, FIELDS]);
  return meant === undefined ? undefined : turned(word, meant, value);
}

const lineOrField = (text: string): Meant => (text.includes(": ") ? { line: text } : { field: text });

/** `state: present`, `status: archived`, `enabled: false`. */
function stateMeant(word: string, known: readonly string[], value: unknown): Meant | undefined {
  const use = ["archived", "deactivated"].find((field) => known.includes(field));
  const unused = use ?? (known.includes("absent") ? "absent" : undefined);
  if (unused === undefined) return undefined;
  if (typeof value === "string" && GONE.has(plain(value)))
    return { line: `${known.includes("absent") ? "absent" : unused}: true` };
  if (saysNo(value)) return { line: `${unused}: true` };
  if (!affirms(value)) return { field: unused };
  const isInUse = /^(?:is_)?(?:active|enabled?)$|^status$/.test(word);
  return isInUse && use !== undefined ? { line: `${use}: false` } : "needless";
}

/** A field that says the opposite of the word has the opposite value: `name_changes_enabled: true` is `name_changes_disabled: false`. */
export function turned(word: string, field: string, value: unknown): Meant {
  const isOpposite = isNegative(word) !== isNegative(field);
  if (!isOpposite || typeof value !== "boolean") return { field };
  return { line: `${field}: ${!value}` };
}

const isNegative = (name: string): boolean =>
  plain(name)
    .split("_")
    .some((part) => NEGATIVE.has(part));
const isOneOf = (value: unknown, words: ReadonlySet<string>): boolean =>
  (typeof value === "string" || typeof value === "number" || typeof value === "boolean") &&
  words.has(String(value).toLowerCase());
const affirms = (value: unknown): boolean => isOneOf(value, YES);
const saysNo = (value: unknown): boolean => isOneOf(value, NO) || isOneOf(value, GONE);

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
  const wanted = plain(word.replace(/^role:\s*/i, ""));
  return known.find((name) => tables.some((table) => own(table ?? {}, name)?.includes(wanted) === true));
}

const plain = (word: string): string =>
  word
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
