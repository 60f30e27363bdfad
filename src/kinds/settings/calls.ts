import { accessIn, organizationNamesAccount } from "../../access/of-plan.ts";
import { JOINING_LIMITS } from "../../access/rules.ts";
import { defined } from "../../model/defined.ts";
import { type Dependency, type DraftCall, exists, settingWritten, written } from "../../model/draft-call.ts";
import type { Json } from "../../model/json.ts";
import { groupsIn } from "../../model/named-in.ts";
import { isRightName } from "../../model/permission-settings.ts";
import { type Change, type FieldChange, objectChanges, type Param, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { channelId } from "../channels-by-name.ts";
import { CODE_LANGUAGE, isLanguageTaken, NO_LANGUAGE } from "../code-language.ts";
import { groupChangeParam, groupExists } from "../permissions.ts";
import { expectation, requestFor } from "../requests.ts";
import { liveGroup } from "./live.ts";
import { isPicture, PICTURES } from "./pictures.ts";
import { apiName, channelSetting, PROPERTIES } from "./properties.ts";
import { channelPair } from "./schema.ts";

/**
 * After everything that may need a right that these settings take away, and before channels are archived: when a channel is archived, the server
 * clears the settings that name it.
 */
const RANK = 95;
/** Settings that let people join are sent when everything else is done; only domains and invitations come after them. */
const JOINING_RANK = 149;

/** One request for all settings; two if a setting that lets people join has to wait for the archiving of a channel that another setting names. */
export function settingsCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).flatMap((change) => {
    const pictures = change.fields.filter(({ field }) => isPicture(field));
    const fields = sentTogether(change, context);
    const parts = fields.length === 0 ? [] : partsOf({ ...change, fields }, context);
    return [...parts, ...pictures.map((field) => pictureCall(change, field))];
  });
}

/** All except pictures, and the language of code blocks if a playground that this plan removes clears it. */
function sentTogether({ fields }: Pick<Change, "fields">, context: PlanContext): readonly FieldChange[] {
  const goesAlong = ({ field, after }: FieldChange): boolean =>
    field === CODE_LANGUAGE && (after === null || after === NO_LANGUAGE) && isLanguageTaken(context);
  return fields.filter((field) => !isPicture(field.field) && !goesAlong(field));
}

/** Each picture has a request of its own. */
function pictureCall(change: Change, { field, after }: FieldChange): DraftCall {
  const { operations, params } = PICTURES[field] ?? {};
  if (operations === undefined) throw new RangeError(`no picture ${field}`);
  const operation = after === null ? operations.remove : operations.upload;
  const file = after === null ? undefined : after;
  return requestFor(change, { operation, params: { ...params, ...defined({ file }) }, rank: RANK }, [field]);
}

function partsOf(change: Change, context: PlanContext): readonly DraftCall[] {
  const { fields } = change;
  const joining = fields.filter(opensJoining);
  if (joining.length > 0 && fields.some((field) => losesChannel(field, context))) {
    const others = fields.filter((field) => !joining.includes(field));
    const last = callOf(change, joining, JOINING_RANK, context);
    const needs = [...(last.needs ?? []), ...others.map(({ field }) => settingWritten(field))];
    return [inStages(change, stagesOf(others, context), RANK, context), { ...last, needs }];
  }
  const rank = joining.length > 0 ? JOINING_RANK : RANK;
  const whole = inStages(change, stagesOf(fields, context), rank, context);
  const clearing = clearedBy(fields, context);
  if (clearing !== undefined) return [{ ...whole, mergeInto: { address: clearing, params: {} } }];
  return [whole];
}

/** Settings that can be sent in one request, the earlier ones before those that other requests have to come before. */
type Stages = readonly (readonly FieldChange[])[];

/**
 * What other requests wait for comes before what waits for them: settings that name nothing; rights that the account gets, and that name nothing new;
 * other permissions; settings that name channels. What takes a right that the account still uses comes last: the planner sees to it
 * (src/plan/own-rights.ts).
 */
function stagesOf(fields: readonly FieldChange[], context: PlanContext): Stages {
  const { before, after } = accessIn(context);
  const isNew = (group: string): boolean => context.pair(`user_group:${group}`)?.change?.action === "create";
  const stageOf = ({ field, after: value }: FieldChange): number => {
    if (!isRightName(field)) return channelSetting(field) === undefined ? 0 : 3;
    const isGiven =
      !organizationNamesAccount(field, before, context) && organizationNamesAccount(field, after, context);
    return isGiven && !groupsIn(value).some(isNew) ? 1 : 2;
  };
  return [0, 1, 2, 3]
    .map((stage) => fields.filter((field) => stageOf(field) === stage))
    .filter((stage) => stage.length > 0);
}

/** One request for all stages; its alternatives are the ways to send the first ones before the others. */
function inStages(change: Change, stages: Stages, rank: number, context: PlanContext): DraftCall {
  const alternatives = stages.slice(1).map((_, cut) => {
    const halves = [stages.slice(0, cut + 1), stages.slice(cut + 1)];
    return halves.map((half) => inStages(change, half, RANK, context));
  });
  return {
    ...callOf(
      change,
      change.fields.filter((field) => stages.some((stage) => stage.includes(field))),
      rank,
      context,
    ),
    ...defined({ alternatives: alternatives.length === 0 ? undefined : alternatives }),
  };
}

/** Not counted: settings that are cleared with an archived channel (docs/internals/decisions/0026-settings-are-one-object.md). */
export function leastSettingsCalls(changes: readonly Change[], context: PlanContext): number {
  return changes.reduce((sum, { fields: all }) => {
    const pictures = all.filter(({ field }) => isPicture(field)).length;
    const fields = sentTogether({ fields: all }, context);
    if (fields.length === 0) return sum + pictures;
    if (clearedBy(fields, context) !== undefined) return sum + pictures;
    const waits = fields.some(opensJoining) && fields.some((field) => losesChannel(field, context));
    return sum + pictures + (waits ? 2 : 1);
  }, 0);
}

function callOf(change: Change, fields: readonly FieldChange[], rank: number, context: PlanContext): DraftCall {
  // By then the playground is removed, and the language is cleared.
  const isCleared = (field: string): boolean => field === CODE_LANGUAGE && isLanguageTaken(context);
  const own = {
    operation: "update-realm",
    params: Object.assign({}, ...fields.map((field) => paramOf(field, context))),
    expects: fields.map(({ field, before }) => expectation(change, field, isCleared(field) ? NO_LANGUAGE : before)),
    needs: needsOf(fields, context),
    provides: [written(change.address), ...fields.map(({ field }) => settingWritten(field))],
    rank,
    // The server stores each setting separately.
    ...defined({
      parts: fields.length > 1 ? fields.map((field) => callOf(change, [field], rank, context)) : undefined,
    }),
  };
  return requestFor(
    change,
    own,
    fields.map(({ field }) => field),
  );
}

function paramOf({ field, after }: FieldChange, context: PlanContext): { readonly [name: string]: Param } {
  const { realm } = context;
  const property = PROPERTIES[field];
  if (property === undefined) return { [field]: groupChangeParam(after, liveGroup(field, realm), context) };
  const isNamed = property.names !== undefined && typeof after === "string";
  return { [apiName(field, realm.level)]: isNamed ? channelId(after, context) : property.type.toApi(after, realm) };
}

function needsOf(fields: readonly FieldChange[], context: PlanContext): readonly Dependency[] {
  return fields.flatMap(({ field, after }) => {
    if (isRightName(field)) return groupsIn(after).map(groupExists);
    const named =
      channelSetting(field) !== undefined && typeof after === "string" ? channelPair(after, context) : undefined;
    // A channel that this plan reactivates, or makes private, is neither before that.
    return named === undefined ? [] : [exists(named.address), written(named.address)];
  });
}

/** Whether the setting's old value names a channel that this plan archives. */
function losesChannel({ field, before }: FieldChange, context: PlanContext): boolean {
  return archivedIn(field, before, context) !== undefined;
}

function archivedIn(field: string, before: Json, context: PlanContext): `${string}:${string}` | undefined {
  if (channelSetting(field) === undefined || typeof before !== "string") return undefined;
  const pair = channelPair(before, context);
  const archives = sets(pair?.change?.fields, "archived", true);
  return archives === true ? pair?.address : undefined;
}

/** The one channel that this plan archives and whose archiving makes all of these changes. */
function clearedBy(fields: readonly FieldChange[], context: PlanContext): `${string}:${string}` | undefined {
  const clearing = new Set(
    fields.map(({ field, before, after }) => (after === null ? archivedIn(field, before, context) : undefined)),
  );
  const [only] = clearing;
  return clearing.size === 1 ? only : undefined;
}

/** Whether this change lets people join who could not before. */
function opensJoining({ field, after }: Pick<FieldChange, "field" | "after">): boolean {
  return after === false && JOINING_LIMITS.some((barrier) => barrier === field);
}
