import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { JsonObject } from "../model/json.ts";
import { checkPlan } from "./access.ts";
import { type Call, everybody, type UploadedFile } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError, redirect } from "./errors.ts";
import { bool, json, required } from "./params.ts";
import type { RealmImage } from "./rows/organization.ts";
import type { RealmState } from "./state.ts";

/** The rules for uploaded pictures (zulip-api.md §12.4, §19). */
interface Picture {
  /** The extension of the file that the server writes, by the type that the upload states. */
  readonly extension: string;
  readonly isAnimated: boolean;
}

const MIB = 1024 * 1024;
const MAX_FILE_MIB = 5;
const MAX_PIXELS = 90_000_000;
/** Types of uploads that are accepted as pictures. */
const EXTENSIONS: { readonly [type: string]: string | undefined } = {
  "image/avif": "avif",
  "image/gif": "gif",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
};

/** @throws ApiError unless the request has one file */
export function onlyFile({ files: [file, another] }: Call, what: string): UploadedFile {
  if (file === undefined || another !== undefined) throw new ApiError(`You must upload exactly one ${what}.`);
  return file;
}
/** The file of a request that need not have one. @throws ApiError if there are several */
export function fileOrNone({ files: [file, another] }: Call): UploadedFile | undefined {
  if (another !== undefined) throw new ApiError("You may only upload one file at a time");
  return file;
}
/** @throws ApiError if the file is larger than the server allows for such pictures */
export function checkFileSize({ state }: Call, file: UploadedFile, kind: "avatar" | "emoji" | "icon" | "logo"): void {
  const limit = state.server[`max_${kind}_file_size_mib`];
  const maxMib = typeof limit === "number" ? limit : MAX_FILE_MIB;
  if (file.bytes.length > maxMib * MIB)
    throw new ApiError(`Uploaded file is larger than the allowed limit of ${maxMib} MiB`);
}

/** Checks first the stated type, then the bytes, which may be of another type. @throws ApiError BAD_IMAGE */
export function pictureOf(file: UploadedFile): Picture {
  const type = (file.contentType.split(";")[0] ?? "").trim().toLowerCase();
  const extension = Object.hasOwn(EXTENSIONS, type) ? EXTENSIONS[type] : undefined;
  if (extension === undefined) throw badImage("Invalid image format");
  const size = sizeOf(Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength));
  if (size === undefined || size.width < 1 || size.height < 1)
    throw badImage("Could not decode image; did you upload an image file?");
  if (size.width * size.height * size.pages > MAX_PIXELS) throw badImage("Image size exceeds limit.");
  return { extension, isAnimated: size.pages > 1 };
}
const badImage = (message: string): ApiError => new ApiError(message, { code: "BAD_IMAGE" });

interface Size {
  readonly width: number;
  readonly height: number;
  readonly pages: number;
}
/** Reads only headers: a picture with a complete header can be shown, at least in part. */
function sizeOf(bytes: Buffer): Size | undefined {
  return sizeOfPng(bytes) ?? sizeOfGif(bytes) ?? sizeOfJpeg(bytes) ?? sizeOfWebp(bytes) ?? sizeOfHeif(bytes);
}
const starts = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString("latin1", at, at + text.length) === text;

const PNG_HEADER_LENGTH = 33;
function sizeOfPng(bytes: Buffer): Size | undefined {
  if (!starts(bytes, "\x89PNG\r\n\x1a\n") || bytes.length < PNG_HEADER_LENGTH || !starts(bytes, "IHDR", 12))
    return undefined;
  if (crc32(bytes.subarray(12, 29)) !== bytes.readUInt32BE(29)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), pages: 1 };
}

const IMAGE = 0x2c;
const EXTENSION = 0x21;
function sizeOfGif(bytes: Buffer): Size | undefined {
  if ((!starts(bytes, "GIF87a") && !starts(bytes, "GIF89a")) || bytes.length < 13) return undefined;
  let at = 13 + colorsLength(bytes[10]);
  let pages = 0;
  for (;;) {
    const kind = bytes[at];
    if (kind === IMAGE && at + 10 <= bytes.length) {
      pages += 1;
      at = afterBlocks(bytes, at + 11 + colorsLength(bytes[at + 9]));
    } else if (kind === EXTENSION) at = afterBlocks(bytes, at + 2);
    else break;
  }
  return pages === 0 ? undefined : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), pages };
}
const colorsLength = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
function afterBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

/** The first frame header holds the size; the markers C4, C8 and CC are not frame headers. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  if (!starts(bytes, "\xff\xd8\xff")) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5), pages: 1 };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (!starts(bytes, "RIFF") || !starts(bytes, "WEBP", 8) || bytes.length < 30) return undefined;
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  if (starts(bytes, "VP8 ", 12))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff, pages: 1 };
  if (starts(bytes, "VP8L", 12)) {
    const packed = bytes.readUInt32LE(21);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1, pages: 1 };
  }
  if (!starts(bytes, "VP8X", 12)) return undefined;
  let pages = 0;
  for (let at = 12; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) & 1))
    if (starts(bytes, "ANMF", at)) pages += 1;
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1, pages: Math.max(1, pages) };
}

/** AVIF and HEIC: the `ispe` property holds the size. */
function sizeOfHeif(bytes: Buffer): Size | undefined {
  const at = starts(bytes, "ftyp", 4) ? bytes.indexOf("ispe") : -1;
  if (at === -1 || at + 16 > bytes.length) return undefined;
  return { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12), pages: 1 };
}

/** The URLs of default pictures, which nobody chose. */
export const GRAVATAR = "https://secure.gravatar.com/avatar/";

/** The picture that is derived from an e-mail address. */
export function gravatarOf(address: string, version: number): string {
  const hash = createHash("md5").update(address.toLowerCase()).digest("hex");
  return `${GRAVATAR}${hash}?d=identicon&version=${version}`;
}

/** The organization's icon, and its logos for the light and the dark theme (zulip-api.md §19). */

const logo = { night: required(json(bool)) };
const which = (night: boolean): RealmImage => (night ? "night_logo" : "logo");

export const realmImageEndpoints = [
  defineEndpoint("POST /realm/icon", {
    who: ["administrator"],
    handler(call) {
      upload(call, "icon", onlyFile(call, "icon"));
      return { icon_url: call.state.realm.icon_url ?? null };
    },
  }),
  defineEndpoint("DELETE /realm/icon", {
    who: ["administrator"],
    handler(call) {
      change(call, "icon", false);
      return { icon_url: call.state.realm.icon_url ?? null };
    },
  }),
  defineEndpoint("GET /realm/icon", {
    handler(call) {
      throw redirect(String(call.state.realm.icon_url));
    },
  }),
  defineEndpoint("POST /realm/logo", {
    who: ["administrator"],
    params: logo,
    handler(call, { night }) {
      checkPlan(call.state);
      upload(call, which(night), onlyFile(call, "logo"));
    },
  }),
  defineEndpoint("DELETE /realm/logo", {
    who: ["administrator"],
    params: logo,
    handler(call, { night }) {
      change(call, which(night), false);
    },
  }),
  defineEndpoint("GET /realm/logo", {
    params: logo,
    handler(call, { night }) {
      throw redirect(String(call.state.realm[`${which(night)}_url`]));
    },
  }),
];

function upload(call: Call, image: RealmImage, file: UploadedFile): void {
  checkFileSize(call, file, image === "icon" ? "icon" : "logo");
  pictureOf(file);
  change(call, image, true);
}

/** Every upload and every removal creates a new version, and everybody is notified. */
function change(call: Call, image: RealmImage, isUploaded: boolean): void {
  const { state, ledger } = call;
  const version = (state.image_versions?.[image] ?? versionIn(state.realm[`${image}_url`])) + 1;
  ledger.set(state, "image_versions", { ...state.image_versions, [image]: version });
  const source = isUploaded ? "U" : image === "icon" ? "G" : "D";
  const url = isUploaded ? `/user_avatars/2/realm/${image}.png?version=${version}` : defaultUrl(call, image);
  const data: JsonObject = { [`${image}_source`]: source, [`${image}_url`]: url };
  for (const [key, value] of Object.entries(data)) ledger.set(state.realm, key, value);
  call.emit(everybody, { type: "realm", op: "update_dict", property: image, data });
}
/** The URLs of uploads contain the version; the first upload is version 2. */
const versionIn = (url: unknown): number => Number(/[?&]version=(\d+)/.exec(String(url))?.[1] ?? 0) || 1;

function defaultUrl({ state, server }: Call, image: RealmImage): string {
  if (image === "icon") return `https://secure.gravatar.com/avatar/${hashOf(state)}?d=identicon`;
  return `${server.url}/static/images/logo/zulip-org-logo.svg?version=0`;
}
/** A hash that identifies the organization; the text that the server hashes is not visible. */
const hashOf = ({ realm }: RealmState): string =>
  createHash("sha256")
    .update(String(realm.string_id ?? realm.name))
    .digest("hex")
    .slice(0, 32);
