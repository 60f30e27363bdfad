import { literalName } from "../config/variable-syntax.ts";
import { isObject, type Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { HIDDEN_INVITED, hiddenObject } from "../report/action/log.ts";
import { type Redaction, type RedactionOptions, redactionBy } from "../report/redact.ts";
import { readableValue } from "../source/yaml.ts";

/** Known names, in addition to those in the files. */
export interface KnownOfNames {
  /** The redactions of readings: a file can give another name to a hidden object. */
  readonly realm?: readonly Redaction[];
  /** Addresses that are hidden in any case → their replacements. */
  readonly addresses?: ReadonlyMap<string, string>;
}

/**
 * Hides the names that files declare as private, in errors about these files. It needs no plan, and the files may have errors.
 * @param texts of every file of the configuration
 */
export function redactionOfFiles(
  texts: readonly string[],
  hide: Pick<RedactionOptions, "privateNames" | "invitations">,
  kinds: readonly ResourceKind[],
  known: KnownOfNames = {},
): Redaction {
  const documents = texts.map(readableValue).filter((value) => value !== undefined && isObject(value));
  const all = (key: string): { [name: string]: Json } =>
    Object.assign({}, ...documents.map((document) => document[key]).filter(isMap));
  const [profiles, defaults] = [all("profiles"), all("defaults")];
  const names = new Map<string, Map<string, string>>();
  const addresses = new Map(known.addresses);
  for (const { name: kind, section, noun, secrecy } of kinds) {
    const written = {
      profiles,
      defaults: defaults[section],
      isHidden: (name: string, id?: number) =>
        known.realm?.some((redaction) => redaction.name(kind, name, undefined, id) !== name) === true,
    };
    const found = documents.flatMap((document) => secrecy.namesToHide?.(document[section], written) ?? []);
    if (hide.privateNames && secrecy.name === "own")
      names.set(kind, new Map(found.map((name) => [literalName(name), hiddenObject(noun[0])])));
    if (hide.invitations && secrecy.name === "invited")
      for (const address of found) addresses.set(address.toLowerCase(), HIDDEN_INVITED);
  }
  return redactionBy({ names, addresses }, kinds);
}

const isMap = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  value !== undefined && isObject(value);
