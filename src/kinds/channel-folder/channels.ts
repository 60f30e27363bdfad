import { addTo, indexed } from "../../model/indexed.ts";
import { oncePer } from "../../model/lazy.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";

/** A channel after the plan. */
interface Placed {
  readonly name: string;
  readonly is_archived: boolean;
  /** What identifies its folder; undefined: it is in none. */
  readonly folder: string | undefined;
  readonly position: number;
}

const idKey = (id: number | undefined): string => `id ${id}`;
const nameKey = (name: string): string => `name ${name}`;

const byFolder = indexed<Placed>(({ folder }) => (folder === undefined ? [] : [folder]));

/** The channels that a folder has after the plan; new ones last. */
export function channelsAfter({ id, name }: Change, context: PlanContext): readonly Placed[] {
  const all = placedIn(context.changes, context);
  const found = [...byFolder(all, idKey(id)), ...byFolder(all, nameKey(name))];
  return found.sort((one, other) => one.position - other.position);
}

const placedIn = oncePer((changes: readonly Change[], { snapshot }: PlanContext): readonly Placed[] => {
  const ofChannels = changes.filter(({ kind }) => kind === "channel");
  const byId = new Map(ofChannels.map((change) => [change.id, change]));
  const folderOf = (change: Change | undefined) => change?.fields.find(({ field }) => field === "folder")?.after;
  const keyOf = (after: ReturnType<typeof folderOf>) => (typeof after === "string" ? nameKey(after) : undefined);
  const staying = snapshot.channels.map(({ stream_id, folder_id, name, is_archived }) => {
    const after = folderOf(byId.get(stream_id));
    const before = typeof folder_id === "number" ? idKey(folder_id) : undefined;
    return { name, is_archived, folder: after === undefined ? before : keyOf(after) };
  });
  const made = ofChannels
    .filter(({ action }) => action === "create")
    .map((change) => ({ name: change.name, is_archived: false, folder: keyOf(folderOf(change)) }));
  return [...staying, ...made].map((each, position) => ({ ...each, position }));
});

/** Changes of channels that are in a folder now and get another one, or none. */
export function leavingFolder({ id, name }: Change, context: PlanContext): readonly Change[] {
  if (id === undefined) return [];
  return (movesIn(context.changes, context).get(id) ?? []).filter(({ fields }) =>
    fields.some(({ field, after }) => field === "folder" && after !== name),
  );
}

const movesIn = oncePer(
  (changes: readonly Change[], { realm }: PlanContext): ReadonlyMap<number, readonly Change[]> => {
    const found = new Map<number, Change[]>();
    for (const change of changes) {
      if (change.kind !== "channel" || change.id === undefined) continue;
      const folder = realm.channel(change.id)?.folder_id;
      if (typeof folder !== "number" || !change.fields.some(({ field }) => field === "folder")) continue;
      addTo(found, folder, change);
    }
    return found;
  },
);
