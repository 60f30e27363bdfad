import { holdersOf } from "../access/grants.ts";
import { statesWithBots } from "../access/of-plan.ts";
import type { People } from "../access/people.ts";
import { READ } from "../access/rules.ts";
import { CHANNEL, channelAddress, isChannel } from "../access/scope.ts";
import type { AccessChannel, AccessState } from "../access/state.ts";
import { defined } from "../model/defined.ts";
import { canonicalJson, type Json } from "../model/json.ts";
import { isRightName } from "../model/permission-settings.ts";
import type { Change, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";

export interface Holders {
  /** The setting as a file would write it; for reading, the channel's privacy. */
  readonly value: Json;
  /** The number of people, without bots; undefined if the snapshot does not show it. */
  readonly people: number | undefined;
  /** The number is a minimum (reading) or a maximum (other rights): the subscribers were not read. */
  readonly bound?: "least" | "most";
}

export type Shift = "same" | "new" | "reopened" | "widens" | "narrows" | "moves" | "reworded" | "unknown";

export interface AccessCell {
  /** The holders before the plan; undefined if the channel does not exist, or the server does not have the right. */
  readonly before: Holders | undefined;
  readonly after: Holders | undefined;
  /** How the plan changes the holders of the right; `reworded`: another value that admits the same people; `reopened`: the channel was archived. */
  readonly shift: Shift;
}

export interface AccessRow {
  readonly name: string;
  readonly was?: string;
  readonly state: "kept" | "created" | "archived" | "unarchived";
  /** Shown instead of the state. */
  readonly note?: string;
  /** One cell for each right of the matrix. */
  readonly cells: readonly AccessCell[];
  readonly isTouched: boolean;
}

/** Channels × rights, before the plan and after it. */
export interface AccessMatrix {
  readonly rights: readonly string[];
  /** Channels that change first, then by the server's order. */
  readonly rows: readonly AccessRow[];
  /** ISO 8601: the reading in which people were counted; undefined if there was none, and only changes are known. */
  readonly countedAt: string | undefined;
  /** The meaning of before and after: those of a plan (the default), or the file and the realm. */
  readonly reads?: "plan" | "drift";
  /** Channels that are left out because there are too many. */
  readonly leftOut?: number;
}

export const READS = "reads";

/** Holders with the set itself. */
interface RightHolders extends Holders {
  readonly set: People;
}

export function accessMatrix(plan: Plan, snapshot: Snapshot): AccessMatrix {
  const { before: now, after: then, difference } = statesWithBots(plan.changes, new Realm(snapshot));
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const { bots } = now.accounts;
  const moved = new Set([...difference.pairs([CHANNEL])].map(({ is }) => is));
  const drafts: Draft[] = [];
  for (const after of then.channels()) {
    const before = now.channel(after.name);
    const change = changes.get(channelAddress(after.name));
    // An object that did not exist before belongs to the plan only if the plan creates it.
    const heldNow = before === undefined ? new Map<string, RightHolders>() : rightsOn(before, now);
    const heldAfter = moved.has(after) ? rightsOn(after, then) : heldNow;
    const cells = cellsOf(heldNow, heldAfter, { bots, wasArchived: before?.archived === true });
    drafts.push({ name: after.name, change, cells, staysArchived: before?.archived === true && after.archived });
  }
  const rights = rightsIn(new Set(drafts.flatMap(({ cells }) => [...cells.keys()])));
  const rows = drafts.map((draft) => rowOf(draft, rights));
  return { rights, rows: touchedFirst(rows), countedAt: snapshot.taken_at };
}

/** The matrix of a saved plan alone: the channels and rights that it changes, without counts. */
export function accessInPlan(plan: Plan): AccessMatrix {
  const changes = plan.changes.filter((change) => isChannel(change) && change.action !== "reorder");
  const rightOf = (field: string): string | undefined =>
    field === "privacy" ? READS : isRightName(field) ? field : undefined;
  const rights = rightsIn(changes.flatMap(({ fields }) => fields.flatMap(({ field }) => rightOf(field) ?? [])));
  const rows = changes.map((change): AccessRow => {
    const cells = rights.map((right): AccessCell => {
      const field = change.fields.find((candidate) => rightOf(candidate.field) === right);
      if (field === undefined) return { before: undefined, after: undefined, shift: "same" };
      const holders = (value: Json): Holders | undefined => (value === null ? undefined : { value, people: undefined });
      return { before: holders(field.before), after: holders(field.after), shift: "unknown" };
    });
    return { ...headOf(change, change.name), cells, isTouched: cells.some(({ shift }) => shift !== "same") };
  });
  return { rights, rows: rows.filter(({ isTouched }) => isTouched), countedAt: undefined };
}

interface Draft {
  readonly name: string;
  readonly change: Change | undefined;
  readonly staysArchived: boolean;
  /** The cells by right, without the sets of people, which would not fit into memory for a thousand channels. */
  readonly cells: ReadonlyMap<string, AccessCell>;
}

/** Reading first, posting next, then by name. */
function rightsIn(names: Iterable<string>): readonly string[] {
  const rank = (name: string): number => [READS, "can_send_message_group"].indexOf(name) + 1 || 3;
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

const touchedFirst = (rows: readonly AccessRow[]): readonly AccessRow[] => [
  ...rows.filter(({ isTouched }) => isTouched),
  ...rows.filter(({ isTouched }) => !isTouched),
];

function headOf(change: Change | undefined, name: string): Pick<AccessRow, "name" | "was" | "state"> {
  const becomes = change?.fields.find(({ field }) => field === "archived")?.after;
  const archived = becomes === true || change?.action === "remove";
  const was = change?.was;
  return {
    name,
    ...defined({ was: was === undefined || was === name ? undefined : was }),
    state: change?.action === "create" ? "created" : archived ? "archived" : becomes === false ? "unarchived" : "kept",
  };
}

function cellsOf(
  heldNow: ReadonlyMap<string, RightHolders>,
  heldAfter: ReadonlyMap<string, RightHolders>,
  { bots, wasArchived }: { readonly bots: People; readonly wasArchived: boolean },
): ReadonlyMap<string, AccessCell> {
  const cells = new Map<string, AccessCell>();
  for (const right of [...heldNow.keys(), ...heldAfter.keys()]) {
    if (cells.has(right)) continue;
    const before = heldNow.get(right);
    const after = heldAfter.get(right);
    const shift = shiftOf(before, after, bots);
    // An archived channel could only be read, so this right is not new.
    const isReopened = shift === "new" && wasArchived;
    cells.set(right, { before: shown(before), after: shown(after), shift: isReopened ? "reopened" : shift });
  }
  return cells;
}

function rowOf({ name, change, staysArchived, cells: own }: Draft, rights: readonly string[]): AccessRow {
  const cells = rights.map((right): AccessCell => own.get(right) ?? NOTHING);
  const head = headOf(change, name);
  const note = staysArchived ? "archived" : undefined;
  return {
    ...head,
    ...defined({ note }),
    cells,
    isTouched: head.state !== "kept" || cells.some(({ shift }) => shift !== "same"),
  };
}
const NOTHING: AccessCell = { before: undefined, after: undefined, shift: "same" };

function shown(holders: RightHolders | undefined): Holders | undefined {
  if (holders === undefined) return undefined;
  const { value, people, bound } = holders;
  return { value, people, ...defined({ bound }) };
}

function shiftOf(before: RightHolders | undefined, after: RightHolders | undefined, bots: People): Shift {
  if (before === after) return "same";
  // A new channel takes nothing from anybody and opens nothing that existed.
  if (before === undefined) return after?.value === "web_public" ? "widens" : after?.people === 0 ? "same" : "new";
  if (after === undefined) return before.people === 0 ? "same" : "narrows";
  const openness = Number(after.value === "web_public") - Number(before.value === "web_public");
  if (openness !== 0) return openness > 0 ? "widens" : "narrows";
  const gains = after.set.sizeWithout(before.set, bots) > 0;
  const loses = before.set.sizeWithout(after.set, bots) > 0;
  if (gains || loses) return gains ? (loses ? "moves" : "widens") : "narrows";
  if (canonicalJson(before.value) === canonicalJson(after.value)) return "same";
  // With bounds, only equal values and changes among the known people are certain.
  return before.bound === undefined && after.bound === undefined ? "reworded" : "unknown";
}

/** Who may do what in a channel, as `realmctl access` says it. An archived one gives few rights: those that nobody has there are left out. */
function rightsOn(channel: AccessChannel, state: AccessState): ReadonlyMap<string, RightHolders> {
  const found = new Map<string, RightHolders>();
  const { bots } = state.accounts;
  const add = (right: string, value: Json, setting: string): void => {
    const holders = holdersOf(state, channel, setting);
    if (holders === undefined) return;
    const { people: set, bound } = holders;
    if (channel.archived && setting !== READ && set.size === 0 && bound === undefined) return;
    found.set(right, { value, set, people: set.sizeWithout(bots, bots), ...defined({ bound }) });
  };
  add(READS, state.opennessOf(channel), READ);
  for (const [setting, value] of channel.settings)
    add(setting, typeof value === "string" ? value : { ...value }, setting);
  return found;
}
