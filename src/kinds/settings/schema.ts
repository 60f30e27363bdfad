import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import { isList, isObject, type Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { DeclaredObject, Pair } from "../../model/objects.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { didYouMean } from "../../model/suggest.ts";
import { resolveChannel } from "../channels-by-name.ts";
import { foldCase, strip } from "../names.ts";
import { optional, orNull } from "../optional.ts";
import { permissionsForm } from "../permissions.ts";
import { propertyForms } from "../property.ts";
import { resolvePermissions } from "../references.ts";
import { decodePicture, PICTURE_FIELDS, pictureSchemas } from "./pictures.ts";
import { JOINING, LOOKS, NOTICES, PARTS, PROPERTIES } from "./properties.ts";

/** A setting that names a channel (zulip-api.md §12.1). The API has its id, and −1 for none. */
interface ChannelSetting {
  readonly api: string;
  readonly level?: number;
  /** Whether it must be a private channel. */
  readonly private?: true;
  /** In a new organization this is its first channel, "general". */
  readonly general?: true;
  readonly about: string;
}

/** These settings in the order in which the server applies them, after all others. */
export const CHANNEL_SETTINGS: { readonly [name: string]: ChannelSetting } = {
  moderation_request_channel: {
    api: "moderation_request_channel_id",
    level: 331,
    private: true,
    about: "The private channel in which reports of messages arrive. `null`: messages cannot be reported.",
  },
  new_stream_announcements_channel: {
    api: "new_stream_announcements_stream_id",
    general: true,
    about: "The channel that announces new channels. `null`: none does.",
  },
  signup_announcements_channel: {
    api: "signup_announcements_stream_id",
    about: "The channel that announces new people. `null`: none does.",
  },
  zulip_update_announcements_channel: {
    api: "zulip_update_announcements_stream_id",
    general: true,
    about: "The channel that announces what is new in Zulip. `null`: none does.",
  },
};

export function channelSetting(field: string): ChannelSetting | undefined {
  return Object.hasOwn(CHANNEL_SETTINGS, field) ? CHANNEL_SETTINGS[field] : undefined;
}

/** The channel's name after the plan. */
function resolveNamedChannel(written: string, field: string, context: DecodeContext): string | undefined {
  const archived = (channel: Quoted) => finding("settings/archived-channel", { channel });
  const found = resolveChannel(strip(written), [field], context, "settings/unknown-channel", archived);
  return typeof found === "object" ? found.name : found;
}

/** The channel of that name, as the plan leaves it, where the file has channels. */
export function channelPair(name: string, context: PlanContext): Pair | undefined {
  const exact = context.pair(`channel:${name}`);
  if (exact !== undefined) return exact;
  const key = foldCase(name);
  return context.pairs("channels").find(({ declared, live }) => foldCase(declared?.name ?? live?.name ?? "") === key);
}

export interface Method {
  readonly enabled: boolean;
  /** False if the organization's plan does not have it. */
  readonly available: boolean;
}

/** The server's sign-in methods by name; undefined if a reading does not have them. */
export function methodsOf(realm: Realm): ReadonlyMap<string, Method> | undefined {
  const read = realm.setting("authentication_methods");
  if (!isObject(read)) return undefined;
  return new Map(
    Object.entries(read).map(([name, method]) => {
      // Older servers had only true and false here.
      const [enabled, available] = isObject(method)
        ? [method.enabled === true, method.available !== false]
        : [method === true, true];
      return [name, { enabled, available }];
    }),
  );
}

export const AUTHENTICATION_METHODS = "authentication_methods";
export const ABOUT_METHODS =
  "Which of the server's sign-in methods can be used: `{Email: true, Google: false}`. A method that is left out stays as it is; one must stay enabled.";

/** Every field but the permissions, in the order in which a file reads best. */
export const FIELD_PARTS = Object.entries(PARTS).map(([heading, part]) => ({
  heading,
  fields: [
    ...Object.keys(part),
    ...(heading === LOOKS ? PICTURE_FIELDS : []),
    ...(heading === JOINING ? [AUTHENTICATION_METHODS] : []),
    ...(heading === NOTICES ? Object.keys(CHANNEL_SETTINGS) : []),
  ],
}));
export const FIELD_ORDER: readonly string[] = FIELD_PARTS.flatMap(({ fields }) => fields);

/** In the order of {@link FIELD_ORDER}, which the schema keeps. */
function fieldSchemas(): { readonly [name: string]: z.ZodType } {
  const known: { readonly [name: string]: z.ZodType } = { ...pictureSchemas(), ...propertyForms(PROPERTIES) };
  const channel = (name: string) => orNull(z.string().min(1), CHANNEL_SETTINGS[name]?.about ?? name);
  const names = FIELD_ORDER.filter((name) => name !== AUTHENTICATION_METHODS);
  return Object.fromEntries(names.map((name) => [name, known[name] ?? channel(name)]));
}

/** A record silently drops this key, and so would the pattern that shows the error in editors. */
function refuseProto(methods: unknown, context: z.core.$RefinementCtx): unknown {
  if (isObject(methods) && Object.hasOwn(methods, "__proto__"))
    context.addIssue({ code: "unrecognized_keys", keys: ["__proto__"], input: methods });
  return methods;
}

/** The section as a file writes it: every field may be left out, and then stays as it is. */
export const settingsForm = once(() =>
  z.strictObject({
    ...fieldSchemas(),
    [AUTHENTICATION_METHODS]: optional(
      z
        // The pattern says the same to editors.
        .preprocess(refuseProto, z.record(z.string().regex(/^(?!__proto__$)/), z.boolean())),
      ABOUT_METHODS,
    ),
    permissions: permissionsForm("realm").optional(),
  }),
);
export type Settings = z.infer<ReturnType<typeof settingsForm>>;

/** The schema has made every plain value canonical; only names are left. */
export function decodeSettings(item: Settings, _name: string, context: DecodeContext): Decoded {
  const written: { readonly [field: string]: unknown } = item;
  const fields: { [field: string]: Json } = {};
  const creation: { [field: string]: Json } = {};
  for (const name of Object.keys(PROPERTIES)) {
    const value = written[name];
    if (isPlain(value)) fields[name] = value;
  }
  for (const name of Object.keys(CHANNEL_SETTINGS)) {
    const value = written[name];
    if (value === null) fields[name] = null;
    const channel = typeof value === "string" ? resolveNamedChannel(value, name, context) : undefined;
    if (channel !== undefined) fields[name] = channel;
  }
  const { fields: rights, ...more } = resolvePermissions("realm", item.permissions, context);
  Object.assign(fields, rights);
  for (const name of PICTURE_FIELDS) {
    const picture = decodePicture(name, written[name], context);
    if (picture !== undefined) creation[name] = picture;
  }
  const methods = item.authentication_methods;
  if (methods !== undefined && knowsMethods(Object.keys(methods), context)) creation[AUTHENTICATION_METHODS] = methods;
  return defined({
    absent: false,
    fields,
    creation: Object.keys(creation).length === 0 ? undefined : creation,
    ...more,
  });
}

const isPlain = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** Names of sign-in methods are the server's, with case. */
function knowsMethods(names: readonly string[], { realm, report, patience }: DecodeContext): boolean {
  const known = realm === undefined ? undefined : methodsOf(realm);
  if (known === undefined) return true;
  const unknown = names.filter((name) => !known.has(name));
  for (const name of unknown) {
    const meant = didYouMean(name, [...known.keys()], patience);
    const suggested = defined({ meant: whenDefined(meant, quote) });
    report(
      [AUTHENTICATION_METHODS, name],
      finding("settings/unknown-method", { method: quote(name), ...suggested, known: [...known.keys()].sort() }),
      "key",
    );
  }
  return unknown.length === 0;
}

/** Methods that the file does not mention stay as they are; together with them, it is known which can be used afterwards. */
export function resolveMethods(declared: DeclaredObject, enabledNow: Json | undefined): DeclaredObject {
  const wish = declared.creation?.[AUTHENTICATION_METHODS];
  if (!isObject(wish)) return declared;
  const enabled = new Set(isList(enabledNow) ? enabledNow.map(String) : []);
  for (const [name, on] of Object.entries(wish)) {
    if (on === true) enabled.add(name);
    else enabled.delete(name);
  }
  return { ...declared, fields: { ...declared.fields, [AUTHENTICATION_METHODS]: [...enabled].sort() } };
}
