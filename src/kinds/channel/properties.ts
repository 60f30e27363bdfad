import * as z from "zod";
import { PRIVACIES } from "../../access/state.ts";
import type { DecodeContext } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import { type Quoted, quote, quoteAll } from "../../model/diagnostics/values.ts";
import { didYouMean } from "../../model/suggest.ts";
import { wrongForm } from "../../model/value-form.ts";
import { foldCase, foldersByKey, isAtMost, MAX_DESCRIPTION_LENGTH } from "../names.ts";
import { orStandard, PropertyTable, retentionDays, word } from "../property.ts";
import { warnOfSlip } from "../references.ts";

/** The fields of a channel with a default, apart from its permissions, in the order of files. */
export const CHANNEL_FIELDS = new PropertyTable({
  description: {
    type: orStandard(
      "",
      () =>
        z
          .string()
          .refine(
            isAtMost(MAX_DESCRIPTION_LENGTH),
            wrongForm({ form: "text", most_characters: MAX_DESCRIPTION_LENGTH }),
          ),
      { secrecy: "about", decode: (written) => String(written ?? "").replaceAll("\n", " ") },
    ),
    standard: "",
    trait: "words",
    short: "Text on one line.",
    about: "Markdown on one line: the server turns line ends into spaces. `null` empties it.",
  },
  privacy: {
    type: word(...PRIVACIES),
    standard: "public",
    trait: "other",
    short: "Who can find and read the channel.",
    about:
      "Who can find and read the channel: everybody on the web, every member (and invited guests), or only subscribers. These see the whole history, or only what was sent after they subscribed.",
  },
  folder: {
    level: 389,
    names: "channel_folder",
    type: orStandard(null, () => z.string().min(1), {
      decode: (name, _, context) => (name === null ? null : resolveFolder(String(name), context)),
    }),
    standard: null,
    standardInWords: "none",
    trait: "other",
    short: "The channel folder that it is listed under.",
    about: "Name of a channel folder. `null` removes it from its folder.",
  },
  topics_policy: {
    level: 392,
    type: orStandard("inherit", () =>
      z.enum(["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"]),
    ),
    standard: "inherit",
    trait: "other",
    short: "Whether messages need a topic.",
    about: "Whether messages need a topic. `empty_topic_only` works at creation only. `null` is inherit.",
  },
  default_push_notifications: {
    level: 507,
    type: orStandard(false, () => z.boolean()),
    standard: false,
    trait: "other",
    short: "Whether people who subscribe for the first time get notifications on their phones.",
    about:
      "Whether people who subscribe for the first time get notifications on their phones, whatever their own default is. Those who are subscribed already keep theirs. `null` is false.",
  },
  message_retention_days: {
    type: orStandard("realm_default", () =>
      z.union([retentionDays(["realm_default", "unlimited"]), z.enum(["realm_default", "unlimited"])]),
    ),
    standard: "realm_default",
    trait: "other",
    short: "Days after which messages are deleted.",
    about: "Days after which messages are deleted, `realm_default` or `unlimited`. `null` is realm_default.",
  },
});

/** The folder's name in its final spelling; undefined if no folder has that name. */
function resolveFolder(name: string, context: DecodeContext): string | undefined {
  const { realm } = context;
  const folders = realm?.snapshot.channel_folders;
  const key = foldCase(name);
  if (context.declares("channel_folder", key)) {
    return context.declaredName?.("channel_folder", key) ?? name;
  }
  const leaves = context.removedAt?.("channel_folder", key);
  if (leaves !== undefined) {
    const notes = [{ at: leaves, note: "archived-here" }] as const;
    context.report(
      ["folder"],
      finding("channels/archived-folder", { name: folderName(name), by_file: true }, { notes }),
    );
    return undefined;
  }
  // Offline, or a server without folders: there is nothing to compare the name with; the planner checks the level.
  if (folders === undefined || folders === null) {
    if (realm === undefined) warnOfSlip("channel_folder", name, ["folder"], context);
    return name;
  }
  const sameName = foldersByKey(folders, key);
  const active = sameName.find((folder) => !folder.is_archived);
  const renamed = active === undefined ? undefined : context.renamedTo?.("channel_folder", key, active.id);
  if (renamed !== undefined) {
    const names = { name: folderName(name), renamed_to: folderName(renamed) };
    context.report(["folder"], finding("reference/renamed", { noun: "folder", ...names }));
    return undefined;
  }
  if (active !== undefined) return active.name;
  if (sameName.length > 0) {
    context.report(["folder"], finding("channels/archived-folder", { name: folderName(name), by_file: false }, GONE));
    return undefined;
  }
  const names = folders.filter((folder) => !folder.is_archived).map((folder) => folder.name);
  const meant = didYouMean(name, [...(context.declaredNames?.("channel_folder") ?? []), ...names], context.patience);
  const suggested = defined({ meant: whenDefined(meant, folderName) });
  const known = quoteAll(names, "channel_folder");
  context.report(
    ["folder"],
    finding("channels/unknown-folder", { name: folderName(name), ...suggested, known }, UNRESOLVED),
  );
  return undefined;
}

const UNRESOLVED = { unresolved: { kind: "channel_folder" } } as const;
const GONE = { unresolved: { kind: "channel_folder", isGone: true } } as const;

const folderName = (name: string): Quoted => quote(name, "channel_folder");
