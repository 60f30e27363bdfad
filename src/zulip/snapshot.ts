import type * as z from "zod";
import type { SnapshotRequest } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, error, failure, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { WireCall } from "../model/journal.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { jsonErrorAt, whyNotJson } from "../model/not-json.ts";
import { SNAPSHOT_VERSION, Snapshot } from "../model/snapshot.ts";
import type { Clock } from "./clock.ts";
import type { Connection } from "./connection.ts";
import { bodyOrFail, guestAccount, OLDEST_LEVEL, tooOld, unexpected } from "./failures.ts";
import { decodeSnapshot, formCauseOf } from "./snapshot-decoding.ts";

/**
 * State that is fetched → the name of its events: they differ for groups, views and folders (zulip-api.md §2.2). Never `realm_bot`: its answer has
 * every bot's API key.
 */
const STATE: { readonly [fetchType: string]: string } = {
  realm: "realm",
  realm_user: "realm_user",
  realm_user_groups: "user_group",
  stream: "stream",
  default_streams: "default_streams",
  realm_linkifiers: "realm_linkifiers",
  realm_domains: "realm_domains",
  realm_emoji: "realm_emoji",
  realm_playgrounds: "realm_playgrounds",
  custom_profile_fields: "custom_profile_fields",
  realm_user_settings_defaults: "realm_user_settings_defaults",
  navigation_views: "navigation_view",
  channel_folders: "channel_folder",
};

/** Capabilities: without them the answer lacks archived channels, deactivated groups and linkifiers (zulip-api.md §2.4). */
const CAPABILITIES = {
  notification_settings_null: true,
  linkifier_url_template: true,
  include_deactivated_groups: true,
  archived_channels: true,
  user_list_incomplete: true,
  empty_topic_name: true,
};

/**
 * The request whose answer has the whole realm. The queue that it opens receives the events of everything that is fetched. Changes during the request
 * are then included in the answer, so that its parts are consistent (zulip-api.md §2.5).
 */
export function registerCall(request: SnapshotRequest): WireCall {
  const subscribers = request.subscribers ? ["subscription"] : [];
  return {
    operation: "register-queue",
    path: {},
    params: {
      fetch_event_types: [...Object.keys(STATE), ...subscribers],
      event_types: [...Object.values(STATE), ...subscribers],
      client_capabilities: CAPABILITIES,
      client_gravatar: true,
      ...defined({ include_subscribers: request.subscribers ? "true" : undefined }),
    },
  };
}

/** An event queue for every change that a snapshot would show, including invitations and subscribers, without the state itself. */
export function watchCall(): WireCall {
  return {
    operation: "register-queue",
    path: {},
    params: {
      fetch_event_types: [],
      event_types: [...Object.values(STATE), "subscription", "invites_changed"],
      client_capabilities: CAPABILITIES,
      client_gravatar: true,
    },
  };
}

/**
 * Reads the whole realm: one POST /register, the deletion of its queue, and GET /invites if asked for. The deletion has its answer when {@link
 * Connection.settled} ends, so the caller need not wait for it.
 * @throws Failure if the server cannot be reached, refuses, is too old, or answers with something else
 */
export async function readSnapshot(
  connection: Connection,
  request: SnapshotRequest,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Snapshot> {
  const body = bodyOrFail(await connection.exchange(registerCall(request), signal), connection);
  // Before the answer is examined: the queue exists even if the answer is of no use.
  await closeQueue(connection, body.queue_id);
  checkServer(body, connection);
  // Before the second request: the server refuses bots and guests there, with a less helpful message.
  const invites = request.invites ? await readInvites(connection, body, signal) : undefined;
  const takenAt = new Date(clock.now()).toISOString();
  return decodeSnapshot({ body, invites, subscribers: request.subscribers, site: connection.site, takenAt });
}

function checkServer(body: JsonObject, connection: Connection): void {
  const { zulip_version: version, zulip_feature_level: level = 0 } = body;
  if (typeof version !== "string" || typeof level !== "number")
    throw unexpected(connection.site, [{ part: "zulip_version", cause: { is: "missing" } }]);
  if (level < OLDEST_LEVEL) throw tooOld(level, version, connection.site);
  if (body.is_guest === true) throw guestAccount(connection.email, connection.site);
}

async function readInvites(
  connection: Connection,
  body: JsonObject,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  const { user_id, realm_users } = body;
  if (isBot(realm_users, user_id))
    throw failure("zulip/bots-see-no-invites", { email: quote(connection.email) }, EXIT.notAllowed);
  return bodyOrFail(await connection.exchange({ operation: "get-invites", path: {}, params: {} }, signal), connection);
}

function isBot(users: unknown, id: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(users) ? users : [];
  return list.some(
    (user) =>
      typeof user === "object" &&
      user !== null &&
      "user_id" in user &&
      user.user_id === id &&
      "is_bot" in user &&
      user.is_bot === true,
  );
}

/** An unread queue costs the server memory for ten minutes; if it cannot be deleted, it ends after that time. */
async function closeQueue(connection: Connection, queueId: unknown): Promise<void> {
  if (typeof queueId !== "string") return;
  await connection.sendAlongside({ operation: "delete-queue", path: {}, params: { queue_id: queueId } });
}

/** The file's text: one line for each object, so that two snapshots compare line by line. Equal snapshots have equal texts. */
export function snapshotText(snapshot: Snapshot): string {
  const sections = Object.entries(snapshot).map(([name, value]) => `  ${JSON.stringify(name)}: ${block(value)}`);
  return `{\n${sections.join(",\n")}\n}\n`;
}

function block(value: unknown): string {
  if (Array.isArray(value) && value.length > 0)
    return `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`;
  if (isObject(value) && Object.keys(value).length > 0)
    return `{\n${Object.entries(value)
      .map(([key, item]) => `    ${JSON.stringify(key)}: ${JSON.stringify(item)}`)
      .join(",\n")}\n  }`;
  return JSON.stringify(value);
}

/** @param file its name in messages */
export function readSnapshotFile(text: string, file: string): Checked<Snapshot> {
  const bare = text.replace(/^\uFEFF/, "");
  let value: Json;
  try {
    value = JSON.parse(bare);
  } catch {
    // The system's own message quotes the file, which may be any file.
    return refused(error("snapshot/syntax", { reason: whyNotJson(bare) }, spanAt(bare, jsonErrorAt(bare), file)));
  }
  const start = spanAt(bare, 0, file);
  if (!isObject(value) || value.format !== "realmctl.snapshot") return refused(error("snapshot/format", {}, start));
  if (value.version !== SNAPSHOT_VERSION) {
    const is_newer = typeof value.version === "number" && value.version > SNAPSHOT_VERSION;
    const found = quote(JSON.stringify(value.version ?? null));
    return refused(error("snapshot/version", { found, reads: SNAPSHOT_VERSION, is_newer }, start));
  }
  const parsed = Snapshot.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data, warnings: [] };
  return { ok: false, diagnostics: parsed.error.issues.map((issue) => describe(issue, start)) };
}

function describe(issue: z.core.$ZodIssue, at: Span): Diagnostic {
  const path = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  const part = defined({ part: path.replace(/^\./, "") || undefined });
  return error("snapshot/field", { ...part, cause: formCauseOf(issue) }, at);
}

const refused = (diagnostic: Diagnostic): Checked<Snapshot> => ({ ok: false, diagnostics: [diagnostic] });

function spanAt(text: string, offset: number, file: string): Span {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - (before.lastIndexOf("\n") + 1) + 1;
  return { file, line, column, endLine: line, endColumn: column + 1 };
}
