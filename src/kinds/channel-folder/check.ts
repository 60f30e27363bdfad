import type { Diagnostic } from "../../model/diagnostic.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { PlanContext } from "../../model/kind.ts";
import type { Change, Risk } from "../../model/plan.ts";
import { listNames } from "../../model/suggest.ts";
import { isTemporaryName } from "../../model/temporary-name.ts";
import { foldCase } from "../names.ts";
import { accountThatRuns, problem, spanOfField, warning } from "../problems.ts";

/** Folders got an order of their own here (zulip-api.md §11). */
export const ORDER_LEVEL = 414;

/** Mistakes that the server would refuse, or trip over, found before anything is sent. */
export function checkFolders(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first !== undefined && !context.realm.isAdmin) {
    return [
      problem(
        "channel_folders/not-allowed",
        `${accountThatRuns(context)} may not change channel folders`,
        "it has to be an administrator of the organization",
        first.at,
      ),
    ];
  }
  return [
    ...changes.flatMap((change) => [...nameProblems(change, context), ...channelProblems(change, context)]),
    ...orderProblems(context),
  ];
}

/** Names of archived folders are free; the server crashes over one that comes back to a name in use (zulip-api.md §11). */
function nameProblems(change: Change, context: PlanContext): readonly Diagnostic[] {
  const wakes = change.fields.some(({ field, after }) => field === "archived" && after === false);
  if (change.action === "reorder" || (change.was === undefined && change.action !== "create" && !wakes)) return [];
  const key = foldCase(change.name);
  const holder = context
    .pairs("channel_folders")
    .find(({ live }) => live !== undefined && live.key === key && !live.inactive && live.id !== change.id);
  if (holder?.live === undefined) return [];
  const goes = holder.change?.was !== undefined && foldCase(holder.change.name) !== key;
  const sleeps = holder.change?.fields.some(({ field, after }) => field === "archived" && after === true) === true;
  if (goes || sleeps) return [];
  const { name, id } = holder.live;
  return [
    problem(
      "channel_folders/name-taken",
      `"${change.name}" is the name of another folder`,
      id !== null && isTemporaryName(name, id)
        ? "it is left over from a run that ended early: give it a name under channel_folders"
        : `give that one another name first: an item with was: ${JSON.stringify(name)}`,
      spanOfField(change, change.was === undefined ? "archived" : "name"),
    ),
  ];
}

/** A folder that still has channels stays; archived channels count too. */
function channelProblems(change: Change, context: PlanContext): readonly Diagnostic[] {
  if (!change.fields.some(({ field, after }) => field === "archived" && after === true)) return [];
  if (context.isNamedInFile(change.address)) return [];
  const changes = new Map(
    context.changes.flatMap((other) => (other.kind === "channel" && other.id !== undefined ? [[other.id, other]] : [])),
  );
  const staying = context.snapshot.channels
    .filter((channel) => {
      const after = changes.get(channel.stream_id)?.fields.find(({ field }) => field === "folder")?.after;
      return after === undefined ? channel.folder_id === change.id : after === change.name;
    })
    .map(({ name, is_archived }) => `#${name}${is_archived ? " (archived)" : ""}`);
  const made = context.changes
    .filter(({ kind, action }) => kind === "channel" && action === "create")
    .filter(({ fields }) => fields.some(({ field, after }) => field === "folder" && after === change.name))
    .map(({ name }) => `#${name}`);
  const inside = [...staying, ...made];
  if (inside.length === 0) return [];
  const heir = context.pairs("channel_folders").find(({ declared }) => declared?.key === foldCase(change.name));
  const isHandedOn = change.undeclared === true && heir !== undefined;
  return [
    {
      ...problem(
        "channel_folders/in-use",
        `the folder "${change.name}" cannot be archived while channels are in it`,
        isHandedOn
          ? `another folder gets its name: tell them apart by an item with id: ${change.id}, archived: true and a name of its own`
          : "give them another folder, or folder: null, under channels; archived channels count too",
        spanOfField(change, "archived"),
      ),
      footnotes: [`in it: ${listNames(inside, 12)}`],
    },
  ];
}

/** Before level 414 the order is that of creation, and nothing changes it. */
function orderProblems(context: PlanContext): readonly Diagnostic[] {
  if (context.policy("channel_folders") !== "exact" || context.realm.level >= ORDER_LEVEL) return [];
  const pairs = context.pairs("channel_folders").filter(({ declared }) => declared !== undefined && !declared.absent);
  const ids = pairs.map(({ live }) => live?.id ?? Number.POSITIVE_INFINITY);
  const [first] = pairs;
  if (first?.declared === undefined || ids.every((id, index) => index === 0 || (ids[index - 1] ?? 0) <= id)) return [];
  return [
    warning(
      "channel_folders/order-too-old",
      `the order of folders needs feature level ${ORDER_LEVEL}, and this server has ${context.realm.level}: they stay in the order in which they were made`,
      "nothing to do; the order counts once the server is newer",
      first.declared.at,
    ),
  ];
}

export function folderRisks(change: Change): readonly Risk[] {
  const archived = change.fields.find(({ field, after }) => field === "archived" && after === true);
  if (archived === undefined) return [];
  const at = archived.at ?? change.at;
  const fact: RiskFact = { kind: "archived", object: namedOf(change), cleared: [] };
  return [{ kind: "removes", fact, address: change.address, ...(at === undefined ? {} : { at }) }];
}
