import { ORGANIZATION } from "../../src/access/scope.ts";
import { kinds } from "../../src/kinds/registry.ts";
import type { Dependency } from "../../src/model/draft-call.ts";
import { isList } from "../../src/model/json.ts";
import { keyOf, liveObjects, type ResourceKind } from "../../src/model/kind.ts";
import type { Pair } from "../../src/model/objects.ts";
import type { Change } from "../../src/model/plan.ts";
import type { PlanContext } from "../../src/model/plan-context.ts";

/**
 * Do the plan's changes bring this state about? Computed from changes and live objects, not from requests, so that the test finds a request that
 * forgets to provide a state, or that waits for a state that nothing has.
 * @returns `perhaps` if the changes do not say
 */
export function isBroughtAbout(
  dependency: Dependency,
  context: PlanContext,
): "yes" | "no" | "perhaps" | "nobody has it" {
  switch (dependency.state) {
    case "exists":
      return existsBy(dependency.address, context);
    case "written":
      return yesIf(changesOf(dependency.address, context).some(writesSettings));
    case "members-written":
      return yesIf(changesOf(dependency.address, context).some((change) => has(change, ["members", "subgroups"])));
    case "subscribed":
      return yesIf(changesOf(dependency.address, context).some(subscribesPeople));
    case "setting-written":
      return yesIf(
        changesOf(ORGANIZATION, context).some(({ fields }) => fields.some(({ field }) => field === dependency.setting)),
      );
    case "removed":
      return yesIf(changesOf(dependency.address, context).some(({ action }) => action !== "create"));
    case "name-free":
      // A name that differs from the form that the server compares belongs to nobody.
      if (!isKey(dependency.kind, dependency.key)) return "nobody has it";
      return yesIf(givesUpName(dependency.kind, dependency.key, context));
    case "all-added":
      return yesIf(context.changes.some(({ kind, action }) => kind === dependency.kind && action === "create"));
    case "complete":
      return yesIf(context.changes.some(({ kind, action }) => kind === dependency.kind && action !== "reorder"));
    case "room-made":
      return yesIf(context.changes.some((change) => leavesSummary(change, dependency.kind)));
    // Safety decides which settings are sent first and which people are added or removed first. The changes do not decide it.
    case "written-early":
    case "subscribed-early":
      return "perhaps";
    // Requests wait for it only if the plan does it.
    case "name-set-aside":
    case "inactive":
    case "released":
    case "unlinked":
    case "part-done":
    // Added by the planner (src/plan/own-rights.ts).
    case "right-used":
      return "yes";
  }
}

const yesIf = (is: boolean): "yes" | "no" => (is ? "yes" : "no");

const changesOf = (address: string, { changes }: PlanContext): readonly Change[] =>
  changes.filter((change) => change.address === address);

const has = ({ action, fields }: Change, names: readonly string[]): boolean =>
  action !== "create" && fields.some(({ field }) => names.includes(field));

/** A field of a profile that leaves the summary, or is removed. */
const leavesSummary = ({ kind, fields }: Change, wanted: string): boolean =>
  kind === wanted &&
  fields.some(({ field, before, after }) => field === "in_profile_summary" && before === true && after !== true);

/** Channels, groups and folders: fields that neither change members nor make the object inactive. */
function writesSettings({ kind, action, fields }: Change): boolean {
  if (action === "create") return false;
  const inactivity = kindOf(kind).inactivity?.field;
  return fields.some(
    ({ field, after }) =>
      !["members", "subgroups", "subscribers"].includes(field) && !(field === inactivity && after === true),
  );
}

function subscribesPeople({ action, fields }: Change): boolean {
  if (action === "create") return false;
  return fields.some(({ field, before, after }) => {
    if (field !== "subscribers" || !isList(before) || !isList(after)) return false;
    return after.some((name) => !before.includes(name));
  });
}

function existsBy(address: string, context: PlanContext): "yes" | "no" | "nobody has it" {
  const own = changesOf(address, context);
  if (own.some((change) => change.action === "create" || comesBack(change))) return "yes";
  const [kind = "", ...rest] = address.split(":");
  const name = rest.join(":");
  const isThere = liveObjects(kindOf(kind), context.realm)?.some((object) => object.name === name);
  const isGroup = kind === "user_group" && context.realm.groupByName(name) !== undefined;
  return isThere === true || isGroup ? "no" : "nobody has it";
}

const comesBack = ({ kind, fields }: Change): boolean =>
  fields.some(({ field, after }) => field === kindOf(kind).inactivity?.field && after === false);

/** A live object has the name, and its change gives it up. */
function givesUpName(kindName: string, key: string, context: PlanContext): boolean {
  if (kindName === BOT_ADDRESS)
    return context
      .pairs(kindOf(BOT).section)
      .some((pair) => keyBefore(kindOf(BOT), pair) === key && keyAfter(kindOf(BOT), pair) !== key);
  const kind = kindOf(kindName);
  return context.pairs(kind.section).some((pair) => {
    const { live, change } = pair;
    if (live === undefined || change === undefined) return false;
    // Bots are identified by their addresses; their names are free once they are renamed or deactivated.
    if (kindName === BOT)
      return (
        live.fields.full_name === key &&
        change.fields.some(({ field, after }) => field === "full_name" || (field === "deactivated" && after === true))
      );
    if (live.inactive && kind.inactivity?.freesName === true) return false;
    return keyBefore(kind, pair) === key && keyAfter(kind, pair) !== key;
  });
}

/** Names of views and bots are compared as they are. */
const isKey = (kind: string, key: string): boolean =>
  kind === VIEW || kind === BOT || keyOf(kindOf(kind === BOT_ADDRESS ? BOT : kind), key) === key;
const VIEW = "navigation_view";
const BOT = "bot";
/** The address of a bot, which is free once its bot has another one. */
const BOT_ADDRESS = "bot-address";

function keyBefore(kind: ResourceKind, { live, change }: Pair): string | undefined {
  if (live === undefined) return undefined;
  // Views are identified by their fragments; their other unique value is a field.
  if (kind.name === VIEW) return typeof live.fields.name === "string" ? live.fields.name : undefined;
  return keyOf(kind, change?.was ?? live.name);
}

function keyAfter(kind: ResourceKind, pair: Pair): string | undefined {
  const { change } = pair;
  if (change === undefined) return keyBefore(kind, pair);
  if (change.action === "remove" && kind.inactivity?.field === undefined) return undefined;
  if (
    kind.inactivity?.freesName === true &&
    change.fields.some(({ field, after }) => field === kind.inactivity?.field && after === true)
  )
    return undefined;
  if (kind.name !== VIEW) return keyOf(kind, change.name);
  const name = change.fields.find(({ field }) => field === "name");
  return name === undefined ? keyBefore(kind, pair) : String(name.after);
}

function kindOf(name: string): ResourceKind {
  const kind = kinds.find((candidate) => candidate.name === name);
  if (kind === undefined) throw new RangeError(`no kind ${name}`);
  return kind;
}
