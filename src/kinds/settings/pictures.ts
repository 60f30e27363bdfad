import * as z from "zod";
import type { DecodeContext } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, type Path, warning } from "../../model/diagnostic.ts";
import type { DiagnosticFacts } from "../../model/diagnostics/definitions.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { isObject, type Json, mapOf } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { DeclaredObject, LiveObject, Pair } from "../../model/objects.ts";
import type { FieldChange } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { fileParam } from "../../model/repository-file.ts";
import type { ShownPicture } from "../../model/shown-picture.ts";
import { imageAt } from "../checks.ts";
import type { PropertyRow } from "../property.ts";

/** The server's limit unless its administrators chose another one, if it does not report it (zulip-api.md §19). */
const MOST_MEBIBYTES = 5;

interface Picture extends PropertyRow {
  readonly operations: { readonly upload: string; readonly remove: string };
  /** Additional parameters of both operations. */
  readonly params: { readonly night?: boolean };
  /** Whether the free plan of Zulip Cloud lacks the picture. */
  readonly limited?: (value: Json) => boolean;
}

const HOW =
  "The path of its file (PNG, JPEG, GIF or WebP, at most 5 MiB), or `{image: PATH, replaces: VERSION}`; `null` removes the uploaded picture.";

const pictureForm = once(() => {
  const version = (about: string) => z.int().positive().exactOptional().describe(about);
  const path = z
    .string()
    .describe("A PNG, JPEG, GIF or WebP file of at most 5 MiB, relative to the file that names it.");
  return z.union([
    path,
    z.strictObject({
      image: path,
      replaces: version(
        "The version of the picture that this one replaces, as plans and drift show it. realmctl cannot compare a picture with that of the server.",
      ),
      version: version(
        "The version that the organization's picture has, if it is the one of the file. With another version, somebody changed the picture: drift says so, and nothing is uploaded. Without effect beside `replaces`.",
      ),
    }),
    z.null(),
  ]);
});

/** @param limit where a reading has the limit of its size */
const picture = (field: string, limit: string): Pick<Picture, "api" | "isPicture" | "isUsual" | "type"> => ({
  api: `${field}_source`,
  isPicture: true,
  isUsual: (value) => value === null,
  type: {
    secrecy: "text",
    schema: pictureForm,
    isWish: true,
    decode: (written, _, context) => decodePicture(field, limit, written, context),
    fromApi: (source, realm) => livePicture(source, realm?.setting(`${field}_url`)),
    toApi: (value) => value,
    // A removed picture is lost.
    canSet: (value) => value === null,
  },
});

const LOGO = {
  operations: { upload: "upload-realm-logo", remove: "remove-realm-logo" },
  limited: (value: Json) => value !== null,
  standardInWords: "Zulip's",
} as const;

/** Pictures of the organization, by the names of their fields (docs/internals/decisions/0027-pictures-are-uploaded-by-version.md). */
export const PICTURES: { readonly [field: string]: Picture } = {
  icon: {
    ...picture("icon", "max_icon_file_size_mib"),
    about: `The square picture that stands for the organization. ${HOW}`,
    operations: { upload: "upload-realm-icon", remove: "remove-realm-icon" },
    params: {},
    standardInWords: "one that the server draws",
  },
  logo: {
    ...picture("logo", "max_logo_file_size_mib"),
    ...LOGO,
    about: `The wide picture at the top of the app, on light screens. ${HOW}`,
    params: { night: false },
  },
  night_logo: {
    ...picture("night_logo", "max_logo_file_size_mib"),
    ...LOGO,
    about: `The same on dark screens. ${HOW}`,
    params: { night: true },
  },
};
const PICTURE_FIELDS: readonly string[] = Object.keys(PICTURES);

export const isPicture = (field: string): boolean => Object.hasOwn(PICTURES, field);

/** Where the section names the files of pictures. */
export function pictureFiles(raw: unknown): readonly Path[] {
  if (!isObject(raw)) return [];
  return PICTURE_FIELDS.flatMap((field): Path[] => {
    const value = raw[field];
    if (typeof value === "string") return [[field]];
    return isObject(value) && typeof value.image === "string" ? [[field, "image"]] : [];
  });
}

/** A picture as the file wants it: null removes it; otherwise the file, and which version it may replace. */
function decodePicture(field: string, limit: string, written: Json, context: DecodeContext): Json | undefined {
  if (written === null) return null;
  const path = typeof written === "string" ? [field] : [field, "image"];
  const most = context.realm?.setting(limit);
  const file = imageAt(context, path, typeof most === "number" ? most : MOST_MEBIBYTES);
  if (file === undefined) return undefined;
  const { replaces, version } = mapOf(written) ?? {};
  return { file: fileParam(file), ...defined({ replaces, version }) };
}

/** Every upload and every removal increases it by one; the address of an uploaded picture shows it (zulip-api.md §19). */
const VERSION = /^version (\d+)$/;
const UPLOADED = "uploaded";

/** null if there is only the server's default; undefined if a reading does not say. */
function livePicture(source: Json, url: Json | undefined): Json | undefined {
  if (typeof source !== "string") return undefined;
  if (source !== "U") return null;
  const version = /[?&]version=(\d{1,15})(?!\d)/.exec(String(url))?.[1];
  return version === undefined ? UPLOADED : `version ${version}`;
}

function versionOf(live: Json | undefined): number | undefined {
  const found = typeof live === "string" ? VERSION.exec(live) : null;
  return found === null ? undefined : Number(found[1]);
}

/**
 * The server's picture counts as the file's, unless the file names a version: a reading shows only whether there is a picture, and its version.
 * Without a picture, the version that an upload would get is unknown. If it got the version that the file names, the picture would be uploaded twice.
 */
export function resolvePictures(declared: DeclaredObject, live: LiveObject | undefined): DeclaredObject {
  const fields: { [field: string]: Json } = {};
  for (const field of PICTURE_FIELDS) {
    const wish = declared.creation?.[field];
    const there = live?.fields[field];
    if (wish === undefined || there === undefined) continue;
    const isWanted =
      isObject(wish) && (wish.replaces === undefined ? there === null : isToReplace(wish.replaces, there));
    fields[field] = wish === null ? null : isWanted ? (wish.file ?? null) : there;
  }
  return { ...declared, fields: { ...declared.fields, ...fields } };
}

const isToReplace = (replaces: Json | undefined, live: Json): boolean =>
  typeof replaces === "number" && replaces === versionOf(live);

/** Whether a reading shows that an upload was carried out: there is another picture than before. Who uploaded it is unknown. */
export function showsUpload({ before, after }: FieldChange, live: Json): boolean {
  if (after === null || live === null) return false;
  return (versionOf(live) ?? 0) > (versionOf(before) ?? 0) || (before === null && live === UPLOADED);
}

/** Pictures that somebody else uploaded or removed since, and versions that never existed. */
export function settledPictures({ declared, live }: Pair): readonly Diagnostic[] {
  if (declared === undefined || live === undefined) return [];
  return otherVersions(declared, live).map(({ field, fact }) =>
    warning("settings/picture-version", fact, declared.spans.of(field) ?? declared.at),
  );
}

export const outdatedPictures = (declared: DeclaredObject, live: LiveObject): readonly string[] =>
  otherVersions(declared, live).map(({ field }) => field);

interface OtherVersion {
  readonly field: string;
  readonly fact: DiagnosticFacts["settings/picture-version"];
}

function otherVersions({ creation }: DeclaredObject, { fields }: LiveObject): readonly OtherVersion[] {
  return PICTURE_FIELDS.flatMap((field): readonly OtherVersion[] => {
    const wish = creation?.[field];
    const there = fields[field];
    const is = there === null ? null : versionOf(there);
    if (!isObject(wish) || is === undefined) return [];
    const { replaces, version } = wish;
    if (typeof replaces === "number")
      // The next version is the upload of the file itself.
      return is === replaces || is === replaces + 1 ? [] : [{ field, fact: { picture: field, replaces, is } }];
    // Without a picture, the one of the file is uploaded.
    return typeof version !== "number" || is === null || is === version
      ? []
      : [{ field, fact: { picture: field, version, is } }];
  });
}

/** The path of a picture, with its version if that is known: then drift tells if somebody uploads another one. */
export function writtenPicture(path: string, live: Json | undefined): Json {
  const version = versionOf(live);
  return version === undefined ? path : { image: path, version };
}

/** Addresses of the uploaded pictures, and names for their files. */
export function shownPictures({ fields }: LiveObject, realm: Realm): readonly ShownPicture[] {
  return PICTURE_FIELDS.filter((field) => (fields[field] ?? null) !== null).map((field) => ({
    field,
    url: String(realm.setting(`${field}_url`) ?? ""),
    file: `branding/${field.replaceAll("_", "-")}`,
  }));
}

/** The risk of removing a picture: nothing keeps it. */
export function pictureRisks({ field, before, after }: FieldChange): readonly FoundRisk[] {
  if (before === null) return [];
  const kind = after === null ? "picture-removed" : "picture-replaced";
  return [{ kind: "irreversible", fact: { kind, picture: field } }];
}
