import { createHash, randomBytes } from "node:crypto";
import { defined } from "../model/defined.ts";
import type { JsonObject } from "../model/json.ts";
import { isGuest } from "./access.ts";
import { type Call, only } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { decodedPath } from "./http.ts";
import { seesMessage } from "./messages/access.ts";
import type { User } from "./rows/accounts.ts";
import type { Attachment, Message } from "./rows/messages.ts";
import { rows } from "./rows/values.ts";
import type { RealmState } from "./state.ts";

/** Uploaded files and the messages that link to them (api.md operation 20, zulip-api.md §16.17). */

const REALM_ID = 2;
const DEFAULT_MAX_MIB = 100;

/** An attachment as the level shows it: times in milliseconds below 443, whole messages below 472. */
export function attachmentObject(state: RealmState, attachment: Attachment, level: number): JsonObject {
  const time = (seconds: number) => (level >= 443 ? seconds : seconds * 1000);
  const messages = attachment.message_ids.map((id) => ({ id, date_sent: time(state.messages[id]?.timestamp ?? 0) }));
  return defined({
    id: attachment.id,
    name: attachment.name,
    path_id: attachment.path_id,
    size: attachment.size,
    create_time: time(attachment.create_time),
    messages: level < 472 ? messages : undefined,
    message_ids: level >= 472 ? [...attachment.message_ids] : undefined,
  });
}

/** Attaches the linked files to the message, if the sender may see them; other links have no effect. */
export function claimUploads(call: Call, sender: User, message: Message, paths: readonly string[]): void {
  for (const path of paths) {
    const attachment = byPath(call.state, path);
    if (attachment === undefined || !maySee(call.state, sender, attachment)) continue;
    if (attachment.message_ids.includes(message.id)) continue;
    const ids = [...attachment.message_ids, message.id].sort((a, b) => a - b);
    call.ledger.set(attachment, "message_ids", ids);
    call.ledger.set(message, "has_attachment", true);
    announce(call, "update", sender, attachmentObject(call.state, attachment, call.level));
  }
}

/** @returns the sender's files that no message links to after this edit */
export function changeUploads(
  call: Call,
  sender: User,
  message: Message,
  paths: readonly string[],
): readonly Attachment[] {
  const linked = new Set(paths);
  const had = rows(call.state.attachments).filter((attachment) => attachment.message_ids.includes(message.id));
  const removed = had.filter((attachment) => !linked.has(attachment.path_id));
  for (const attachment of removed)
    call.ledger.set(
      attachment,
      "message_ids",
      attachment.message_ids.filter((id) => id !== message.id),
    );
  const kept = new Set(had.map((attachment) => attachment.path_id));
  claimUploads(
    call,
    sender,
    message,
    paths.filter((path) => !kept.has(path)),
  );
  call.ledger.set(
    message,
    "has_attachment",
    rows(call.state.attachments).some(({ message_ids }) => message_ids.includes(message.id)),
  );
  return removed.filter((attachment) => attachment.owner_id === sender.user_id && attachment.message_ids.length === 0);
}

/** Deletes the files that only this message linked to. */
export function dropUploadsOf(call: Call, messageId: number): void {
  for (const attachment of rows(call.state.attachments)) {
    if (!attachment.message_ids.includes(messageId)) continue;
    const left = attachment.message_ids.filter((id) => id !== messageId);
    if (left.length === 0) call.ledger.remove(call.state.attachments, attachment.id);
    else call.ledger.set(attachment, "message_ids", left);
  }
}

function maySee(state: RealmState, user: User, attachment: Attachment): boolean {
  if (attachment.owner_id === user.user_id) return true;
  return attachment.message_ids.some((id) => {
    const message = state.messages[id];
    if (message === undefined) return false;
    const channel = message.channel_id === null ? undefined : state.channels[message.channel_id];
    return seesMessage(state, user, message) || (channel?.invite_only === false && !isGuest(user));
  });
}
/** @param user "anybody": the address proves that the file may be read @throws ApiError with a page */
export function readableFile(state: RealmState, user: User | "anybody" | undefined, path: string): Attachment {
  const attachment = byPath(state, path);
  if (attachment === undefined) throw page(404, "This file does not exist or has been deleted.");
  if (user !== "anybody" && (user === undefined || !maySee(state, user, attachment)))
    throw page(403, "You are not authorized to view this file.");
  return attachment;
}
const byPath = (state: RealmState, path: string): Attachment | undefined =>
  rows(state.attachments).find((attachment) => attachment.path_id === path);

const spaceUsed = (state: RealmState): number => rows(state.attachments).reduce((sum, { size }) => sum + size, 0);

function announce(call: Call, op: "add" | "update" | "remove", user: User, attachment: JsonObject): void {
  call.emit(only(user.user_id), { type: "attachment", op, attachment, upload_space_used: spaceUsed(call.state) });
}

/** The original file name, without its folders. */
const baseName = (name: string): string => name.split(/[\\/]/).pop() ?? "";
/** A file name that is safe in a path: letters, digits, `-`, `_` and `.`. */
function safeName(name: string): string {
  const safe = name
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}_\s.-]/gu, "")
    .trim()
    .replace(/[-\s]+/g, "-");
  return safe === "" || safe === "." || safe === ".." ? "uploaded-file" : safe;
}

const SELF_HOSTED = 1;
function tooLarge(state: RealmState, maxMib: number): ApiError {
  return new ApiError(
    state.realm.plan_type === SELF_HOSTED
      ? `File is larger than this server's configured maximum upload size (${maxMib} MiB).`
      : `File is larger than the maximum upload size (${maxMib} MiB) allowed by your organization's plan.`,
  );
}

const page = (status: number, message: string): ApiError =>
  new ApiError(message, { status, page: `<p>${message}</p>` });

export const attachmentEndpoints = [
  defineEndpoint("POST /user_uploads", {
    handler(call) {
      const { state, ledger, user, level } = call;
      const [file, another] = call.files;
      if (file === undefined) throw new ApiError("You must specify a file to upload");
      if (another !== undefined) throw new ApiError("You may only upload one file at a time");
      const limit = state.server.max_file_upload_size_mib;
      const maxMib = typeof limit === "number" ? limit : DEFAULT_MAX_MIB;
      if (file.bytes.length > maxMib * 1024 * 1024) throw tooLarge(state, maxMib);
      const folder = `${randomBytes(1).toString("hex")}/${randomBytes(18).toString("base64url")}`;
      const id = ledger.nextId("attachment");
      const name = baseName(file.name);
      const attachment: Attachment = {
        id,
        owner_id: user.user_id,
        name,
        path_id: `${REALM_ID}/${folder}/${safeName(name)}`,
        size: file.bytes.length,
        create_time: call.now,
        message_ids: [],
        data: Buffer.from(file.bytes).toString("base64"),
        content_type: file.contentType,
      };
      ledger.put(state.attachments, id, attachment);
      announce(call, "add", user, attachmentObject(state, attachment, level));
      const url = `/user_uploads/${attachment.path_id}`;
      return defined({ uri: url, url, filename: level >= 285 ? name : undefined });
    },
  }),
  defineEndpoint("GET /user_uploads/{realm_id:str}/{filename:path}", {
    allowsKeyInAddress: true,
    handler({ state, user, now, server }, { realm_id, filename }) {
      const attachment = readableFile(state, user, `${realm_id}/${filename}`);
      // Anybody can use the URL for one minute.
      return { url: temporaryUrl(attachment.path_id, now, server.keyOf(0)) };
    },
  }),
  defineEndpoint("GET /attachments", {
    handler: ({ state, user, level }) => ({
      attachments: rows(state.attachments)
        .filter((attachment) => attachment.owner_id === user.user_id)
        .map((attachment) => attachmentObject(state, attachment, level)),
      upload_space_used: spaceUsed(state),
    }),
  }),
  defineEndpoint("DELETE /attachments/{attachment_id}", {
    handler(call, { attachment_id }) {
      const { state, user } = call;
      if (state.attachments[attachment_id]?.owner_id !== user.user_id) throw new ApiError("Invalid attachment");
      call.ledger.remove(state.attachments, attachment_id);
      announce(call, "remove", user, { id: attachment_id });
    },
  }),
];

/**
 * Uploaded files, below /user_uploads/: for accounts that may see them, and for everybody who has a temporary address of one. Such an address holds its
 * own last second and a proof that this server wrote it, so nothing has to be remembered.
 */

const ROOT = "/user_uploads/";
const TEMPORARY = "temporary/";
const VALID_SECONDS = 60;

function temporaryUrl(path: string, now: number, secret: string): string {
  const until = now + VALID_SECONDS;
  const token = Buffer.from(`${until} ${proof(path, until, secret)} ${path}`)
    .toString("hex")
    .toUpperCase();
  return `${ROOT}${TEMPORARY}${token}/${path.split("/").at(-1)}`;
}
const proof = (path: string, until: number, secret: string): string =>
  createHash("sha256").update(`${secret} ${until} ${path}`).digest("hex");

/** The file that a request asks for, and whether its address already proves that it may be read. */
interface Wanted {
  readonly path: string;
  readonly isProven: boolean;
}
/** @returns undefined if the request asks for no uploaded file */
export function wantedFile(request: Request, now: number, secret: string): Wanted | undefined {
  const { pathname } = new URL(request.url);
  if (!["GET", "HEAD"].includes(request.method) || !pathname.startsWith(ROOT)) return undefined;
  const path = decodedPath(pathname.slice(ROOT.length));
  if (!path.startsWith(TEMPORARY)) return { path, isProven: false };
  const token = Buffer.from(path.split("/")[1] ?? "", "hex").toString();
  const [, until = "0", mac, file = ""] = /^(\d+) (\w+) (.*)$/s.exec(token) ?? [];
  const isProven = mac === proof(file, Number(until), secret) && now <= Number(until);
  return { path: isProven ? file : "", isProven };
}
/** Types that a browser shows; it saves all others. */
const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/|text\/plain|application\/pdf)/;
export function fileResponse({ data, content_type, name }: Attachment): Response {
  const how = SHOWN.test(content_type) ? "inline" : "attachment";
  return new Response(Buffer.from(data, "base64"), {
    headers: {
      "content-type": content_type === "" ? "application/octet-stream" : content_type,
      "content-disposition": `${how}; filename*=UTF-8''${encodeURIComponent(name)}`,
      "content-security-policy":
        "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; object-src 'self'; plugin-types application/pdf",
    },
  });
}
