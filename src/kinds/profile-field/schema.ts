import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { type Finding, finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { isObject, type Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { DeclaredObject, LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { didYouMean } from "../../model/suggest.ts";
import { codePoints, lengthCause, strip } from "../names.ts";
import { flag, optional, orNull, string } from "../optional.ts";
import { liveProfileFields } from "./live.ts";

const typeName = once(() =>
  z.enum(["short_text", "long_text", "select", "date", "link", "users", "external_account", "pronouns"]),
);

const option = once(() =>
  z.union([
    z.string(),
    z.strictObject({
      text: z.string().describe("What people see."),
      was: string("The text that the option has now. People who chose it keep it."),
    }),
  ]),
);

/** One custom profile field as the file writes it. */
export const profileFieldForm = once(() =>
  z.strictObject({
    name: z.string().describe("What people see beside the value. At most 40 characters."),
    was: string("The name that the field has now. The field is renamed; no new one is created."),
    id: optional(z.int().positive(), "Identifies the field by its id instead of its name."),
    absent: flag("`true` removes the field, with the values that people entered, under any policy."),
    type: optional(typeName(), "Required for a new field; never changes."),
    hint: orNull(z.string(), "Shown where people fill it in. At most 80 characters. `null` removes it."),
    options: optional(
      z.array(option()),
      "`select`: what people choose from, in this order. If you remove an option, people who chose it lose that value.",
    ),
    service: string(
      "`external_account`: a service that the server knows, as `github`, `gitlab` or `linkedin`. It sets name and hint. Zulip 12 calls `twitter` `x`.",
    ),
    url_pattern: string(
      "`external_account`: the address of the account, with `%(username)s` once: `https://example.org/people/%(username)s`.",
    ),
    in_profile_summary: flag("Shown on the card of a person; at most two fields can be."),
    required: flag("Whether people are asked to fill it in. The server refuses nothing without it."),
    editable_by_user: flag("Whether people change their own value; administrators always may."),
    use_for_user_matching: flag(
      "`short_text` and `external_account`: whether the value finds the person when somebody is mentioned. Feature level 455.",
    ),
  }),
);
export type ProfileField = z.infer<ReturnType<typeof profileFieldForm>>;

const MAX_NAME_LENGTH = 40;
const MAX_HINT_LENGTH = 80;
/** The values that the server stores, and every error that the item alone shows (zulip-api.md §12.3). */
export function decodeProfileField(item: ProfileField, name: string, context: DecodeContext): Decoded {
  const absent = item.absent === true;
  const { fields, option_names } = fieldsOf(item);
  if (!absent) {
    checkTexts(item, name, context);
    checkOptions(item, context);
    checkAccount(item, context);
    checkType(item, context);
  }
  if (item.was !== undefined && absent) context.report(["was"], finding("profile_fields/was", { cause: "absent" }));
  else if (item.was !== undefined && strip(item.was) === name)
    context.report(["was"], finding("profile_fields/was", { cause: "same" }, { severity: "warning" }));
  return defined({
    was: whenDefined(item.was, strip),
    id: item.id,
    absent,
    fields: absent ? {} : fields,
    creation: absent || Object.keys(option_names).length === 0 ? undefined : { option_names },
  });
}

function fieldsOf(item: ProfileField): {
  readonly fields: { readonly [field: string]: Json };
  readonly option_names: { readonly [text: string]: string };
} {
  const { type, hint, options, service, url_pattern } = item;
  const { in_profile_summary, required, editable_by_user, use_for_user_matching } = item;
  const option_names: { [text: string]: string } = {};
  for (const option of options ?? [])
    if (typeof option !== "string" && option.was !== undefined && option.was !== option.text)
      option_names[option.text] = option.was;
  return {
    fields: defined({
      type,
      hint: whenDefined(hint, (text) => text ?? ""),
      options: options?.map((option) => (typeof option === "string" ? option : option.text)),
      // One of the two takes the place of the other.
      service: url_pattern === undefined ? service : null,
      url_pattern: service === undefined ? url_pattern : (url_pattern ?? null),
      in_profile_summary,
      required,
      editable_by_user,
      use_for_user_matching,
    }),
    option_names,
  };
}

function checkTexts(item: ProfileField, name: string, context: DecodeContext): void {
  const cause = lengthCause(name, MAX_NAME_LENGTH);
  if (cause !== undefined) context.report(["name"], finding("profile_fields/name", cause));
  const hint = codePoints(item.hint ?? "");
  if (hint > MAX_HINT_LENGTH)
    context.report(["hint"], finding("profile_fields/hint", { length: hint, limit: MAX_HINT_LENGTH }));
}

function checkOptions({ options }: ProfileField, context: DecodeContext): void {
  if (options === undefined) return;
  if (options.length === 0) context.report(["options"], finding("profile_fields/options", { cause: "none" }));
  const texts = new Set<string>();
  const before = new Set<string>();
  for (const [index, option] of options.entries()) {
    const { text, was } = typeof option === "string" ? { text: option, was: undefined } : option;
    if (strip(text) === "") context.report(["options", index], finding("profile_fields/options", { cause: "blank" }));
    else if (texts.has(text))
      context.report(["options", index], finding("profile_fields/options", { cause: "twice", option: quote(text) }));
    texts.add(text);
    if (was === undefined) continue;
    if (before.has(was))
      context.report(["options", index], finding("profile_fields/options", { cause: "was-twice", was: quote(was) }));
    before.add(was);
  }
}

const PLACEHOLDER = "%(username)s";

function checkAccount(item: ProfileField, context: DecodeContext): void {
  const { service, url_pattern: pattern } = item;
  if (service !== undefined && pattern !== undefined)
    context.report(["url_pattern"], finding("profile_fields/account", { cause: "both" }));
  if (pattern !== undefined) {
    const count = pattern.split(PLACEHOLDER).length - 1;
    if (count !== 1)
      context.report(
        ["url_pattern"],
        finding("profile_fields/account", { cause: "placeholder", text: quote(pattern), count }),
      );
    else if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/]/i.test(pattern))
      context.report(["url_pattern"], finding("profile_fields/account", { cause: "no-url", text: quote(pattern) }));
  }
  if (service !== undefined) checkService(service, context);
}

function checkService(service: string, context: DecodeContext): void {
  const services = servicesOf(context.realm);
  const renamed = otherName(service, services);
  if (renamed === undefined && Object.hasOwn(services, service)) return;
  // An upgrade renames only some of the fields: the others stay with a service that the server no longer offers.
  if (context.realm !== undefined && liveProfileFields(context.realm)?.some(({ fields }) => fields.service === service))
    return;
  const names = Object.keys(services);
  const meant = didYouMean(service, names, context.patience);
  // Each server has its own list.
  const offline = context.realm?.setting("default_external_accounts") === undefined ? true : undefined;
  const fact =
    renamed === undefined
      ? ({ cause: "unknown-service", service: quote(service), known: names, ...defined({ meant, offline }) } as const)
      : ({ cause: "service-renamed", service, ...renamed } as const);
  const severity = offline === true ? "warning" : "error";
  context.report(["service"], { ...finding("profile_fields/account", fact), severity });
}

/** What the type that the item names does not have. */
function checkType(item: ProfileField, context: DecodeContext): void {
  const { type } = item;
  if (type === undefined) return;
  const other = (field: "options" | "service" | "url_pattern", needs: string) => {
    if (item[field] !== undefined)
      context.report([field], finding("profile_fields/other-type", { field, type, needs: [needs] }));
  };
  if (type !== "select") other("options", "select");
  if (type !== "external_account") {
    other("service", "external_account");
    other("url_pattern", "external_account");
  }
  for (const { field, found } of unfitFlags(type, item, context.realm)) context.report([field], found);
}

/** The flags that a field of the type cannot have. Whether `long_text` may be in the summary depends on the server. */
export function unfitFlags(
  type: string,
  item: Pick<ProfileField, "in_profile_summary" | "use_for_user_matching">,
  realm: Realm | undefined,
): readonly { readonly field: string; readonly found: Finding }[] {
  const field = "use_for_user_matching";
  const matching =
    item[field] === true && !MATCHED.includes(type)
      ? [{ field, found: finding("profile_fields/other-type", { field, type, needs: MATCHED }) }]
      : [];
  const isLong = type === "long_text" && (realm === undefined || realm.level < LONG_TEXT_IN_SUMMARY);
  if (item.in_profile_summary !== true || (type !== "users" && !isLong)) return matching;
  const isDoubtful = isLong && realm === undefined;
  const fact = { cause: "type", type, ...defined({ level: isLong ? LONG_TEXT_IN_SUMMARY : undefined }) } as const;
  const found = finding("profile_fields/summary", fact, defined({ severity: isDoubtful ? "warning" : undefined }));
  return [{ field: "in_profile_summary", found }, ...matching];
}

/** Types whose values can find a person (zulip-api.md §12.3). */
const MATCHED: readonly string[] = ["short_text", "external_account"];
/** From this level on, only fields that name people are too long for the summary. */
export const LONG_TEXT_IN_SUMMARY = 476;

/** Previous names of options and other values matter only to an existing field. */
export function asNew(declared: DeclaredObject, live: LiveObject | undefined): DeclaredObject {
  if (live !== undefined) return declared;
  const { creation: _, fields, ...rest } = declared;
  return { ...rest, fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) };
}

type Services = { readonly [service: string]: { readonly name: string; readonly hint: string } };

/** Known services of servers of all levels, for when no server says which (zulip-api.md §12.3). */
const NAMES = {
  atlassian: "Atlassian account ID",
  behance: "Behance username",
  bitbucket: "Bitbucket username",
  bluesky: "Bluesky handle",
  codeberg: "Codeberg username",
  discord: "Discord tag",
  dribbble: "Dribbble username",
  facebook: "Facebook username",
  github: "GitHub username",
  gitlab: "GitLab username",
  instagram: "Instagram username",
  linkedin: "LinkedIn profile name",
  mastodon: "Mastodon profile",
  medium: "Medium username",
  pinterest: "Pinterest username",
  reddit: "Reddit username",
  snapchat: "Snapchat username",
  threads: "Threads username",
  tiktok: "TikTok username",
  twitch: "Twitch username",
  twitter: "Twitter username",
  x: "X username",
  youtube: "YouTube handle",
} as const;
const SERVICES: Services = Object.fromEntries(
  Object.entries(NAMES).map(([service, name]) => [service, { name, hint: "" }]),
);

/** The services that the server knows, with what it calls their fields. */
export function servicesOf(realm: Realm | undefined): Services {
  const known = realm?.setting("default_external_accounts");
  if (known === undefined || !isObject(known)) return SERVICES;
  return Object.fromEntries(
    Object.entries(known).flatMap(([service, said]) =>
      isObject(said) && typeof said.name === "string"
        ? [[service, { name: said.name, hint: typeof said.hint === "string" ? said.hint : "" }]]
        : [],
    ),
  );
}

/** Zulip 12 calls `twitter` `x`, and its upgrade renamed the fields with their values. */
const RENAMED = ["twitter", "x"] as const;

/** What other servers call the service; itself for all others. */
export const acrossVersions = (service: string): string => {
  const [old, now] = RENAMED;
  return service === old ? now : service === now ? old : service;
};

/** The service under the name that these servers use in place of this one. The old name is doubtful without a server. */
function otherName(service: string, services: Services): { readonly other: string; readonly name: string } | undefined {
  const other = acrossVersions(service);
  const said = other === service ? undefined : services[other];
  if (said === undefined || (service === RENAMED[1] && Object.hasOwn(services, service))) return undefined;
  return services === SERVICES || !Object.hasOwn(services, service) ? { other, name: said.name } : undefined;
}
