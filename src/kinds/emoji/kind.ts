import * as z from "zod";
import { maySometime } from "../../access/of-plan.ts";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { type Diagnostic, error, finding, type Path, warning } from "../../model/diagnostic.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { isBuiltIn } from "../../model/emoji-names.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf } from "../../model/facts.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import type { FinalFact } from "../../model/kind-facts.ts";
import { indexed, once } from "../../model/lazy.ts";
import type { DeclaredObject, LiveObject } from "../../model/objects.ts";
import { type Change, fieldIn, objectChanges } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { fileParam, isDeviceName } from "../../model/repository-file.ts";
import type { ShownPicture } from "../../model/shown-picture.ts";
import { imageAt } from "../checks.ts";
import { strip } from "../names.ts";
import { flag, optional } from "../optional.ts";
import { keysBeyond, liveObject, rowsIn } from "../readings.ts";
import { allUnchanged, leastRemovedAndAdded, removedAndAdded } from "../requests.ts";

const path = once(() =>
  z.string().describe("A PNG, JPEG, GIF or WebP file of at most 5 MiB, relative to the file that names it."),
);

/** One custom emoji as the file writes it: the path of its picture, or a map. */
const emojiForm = once(() =>
  z.union([
    path(),
    z.strictObject({
      image: path().optional(),
      replaces: optional(
        z.int().positive(),
        "The id of the emoji whose picture `image` replaces. As long as the emoji has that id, it is removed and added again. realmctl cannot compare pictures with those of the server.",
      ),
      overrides_builtin: optional(
        z.literal(true),
        "`true` confirms that the name is that of a built-in emoji. Nobody sees the built-in emoji while this one exists.",
      ),
      absent: flag("`true` removes the emoji under any policy. Messages with the emoji keep it."),
    }),
  ]),
);
type Emoji = z.infer<ReturnType<typeof emojiForm>>;

/** What a server takes unless its administrators chose otherwise; it does not say what they chose. */
const MOST_MEBIBYTES = 5;

/** Where an item names the file of its picture. */
function emojiFiles(raw: unknown): readonly Path[] {
  if (typeof raw === "string") return [[]];
  return isObject(raw) && typeof raw.image === "string" && raw.absent !== true ? [["image"]] : [];
}

/** @param name as the server stores it */
function decodeEmoji(item: Emoji, name: string, context: DecodeContext): Decoded {
  const { image, replaces, overrides_builtin, absent = false } = typeof item === "string" ? { image: item } : item;
  if (absent) return { absent, fields: {} };
  checkName(name, context);
  if (isBuiltIn(name) && overrides_builtin !== true)
    context.report([], finding("emoji/overrides", { name: quote(name, "emoji") }));
  if (replaces !== undefined && image === undefined)
    context.report(["replaces"], finding("emoji/replaces", { cause: "without-image" }));
  const path = typeof item === "string" ? [] : ["image"];
  const file = image === undefined ? undefined : imageAt(context, path, MOST_MEBIBYTES);
  const creation: { [field: string]: Json } = {};
  if (file !== undefined) creation.image = fileParam(file);
  if (replaces !== undefined) creation.replaces = replaces;
  return { absent, fields: {}, creation, paths: { image: path } };
}

function checkName(name: string, context: DecodeContext): void {
  const said = quote(name, "emoji");
  if (name === "") context.report([], finding("emoji/name", { cause: "empty", name: said }));
  else if (!/^[0-9a-z_-]+$/.test(name)) context.report([], finding("emoji/name", { cause: "characters", name: said }));
  else if (/[_-]$/.test(name)) context.report([], finding("emoji/name", { cause: "end", name: said }));
}

/** The picture is a field only of an emoji that must be replaced: nobody can tell which picture an existing emoji has. */
function withReplacement(declared: DeclaredObject, live: LiveObject | undefined): DeclaredObject {
  const { image, replaces } = declared.creation ?? {};
  if (live === undefined || replaces === undefined || image === undefined || live.fields.emoji_id !== replaces)
    return declared;
  return { ...declared, fields: { ...declared.fields, image } };
}

/** The name as the server stores it. */
const emojiName = (name: string): string => strip(name).replaceAll(" ", "_");

/** Active ones; the server also keeps removed emoji, for messages that use them. */
function rowsInUse(realm: Realm): readonly JsonObject[] | undefined {
  return rowsIn(realm.setting("emoji"), ["id", "name"])?.filter(({ deactivated }) => deactivated !== true);
}

/**
 * Active custom emoji. Their ids change with every new picture, so the name is the identity, and the id is a field: it is the only sign of another
 * picture.
 */
function liveEmoji(realm: Realm): readonly LiveObject[] | undefined {
  return rowsInUse(realm)?.flatMap(({ id, name, author_id }) => {
    if (typeof name !== "string") return [];
    const author = typeof author_id === "number" ? realm.userName(author_id) : null;
    return [liveObject(name, { emoji_id: Number(id), author })];
  });
}

/** The settings of emoji that this version does not know. */
const newerOfEmoji = keysBeyond(rowsInUse, ["id", "name", "source_url", "still_url", "deactivated", "author_id"]);

/** Ids of every emoji that exists or existed. */
function emojiIds(realm: Realm): ReadonlySet<number> {
  return new Set((rowsIn(realm.setting("emoji"), ["id", "name"]) ?? []).map(({ id }) => Number(id)));
}

const inUseByName = indexed<JsonObject>(({ name, deactivated }) =>
  typeof name === "string" && deactivated !== true ? [name] : [],
);
const rowNamed = (name: string, realm: Realm): JsonObject | undefined =>
  inUseByName(rowsIn(realm.setting("emoji"), ["id", "name"]) ?? NO_ROWS, name)[0];
const NO_ROWS: readonly JsonObject[] = [];

/** The address of its picture. */
function addressOf(name: string, realm: Realm): string | undefined {
  const address = rowNamed(name, realm)?.source_url;
  return typeof address === "string" ? address : undefined;
}

/** The account that added it. */
function authorOf(name: string, realm: Realm): number | undefined {
  const author = rowNamed(name, realm)?.author_id;
  return typeof author === "number" ? author : undefined;
}

/** An emoji as a person would write it, without its picture: a reading does not have the file. */
function emojiToYaml({ name }: LiveObject): Json {
  return defined({ overrides_builtin: isBuiltIn(name) || undefined });
}

/** The address of its picture, and the name for its file. */
function emojiPictures({ name, fields }: LiveObject, realm: Realm): readonly ShownPicture[] {
  const url = addressOf(name, realm);
  if (url === undefined) return [];
  const isFit = /^[0-9a-z_-]{1,100}$/.test(name) && !isDeviceName(name);
  return [{ field: "image", url, file: `emoji/${isFit ? name : `id-${String(fields.emoji_id)}`}` }];
}

/** Only the path, if there is no other value. */
function withPicture(item: Json, field: string, path: string): Json {
  return isObject(item) && Object.keys(item).length > 0 ? { [field]: path, ...item } : path;
}

/** Who may do what, and what a new emoji needs (zulip-api.md §12.4). */
function checkEmoji(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [...changes.flatMap((change) => changeDiagnostics(change, context)), ...settledReplacements(context)];
}

function changeDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { realm, snapshot } = context;
  const { name, at, action } = change;
  const account = runningAccount(snapshot);
  const isRemoved = action === "remove" || action === "update";
  if (isRemoved && !realm.isAdmin && authorOf(name, realm) !== snapshot.account.user_id)
    return [error("emoji/not-allowed", { account, may_not: "remove", name: quote(name, "emoji") }, at)];
  if (action === "remove") return [];
  if (snapshot.account.is_bot) return [error("emoji/not-allowed", { account, may_not: "add-as-bot" }, at)];
  if (!maySometime(ADDING_RIGHT, context)) return [error("emoji/not-allowed", { account, may_not: "add" }, at)];
  if (isBuiltIn(name) && !realm.isAdmin) return [error("emoji/not-allowed", { account, may_not: "override" }, at)];
  if (fieldIn(change.fields, "image") !== undefined) return [];
  return [error("emoji/no-image", { name: quote(name, "emoji") }, at)];
}

/** `replaces` names an emoji that is already replaced, so that the line has done its work; or one that never existed, whose id a later emoji could get. */
function settledReplacements(context: PlanContext): readonly Diagnostic[] {
  const known = emojiIds(context.realm);
  return context.pairs("emoji").flatMap(({ declared, live }) => {
    const { replaces } = declared?.creation ?? {};
    const is = live?.fields.emoji_id;
    if (declared !== undefined && typeof replaces === "number" && !known.has(replaces))
      return [
        error(
          "emoji/replaces",
          { cause: "unknown-id", id: replaces, ...defined({ is: typeof is === "number" ? is : undefined }) },
          declared.spans.of("replaces") ?? declared.at,
        ),
      ];
    if (declared === undefined || typeof replaces !== "number" || typeof is !== "number" || is === replaces) return [];
    const fact = { cause: "other-id", name: quote(declared.name, "emoji"), id: replaces, is } as const;
    return [warning("emoji/replaces", fact, declared.at)];
  });
}

/** Pictures cannot be restored. A new emoji with the name of a built-in one replaces it for everybody. */
function emojiRisks(change: Change, { realm }: PlanContext): readonly FoundRisk[] {
  const { action } = change;
  const object = namedOf(change);
  const author = authorOf(change.name, realm);
  const by = defined({
    author: whenDefined(author, (user_id) => ({ user_id, full_name: realm.user(user_id)?.full_name ?? "" })),
  });
  if (action === "remove") return [{ kind: "irreversible", fact: { kind: "emoji-removed", object, ...by } }];
  if (action === "update") return [{ kind: "irreversible", fact: { kind: "emoji-replaced", object, ...by } }];
  return isBuiltIn(change.name) ? [{ kind: "noisy", fact: { kind: "emoji-overrides", object } }] : [];
}

/** Who may add emoji: a setting of the organization from which no role is exempt. */
const ADDING_RIGHT = "can_add_custom_emoji_group";

/** To replace a picture, the emoji is removed and added again (zulip-api.md §12.4). */
const emojiCalls = (changes: readonly Change[], context: PlanContext): readonly DraftCall[] =>
  objectChanges(changes).flatMap((change) => ownCalls(change, context));

const ownCalls = removedAndAdded({
  add: ({ name, fields }) => ({
    operation: "upload-custom-emoji",
    uses: [ADDING_RIGHT],
    path: { emoji_name: name },
    params: { file: fieldIn(fields, "image")?.after ?? null },
    rank: 55,
  }),
  remove: (change, context) => ({
    operation: "deactivate-custom-emoji",
    path: { emoji_name: change.name },
    // Somebody may have uploaded another picture in the meantime.
    expects: allUnchanged(change, context),
    rank: 54,
  }),
});

const docs: DocsFacet = {
  about:
    "Custom emoji by name, each with the file of its picture. Servers change pictures and show only the address of the result, so realmctl never compares an existing picture. To replace the picture, use `replaces`.",
  who: "People whom `can_add_custom_emoji_group` names; bots may not add any. Administrators and the author may remove one.",
  whoMay: { overrides_builtin: "Administrators." },
  defaults: { image: "required", replaces: "nothing", overrides_builtin: "`false`" },
  unseen: {
    image:
      "Whether there is an emoji with the name, and its id. They cannot see what it looks like, or whether it differs from the file's picture. An emoji that somebody removed and added again has another id.",
  },
  example: `emoji:
  forge: {image: forge.png}`,
};

/** The previous picture is not known. */
function whyStays({ action }: Change): FinalFact | undefined {
  if (action === "remove") return "picture-of-removed";
  return action === "update" ? "picture-replaced" : undefined;
}

/**
 * A custom emoji. Its name is its identity; removing it frees the name, and an emoji that is added with this name is another one. Pictures are not
 * compared, since servers re-encode them and do not return the original (docs/internals/decisions/0027-pictures-are-uploaded-by-version.md).
 * @see zulip-api.md §12.4 https://zulip.com/api/upload-custom-emoji
 */
export const emoji: MapKind<Emoji> = {
  name: "emoji",
  section: "emoji",
  shape: "map",
  noun: ["emoji", "emoji"],
  identity: { keyOf: emojiName, canonicalName: emojiName },
  file: {
    schema: emojiForm,
    fields: { image: {} },
    files: emojiFiles,
    decode: decodeEmoji,
  },
  live: { read: liveEmoji, newer: newerOfEmoji },
  diff: { resolveDerivedFields: withReplacement },
  review: { check: checkEmoji, risks: emojiRisks },
  calls: { draft: emojiCalls, least: leastRemovedAndAdded, canSet: (field) => field === "image" },
  undo: { whyStays },
  yaml: { item: emojiToYaml, pictures: { of: emojiPictures, put: withPicture } },
  secrecy: { name: "text", fields: { author: "groups", emoji_id: "word" }, snapshot: () => ({}) },
  docs,
};
