import { maySometime } from "../../access/of-plan.ts";
import { SHORT_NAME_LEVEL } from "../../access/renamed.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, tooOld, warning } from "../../model/diagnostic.ts";
import type { DiagnosticFacts } from "../../model/diagnostics/definitions.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { DeclaredObject, Pair } from "../../model/objects.ts";
import { type Change, fieldIn, sets, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { ROLE } from "../../model/roles.ts";
import { unknownRoleOf } from "../accounts.ts";
import { sharingValue } from "../checks.ts";
import { pairsByLiveKey } from "../names.ts";
import { makingRight, takenNames } from "./calls.ts";

/** Two bots with one name: existing accounts may share a name, but a new one may not (zulip-api.md §17.2, §18.3). */
export function checkBotsInFile(
  declared: readonly DeclaredObject[],
  _section: (name: string) => readonly DeclaredObject[],
  realm: Realm | undefined,
): readonly Diagnostic[] {
  if (realm !== undefined) return [];
  const named = ({ absent, fields: { full_name, deactivated } }: DeclaredObject) =>
    absent || deactivated === true ? undefined : full_name;
  return sharingValue(declared, named).map(({ object, first, value }) => {
    const fact = { cause: "twice", full_name: quote(value), other: quote(first.name, "bot") } as const;
    return warning("bots/full-name", fact, object.spans.of("full_name") ?? object.at);
  });
}

/** What the server would refuse (zulip-api.md §18.2, §18.3). */
export function checkBots(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const taken = takenNames(changes, context);
  return [
    ...context.pairs("bots").flatMap(typeDiagnostics),
    ...changes.flatMap((change) => [
      ...rightDiagnostics(change, context),
      ...ownDiagnostics(change, context),
      ...nameDiagnostics(change, taken, context),
      ...addressDiagnostics(change, context),
    ]),
  ];
}

/** The type of a bot cannot change. */
function typeDiagnostics({ declared, live }: Pair): readonly Diagnostic[] {
  const wanted = declared?.fields.type;
  const now = live?.fields.type;
  if (declared === undefined || wanted === undefined || now === undefined || wanted === now) return [];
  const at = declared.spans.of("type") ?? declared.at;
  const known = defined({ now: typeof now === "string" ? now : undefined });
  return [error("bots/type", { cause: "cannot-change", bot: quote(declared.name, "bot"), ...known }, at)];
}

type Needs = DiagnosticFacts["bots/not-allowed"]["needs"];

function rightDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { realm, snapshot } = context;
  const fields = new Set(change.fields.map(({ field }) => field));
  const refuse = (needs: Needs, field?: string): readonly Diagnostic[] => {
    const fact = { account: runningAccount(snapshot), bot: quote(change.name, "bot"), needs };
    return [error("bots/not-allowed", fact, field === undefined ? change.at : spanOfField(change, field))];
  };
  const role = fieldIn(change.fields, "role");
  const unknown = unknownRoleOf(change, realm);
  if (unknown !== undefined) return refuse({ role: unknown }, role?.field);
  if (role !== undefined && !realm.isAdmin && !isUnchanged(role)) return refuse("administrator", "role");
  if (role !== undefined && !realm.isOwner && (role.before === "owner" || role.after === "owner"))
    return refuse("owner-of-organization", "role");
  if (change.action === "create")
    return isPerson(context) ? makingDiagnostics(change, context, refuse) : refuse("a-person");
  const owner = realm.user(change.id ?? 0)?.bot_owner_id;
  if (!realm.isAdmin && owner !== snapshot.account.user_id) return refuse("owner-or-administrator");
  if (!isPerson(context) && ["name", "full_name", "owner", "role"].some((field) => fields.has(field)))
    return refuse("a-person");
  const returns = sets(change.fields, "deactivated", false);
  return returns ? makingDiagnostics(change, context, refuse) : [];
}

/** A new bot is a member. */
const isUnchanged = ({ before, after }: Change["fields"][number]): boolean => before === null && after === "member";

const isPerson = ({ snapshot: { account } }: PlanContext): boolean => !account.is_bot && account.role !== ROLE.guest;

/** Creating a bot and reactivating one need the same right, and no role is exempt from it. */
function makingDiagnostics(
  change: Change,
  context: PlanContext,
  refuse: (needs: Needs) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const right = makingRight(change, context);
  return maySometime(right, context) ? [] : refuse(right);
}

function ownDiagnostics(change: Change, { snapshot }: PlanContext): readonly Diagnostic[] {
  if (change.id !== snapshot.account.user_id) return [];
  const leaves = fieldIn(change.fields, "deactivated", true);
  if (leaves === undefined) return [];
  return [error("bots/oneself", { account: runningAccount(snapshot) }, leaves.at ?? change.at)];
}

/** The new name of an existing bot: it becomes the first part of the address, which no other bot may have. */
function addressDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  if (change.was === undefined) return [];
  const { level } = context.realm;
  const at = spanOfField(change, "name");
  if (level < SHORT_NAME_LEVEL) return [tooOld({ kind: "word", word: "id" }, SHORT_NAME_LEVEL, level, at)];
  const holders = pairsByLiveKey(context.pairs("bots"), change.name).filter(({ live }) => live?.id !== change.id);
  const [holder] = holders.filter(({ change: own }) => own?.was === undefined);
  if (holder?.live === undefined || holder.live === null) return [];
  return [error("bots/name", { cause: "taken", bot: quote(change.name, "bot") }, at)];
}

/** The full name of a new or reactivated bot must be unique among active accounts, people included. */
function nameDiagnostics(
  change: Change,
  taken: ReadonlyMap<string, number>,
  context: PlanContext,
): readonly Diagnostic[] {
  const returns = sets(change.fields, "deactivated", false);
  const field = fieldIn(change.fields, "full_name");
  if (field === undefined && !returns) return [];
  const name = String(field?.after ?? context.pair(change.address)?.live?.fields.full_name ?? "");
  // A reactivated bot is not counted yet.
  const others = (taken.get(name) ?? 0) - (returns ? 0 : 1);
  const isInUse = context.realm.user(change.id ?? 0)?.is_active !== false;
  if (others < 1 || (!isInUse && !returns)) return [];
  const bot = context
    .pairs("bots")
    .find(({ declared, live }) => declared === undefined && live?.inactive === false && live.fields.full_name === name);
  const fact = { full_name: quote(name), ...defined({ bot: bot?.live && quote(bot.live.name, "bot") }) };
  const found = error("bots/full-name", { cause: "taken", ...fact }, field?.at ?? change.at);
  // The bot that has the full name may be this one, under another address.
  return [{ ...found, mayBeRenamed: true }];
}
