import { createHash } from "node:crypto";
import { resolve, sep } from "node:path";
import { readRegular } from "../disk/read.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, failure } from "../model/diagnostic.ts";
import { isList, isObject, type Json, sameJson } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { Snapshot, type SnapshotUser } from "../model/snapshot.ts";
import { unreadable } from "../model/unreadable.ts";
import { type StoredSnapshot, stalePlan } from "../report/action/pages.ts";
import { isWordOfFormat, mapStrings, redactionBy } from "../report/redact.ts";
import { hasDomain, replaceAddresses } from "../source/known-texts.ts";
import { readSnapshotFile, snapshotText } from "../zulip/snapshot.ts";
import type { Artifact } from "./github.ts";
import type { Job } from "./job.ts";
import { unzipFile } from "./zip.ts";
import { valueOrFailure, withZulip } from "./zulip.ts";

/** The maximum unpacked size, five times that of a realm of 10,000 channels and 50,000 people. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The source of the realm's live state. */
export interface RealmSource {
  readonly reader: ZulipReader;
  /** Facts about a stored snapshot; undefined if the server itself is read. */
  readonly stored?: StoredSnapshot;
}

/**
 * Runs work on the realm that the inputs name: a snapshot of the default branch's job, a file, or the server.
 * @throws Failure if there is no such snapshot
 */
export async function withRealm<T>(job: Job, work: (source: RealmSource) => Promise<T>): Promise<T> {
  const { snapshot } = job.inputs;
  if (snapshot === undefined) return withZulip(job, ({ reader }) => work({ reader }));
  const text = snapshot === "artifact" ? await trustedArtifact(job) : await ownFile(job, snapshot);
  const { read, digest } = readSnapshotArtifact(text, snapshot === "artifact" ? SNAPSHOT_FILE : snapshot);
  const value = valueOrFailure(read);
  const ageHours = (job.clock.now() - Date.parse(value.taken_at)) / 3_600_000;
  return work({
    reader: job.conceal.reader({ snapshot: async (): Promise<Snapshot> => value }),
    stored: { digest, takenAt: value.taken_at, ageHours, hidden: hasHidden(value) },
  });
}

/** The newest artifact of a run on this repository's default branch. Others do not count: every pull request can upload an artifact of any name. */
async function trustedArtifact(job: Job): Promise<string> {
  const { defaultBranch } = job.event;
  const name = job.inputs.snapshotArtifact;
  const github = job.github();
  const found = await github.artifacts(name);
  const trusted = await newestTrusted(job, found);
  if (trusted === undefined)
    throw failure("snapshot/no-artifact", {
      artifact: name,
      are_others: found.length > 0,
      ...defined({ branch: defaultBranch }),
    });
  if (trusted.sizeBytes > MOST_BYTES)
    throw failure("snapshot/too-large", { artifact: name, most_mebibytes: MOST_BYTES / 2 ** 20 });
  return unzipFile(await github.downloadArtifact(trusted.id), SNAPSHOT_FILE, MOST_BYTES);
}

/** A file that an earlier step wrote; a file in the checkout could be a pull request's link to anything. */
async function ownFile({ workspace }: Job, file: string): Promise<string> {
  const path = resolve(workspace, file);
  try {
    return await readRegular(path, {
      mostBytes: MOST_BYTES,
      ...defined({ below: path.startsWith(workspace + sep) ? workspace : undefined }),
    });
  } catch (error) {
    throw failure("snapshot/cannot-read", { file, why: unreadable(error) });
  }
}

/** What a reviewer has to know first: an old snapshot may differ from the organization of today. */
export function staleNote(stored: RealmSource["stored"], mostHours: number): string | undefined {
  return stored === undefined || stored.ageHours <= mostHours ? undefined : stalePlan(mostHours);
}

/** The maximum number of artifacts that are checked; each costs a request. */
const MOST_TRIED = 20;

/**
 * The newest artifact of that name that a run on this repository's default branch uploaded. Every pull request can upload an artifact of any name,
 * and people who cannot push to the default branch may still push a tag with its name. So the run's repository is compared by its number, and its
 * commit must be in the history of that branch.
 */
export async function newestTrusted(
  { event, github }: Pick<Job, "event" | "github">,
  found: readonly Artifact[],
): Promise<Artifact | undefined> {
  const { repositoryId, defaultBranch } = event;
  if (repositoryId === undefined || defaultBranch === undefined) return undefined;
  const likely = found.filter(
    ({ headBranch, headRepositoryId }) => headRepositoryId === repositoryId && headBranch === defaultBranch,
  );
  const checked = new Map<string, boolean>();
  for (const artifact of likely.slice(0, MOST_TRIED)) {
    const known = checked.get(artifact.headSha) ?? (await github().contains(defaultBranch, artifact.headSha));
    checked.set(artifact.headSha, known);
    if (known) return artifact;
  }
  return undefined;
}

/** A host that does not exist (RFC 2606), for the addresses of people whom the file does not name. */
const HIDDEN_HOST = "hidden.invalid";

/**
 * A snapshot that may be stored where many people can read it: it has no names and addresses that the file does not already contain. People keep
 * their ids, roles and groups, so that plans count them; private channels that the file does not name keep their id. Pending invitations sent by
 * others are left out.
 */
export function hiddenSnapshot(
  snapshot: Snapshot,
  desired: Desired | undefined,
  kinds: readonly ResourceKind[],
): Snapshot {
  const known = wordsOf(desired);
  const isKnown: IsKnown = (text) => text !== null && known.has(text.toLowerCase());
  const { names, ids, visible } = hiddenNames(snapshot, kinds, isKnown);
  const people = snapshot.users.map(({ full_name }) => full_name);
  const redaction = redactionBy({ names, ids, addresses: new Map(), people, visible }, kinds);
  const withoutAddresses = addressFilter(snapshot, isKnown);
  // A text that the file also has is not secret. A text that mentions somebody is left out as a whole.
  const text = (value: string): string => (isKnown(value) ? value : withoutAddresses(redaction.value(value)));
  const settings: { [key: string]: Json } = {};
  // Keys are the server's words, even if a channel has the same name.
  for (const [key, value] of Object.entries(snapshot.settings)) settings[key] = textsMapped(value, text);
  // Kinds that store their objects in the same slice hide them one after the other.
  let slices: Partial<Snapshot> = { settings: Snapshot.shape.settings.parse(settings) };
  for (const { name: kind, secrecy } of kinds)
    slices = {
      ...slices,
      ...secrecy.snapshot(
        { ...snapshot, ...slices },
        { isKnown, text, hiddenName: (name) => names.get(kind)?.get(name) },
      ),
    };
  const { format, version, taken_at, server, realm, permission_settings } = snapshot;
  return {
    format,
    version,
    taken_at,
    server,
    realm,
    permission_settings,
    settings: {},
    account: {
      ...snapshot.account,
      email: text(snapshot.account.email),
      full_name: `Account ${snapshot.account.user_id}`,
    },
    users: snapshot.users.map((user) => hiddenUser(user, isKnown)),
    // The snapshot has only the parts that kinds return. So it has no bots and facts of the server, and no time zones, join dates and pictures of
    // people.
    ...NOTHING,
    ...slices,
  };
}

type IsKnown = (text: string | null) => boolean;

/** The names that the file does not have and others must not see, with their replacements by kind and by id; and the names that may be shown. */
function hiddenNames(snapshot: Snapshot, kinds: readonly ResourceKind[], isKnown: IsKnown) {
  const named = kinds
    .filter(({ secrecy }) => secrecy.name === "own")
    .map((kind) => ({ kind, all: kind.secrecy.namesIn?.(snapshot) ?? [] }));
  const hidden = named.map(({ kind, all }) => ({
    kind,
    own: all.filter(({ name, isHidden }) => isHidden && !isKnown(name)),
    shown: (id: number | undefined): string => `private-${kind.noun[0].replaceAll(" ", "-")}-${id}`,
  }));
  const names = new Map(
    hidden.map(({ kind, own, shown }) => [kind.name, new Map(own.map(({ name, id }) => [name, shown(id)]))]),
  );
  const ids = new Map(
    hidden.flatMap(({ own, shown }) => own.flatMap(({ id }) => (id === undefined ? [] : [[id, shown(id)] as const]))),
  );
  const visible = named.flatMap(({ kind, all }) =>
    all.flatMap(({ name }) => (names.get(kind.name)?.has(name) === true ? [] : [name])),
  );
  return { names, ids, visible };
}

/** @returns what replaces addresses in a text: those of people by their ids, except those that the file has */
function addressFilter(snapshot: Snapshot, isKnown: IsKnown): (text: string) => string {
  const addresses = new Map<string, string>();
  for (const user of snapshot.users)
    for (const address of [user.delivery_email, user.email])
      if (address !== null && !isKnown(address)) addresses.set(address.toLowerCase(), hiddenAddress(user.user_id));
  const shown = (address: string): string =>
    isKnown(address) || address.endsWith(`@${HIDDEN_HOST}`)
      ? address
      : (addresses.get(address.toLowerCase()) ?? `somebody@${HIDDEN_HOST}`);
  return (text) => replaceAddresses(text, shown, { isHost: hasDomain });
}

/** Values of a setting with other texts. Some are JSON in a text (`field_data` of profile fields): it stays JSON. */
function textsMapped(value: Json, text: (value: string) => string): Json {
  const one = (found: string): string => {
    const inner = found.startsWith("{") ? parsedJson(found) : undefined;
    if (inner === undefined) return text(found);
    const shown = keysMapped(textsMapped(inner, text), text);
    return sameJson(shown, inner) ? found : JSON.stringify(shown);
  };
  return mapStrings(value, one, () => true);
}

/** With other keys, except words of the API: somebody chose the keys of the options of a profile field. */
function keysMapped(value: Json, text: (value: string) => string): Json {
  if (!isObject(value) || isList(value)) return value;
  const shown = new Map<string, Json>();
  for (const [key, inner] of Object.entries(value)) {
    const name = isWordOfFormat(key) ? key : text(key);
    // Two keys that look the same when hidden are still two options.
    let own = name;
    for (let number = 2; shown.has(own); number += 1) own = `${name} (${number})`;
    shown.set(own, inner);
  }
  return Object.fromEntries(shown);
}

function parsedJson(text: string): Json | undefined {
  try {
    const json: Json = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

function hiddenUser(user: SnapshotUser, isKnown: IsKnown): SnapshotUser {
  const { user_id, role, is_bot, bot_type, bot_owner_id, is_active } = user;
  // The file knows a bot by the part of its address before the @.
  const local = is_bot ? user.email.slice(0, user.email.lastIndexOf("@")) : null;
  const hidden = isKnown(local) ? `${local}@${HIDDEN_HOST}` : hiddenAddress(user_id);
  const shown = (address: string): string => (isKnown(address) ? address : hidden);
  const delivery_email = user.delivery_email === null ? null : shown(user.delivery_email);
  const rights = { role, is_bot, bot_type, bot_owner_id, is_active };
  // If the file also has the bot's name, it is neither a secret nor a difference.
  const full_name = is_bot && isKnown(user.full_name) ? user.full_name : `Person ${user_id}`;
  return { user_id, email: shown(user.email), delivery_email, full_name, ...rights };
}

const NOTHING = {
  user_groups: [],
  channels: [],
  default_channels: null,
  channel_folders: null,
  linkifiers: null,
  domains: null,
  navigation_views: null,
  subscribers: null,
  invites: null,
} satisfies Partial<Snapshot>;

const hiddenAddress = (id: number): string => `user${id}@${HIDDEN_HOST}`;

/** Whether names are hidden in this snapshot. */
function hasHidden(snapshot: Snapshot): boolean {
  return snapshot.users.some(({ email }) => email.endsWith(`@${HIDDEN_HOST}`));
}

/** Every text in the file, which is not a secret to readers of the repository. */
function wordsOf(desired: Desired | undefined): ReadonlySet<string> {
  const words = new Set<string>();
  const add = (value: Json): void => {
    if (typeof value === "string") words.add(value.toLowerCase());
    else if (isList(value)) value.forEach(add);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) {
        words.add(key.toLowerCase());
        add(item);
      }
  };
  for (const objects of desired?.sections.values() ?? [])
    for (const { key, name, was, fields, creation } of objects) {
      add([key, name, was ?? name]);
      add(fields);
      add(creation ?? {});
    }
  return words;
}

/** SHA-256 of the snapshot's text: the comment names it, and the text of a damaged file does not match it. */
const snapshotDigest = (text: string): string => createHash("sha256").update(text).digest("hex");

export const SNAPSHOT_FILE = "realm-snapshot.json";

/** The artifact's one file: a line with the digest, then the snapshot's text. */
export function snapshotArtifactText(snapshot: Snapshot): { readonly text: string; readonly digest: string } {
  const body = snapshotText(snapshot);
  const digest = snapshotDigest(body);
  return { text: `realmctl-snapshot sha256:${digest}\n${body}`, digest };
}

/**
 * Reads what a snapshot job wrote, or a plain snapshot file.
 * @throws Failure if the digest does not match
 */
function readSnapshotArtifact(text: string, file: string): { read: Checked<Snapshot>; digest: string } {
  const head = /^realmctl-snapshot sha256:([0-9a-f]{64})\n/.exec(text);
  const body = head === null ? text : text.slice(head[0].length);
  const digest = snapshotDigest(body);
  if (head !== null && head[1] !== digest) throw failure("snapshot/digest", { file });
  return { read: readSnapshotFile(body, file), digest };
}
