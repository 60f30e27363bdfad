import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { isList, isObject, type Json } from "../../model/json.ts";
import type { DeclaredObject } from "../../model/objects.ts";
import { didYouMean } from "../../model/suggest.ts";
import { resolvePermissions } from "../references.ts";
import { CHANNEL_SETTINGS, resolveChannel } from "./channels.ts";
import { methodsOf } from "./live.ts";
import { decodePicture, PICTURE_FIELDS } from "./pictures.ts";
import { PROPERTIES } from "./properties.ts";
import { AUTHENTICATION_METHODS, type Settings } from "./schema.ts";

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
    const channel = typeof value === "string" ? resolveChannel(value, name, context) : undefined;
    if (channel !== undefined) fields[name] = channel;
  }
  const permissions = resolvePermissions("realm", item.permissions, context);
  Object.assign(fields, permissions.fields);
  for (const name of PICTURE_FIELDS) {
    const picture = decodePicture(name, written[name], context);
    if (picture !== undefined) creation[name] = picture;
  }
  const methods = item.authentication_methods;
  if (methods !== undefined && knowsMethods(Object.keys(methods), context)) creation[AUTHENTICATION_METHODS] = methods;
  return {
    absent: false,
    fields,
    paths: permissions.paths,
    ...defined({ partial: permissions.partial }),
    ...defined({ creation: Object.keys(creation).length === 0 ? undefined : creation }),
  };
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
