import * as z from "zod";
import type { DecodeContext } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import { isList, isObject, type Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { DeclaredObject, Pair } from "../../model/objects.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { didYouMean } from "../../model/suggest.ts";
import { listed } from "../../model/texts.ts";
import { formIssue, wrongForm } from "../../model/value-form.ts";
import { resolveChannel } from "../channels-by-name.ts";
import { codePoints, foldCase, strip } from "../names.ts";
import { type PropertyType, retentionDays } from "../property.ts";

/** As in a channel: a number of days, or a word. The API returns −1 for it, and refuses −1 when it is sent. */
export const retention: PropertyType = {
  schema: once(() => z.union([retentionDays(["unlimited"]), z.enum(["unlimited"])])),
  fromApi: (value) => (value === -1 || value === null ? "unlimited" : value),
  toApi: (value) => value,
};

const MAX_JITSI_URL = 200;

/** `default` is the server's own; the API returns null for it, and expects the word as JSON text. */
export const jitsiUrl: PropertyType = {
  secrecy: "text",
  schema: once(() =>
    z
      .string()
      .refine(
        (url) => url === "default" || isAddress(url),
        wrongForm({ form: "server-url", most_characters: MAX_JITSI_URL }),
      )
      .meta({ pattern: "^(default|([hH][tT]{2}[pP]|[fF][tT][pP])[sS]?://\\S+)$", maxLength: MAX_JITSI_URL })
      .nullable()
      .transform((url) => url ?? "default"),
  ),
  fromApi: (value) => value ?? "default",
  toApi: (value) => value,
};

const LETTER = "[a-z0-9\\u00a1-\\uffff]";
const LABEL = `${LETTER}(?:[a-z0-9\\u00a1-\\uffff-]{0,61}${LETTER})?`;
const TOP_LEVEL = "(?:[a-z\\u00a1-\\uffff][a-z\\u00a1-\\uffff-]{0,61}[a-z\\u00a1-\\uffff]|xn--[a-z0-9]{1,59})";
const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IN_NAME = "[^\\s:@/?#[\\]]";
/** The rule of the server, and not that of browsers: a host has a dot, and a port at most five digits (zulip-api.md §12.1). */
const ADDRESS = new RegExp(
  `^(?:https?|ftps?)://(?:${IN_NAME}+(?::${IN_NAME}*)?@)?(?:\\[([^\\]]*)\\]|localhost|${BYTE}(?:\\.${BYTE}){3}|(?:${LABEL}\\.)+${TOP_LEVEL}\\.?)(?::\\d{1,5})?(?:[/?#]\\S*)?$`,
  "iu",
);

function isAddress(url: string): boolean {
  const found = codePoints(url) <= MAX_JITSI_URL ? ADDRESS.exec(url) : null;
  return found !== null && (found[1] === undefined || URL.canParse(`http://[${found[1]}]`));
}

/** Feature level whose languages these are. Another release has another list (zulip-api.md §12.1). */
export const LANGUAGES_AT = 442;
export const LANGUAGES: readonly string[] = (
  "ar bg bqi ca cs cy da de el en en-gb es fa fi fr gu hi hu id it ja ko lt mn nl pl pt pt-pt ro ru si sl sr sv ta " +
  "tl tr uk vi zh-hans zh-tw"
).split(" ");

const CODE = /^[a-z]{2,3}(-[a-z0-9]+)*$/;

/** Lower case with hyphens: the server does not know other spellings. */
export const languageCode: PropertyType = {
  schema: once(() =>
    z
      .string()
      .superRefine((code, context) => {
        if (!CODE.test(code))
          context.addIssue(formIssue({ form: "language-code", ...defined({ meant: codeMeant(code) }) }));
      })
      .meta({ pattern: CODE.source }),
  ),
  fromApi: (value) => value,
  toApi: (value) => value,
};

/** `pt_PT` → `pt-pt`, `en_US` → `en`: of most languages, servers have no variants. */
function codeMeant(written: string): string | undefined {
  const code = written.trim().toLowerCase().replaceAll("_", "-");
  if (!CODE.test(code)) return undefined;
  const language = code.replace(/-.*/, "");
  return !LANGUAGES.includes(code) && LANGUAGES.includes(language) ? language : code;
}

/** A channel by its name, or none. The API has its id, and −1 for none. A channel that this account cannot see is identified by its id. */
export const channel: PropertyType = {
  secrecy: { of: "channel" },
  schema: once(() => z.string().min(1).nullable()),
  decode(written, field, context) {
    if (typeof written !== "string") return null;
    const archived = (name: Quoted) => finding("settings/archived-channel", { channel: name });
    const found = resolveChannel(strip(written), [field], context, "settings/unknown-channel", archived);
    return typeof found === "object" ? found.name : found;
  },
  fromApi: (id, realm) =>
    typeof id !== "number" ? undefined : id < 0 ? null : (realm?.channel(id)?.name ?? `channel:${id}`),
  // The id of a named one is the plan's to say.
  toApi: () => -1,
};

/** The channel of that name, as the plan leaves it, where the file has channels. */
export function channelPair(name: string, context: PlanContext): Pair | undefined {
  const exact = context.pair(`channel:${name}`);
  if (exact !== undefined) return exact;
  const key = foldCase(name);
  return context.pairs("channels").find(({ declared, live }) => foldCase(declared?.name ?? live?.name ?? "") === key);
}

interface Method {
  readonly enabled: boolean;
  /** False if the organization's plan does not have it. */
  readonly available: boolean;
}

/** The server's sign-in methods by name; undefined if a reading does not have them. */
export const methodsOf = (realm: Realm): ReadonlyMap<string, Method> | undefined =>
  methodsIn(realm.setting(AUTHENTICATION_METHODS));

function methodsIn(read: Json | undefined): ReadonlyMap<string, Method> | undefined {
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

/** Which sign-in methods are enabled: in the file a map, which may have only some; otherwise the names of the enabled ones, sorted. */
export const signInMethods: PropertyType = {
  // The pattern says the same to editors.
  schema: once(() => z.preprocess(refuseProto, z.record(z.string().regex(/^(?!__proto__$)/), z.boolean()))),
  isWish: true,
  decode: (methods, _, context) => (knowsMethods(Object.keys(methods ?? {}), context) ? methods : undefined),
  fromApi: (read) => {
    const methods = methodsIn(read);
    return methods && [...methods].flatMap(([name, { enabled }]) => (enabled ? [name] : [])).sort();
  },
  // All of them: the server checks only the methods in the request for one that stays on (zulip-api.md §12.1).
  toApi: (enabled, realm) => methodsWith(enabled, realm),
  toYaml: (enabled, realm, raw) => {
    const all = Object.entries(methodsWith(enabled, realm)).sort(([one], [other]) => (one < other ? -1 : 1));
    const changed = all.filter(([name]) => isObject(raw) && raw[name] !== undefined);
    return Object.fromEntries(changed.length === 0 ? all : changed);
  },
  canSet: () => true,
};

/** Every method of the server, and whether it is one of these. */
function methodsWith(enabled: Json, realm: Realm): { readonly [method: string]: boolean } {
  const on = listed(enabled);
  return Object.fromEntries([...(methodsOf(realm)?.keys() ?? on)].map((name) => [name, on.includes(name)]));
}

/** A record silently drops this key, and so would the pattern that shows the error in editors. */
function refuseProto(methods: unknown, context: z.core.$RefinementCtx): unknown {
  if (isObject(methods) && Object.hasOwn(methods, "__proto__"))
    context.addIssue({ code: "unrecognized_keys", keys: ["__proto__"], input: methods });
  return methods;
}

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
