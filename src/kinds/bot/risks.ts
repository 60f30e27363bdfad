import { accessIn } from "../../access/of-plan.ts";
import { addressOf, botAddress } from "../../access/renamed.ts";
import { readersOf } from "../../access/rights.ts";
import { decidesReading } from "../../access/rules.ts";
import { BOT, CHANNEL, channelAddress, isChannel } from "../../access/scope.ts";
import { isPrivate } from "../../access/state.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { type Named, namedOf, type RiskFact } from "../../model/facts.ts";
import { addTo } from "../../model/indexed.ts";
import { oncePer } from "../../model/lazy.ts";
import { type Change, fieldIn, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRole, type RoleWord } from "../../model/roles.ts";
import { roleRisks } from "../account-reach.ts";
import { accountMayJoinInto } from "../may-join-into.ts";
import { becomesOurs } from "./calls.ts";

type BotAddressRisk = Extract<RiskFact, { readonly kind: "bot-address" }>;

export function botRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const { fields, action } = change;
  const object = namedOf(change);
  const live = context.pair(change.address)?.live?.fields;
  const now: RoleWord = isRole(live?.role) ? live.role : "member";
  const wanted = fieldIn(fields, "role")?.after;
  const role = isRole(wanted) ? wanted : now;
  const risk = (kind: FoundRisk["kind"], fact: RiskFact, field?: string): FoundRisk => ({ kind, fact, field });
  if (action === "create") return [risk("widens", { kind: "bot-made", object, role })];
  const risks = [...roleRisks(change, now, context), ...accountMayJoinInto(change, context)];
  if (change.was !== undefined)
    risks.push(risk("narrows", { kind: "bot-address", object, ...addressesOf(change, context) }, "name"));
  const owner = fieldIn(fields, "owner");
  if (owner !== undefined)
    risks.push(
      risk(
        "widens",
        {
          kind: "bot-given",
          object,
          owner: personNamed(owner.after),
          ...formerOwner(change, context),
          ...channelsGiven(change, context),
        },
        owner.field,
      ),
    );
  else if (becomesOurs(change, context)) {
    const { realm, snapshot } = context;
    risks.push(
      risk("widens", {
        kind: "bot-given",
        object,
        owner: personNamed(realm.userName(snapshot.account.user_id)),
        ...formerOwner(change, context),
      }),
    );
  }
  const activity = fieldIn(fields, "deactivated");
  if (activity?.after === true) {
    risks.push(...channelsTaken(change, context).map((fact) => risk("narrows", fact, activity.field)));
    const nothing = { bots: [], invitations: null, links: null, channels: null };
    risks.push(
      risk("removes", { kind: "account-deactivated", object, from: now, is_bot: true, ...nothing }, activity.field),
    );
  } else if (activity !== undefined)
    risks.push(risk("widens", { kind: "account-reactivated", object, role, is_bot: true }, activity.field));
  return risks;
}

function addressesOf({ id, name }: Change, { unrenamed }: PlanContext): Pick<BotAddressRisk, "addresses"> {
  const bot = id === undefined ? undefined : unrenamed.user(id);
  if (bot === undefined) return {};
  return { addresses: { before: quote(addressOf(bot)), after: quote(botAddress(bot, name, unrenamed.snapshot)) } };
}

/** Who owned a bot before that is in use after the plan: its key stays the same, so they have it. */
function formerOwner({ id }: Change, context: PlanContext): { readonly former?: Named } {
  const former = id === undefined ? undefined : context.realm.user(id)?.bot_owner_id;
  const isInUse = id !== undefined && accessIn(context).after.account(id)?.active === true;
  const named = typeof former === "number" && isInUse ? personNamed(context.realm.userName(former)) : null;
  return named === null ? {} : { former: named };
}

/** Private channels that the new owner reads only through the bot. */
function channelsGiven({ id }: Change, context: PlanContext): { readonly channels?: readonly Named[] } {
  const { changes, difference } = accessIn(context);
  if (id === undefined) return {};
  const found = (difference.openedByBots.get(id) ?? []).map(({ name }): Named => {
    const address = channelAddress(name);
    return namedOf(changes.get(address) ?? { address, name });
  });
  return found.length === 0 ? {} : { channels: found };
}

/** Private channels that the owner until now read only through the bot. What a change of the channel itself takes away, that one says. */
const channelsTaken = ({ id }: Change, context: PlanContext): readonly RiskFact[] =>
  id === undefined ? [] : (takenWithBots(context).get(id) ?? []);

/** By the bot that is deactivated: one that only gets another owner keeps its key. One look at each channel, however many bots there are. */
const takenWithBots = oncePer((context: PlanContext): ReadonlyMap<number, readonly RiskFact[]> => {
  const { before, after, changes, difference } = accessIn(context);
  const found = new Map<number, RiskFact[]>();
  const ending = context.changes.flatMap(({ id, kind, fields }) => {
    const owner = kind === BOT && id !== undefined ? before.accounts.owners.get(id) : undefined;
    const ends = sets(fields, "deactivated", true);
    return id !== undefined && owner !== undefined && ends && after.account(owner)?.active === true
      ? [[id, owner] as const]
      : [];
  });
  if (ending.length === 0) return found;
  const owners = after.population.of(ending.map(([, owner]) => owner));
  for (const pair of difference.pairs([CHANNEL])) {
    const { was, is } = pair;
    if (was === undefined || was === "organization" || is === "organization" || !isChannel(was) || !isPrivate(was))
      continue;
    const address = channelAddress(is.name);
    if (changes.get(address)?.fields.some(({ field }) => decidesReading(field)) === true) continue;
    const lost = difference.reading(pair).lost.and(owners);
    if (lost.size === 0) continue;
    const readers = readersOf(before, was).people;
    const object = namedOf(changes.get(address) ?? { address, name: is.name });
    for (const [bot, owner] of ending)
      if (lost.has(owner) && readers.has(bot))
        addTo(found, bot, { kind: "readers", object, shift: "lost", people: 1, at_most: false });
  }
  return found;
});

function personNamed(name: unknown): Named | null {
  return typeof name === "string" ? { address: `person:${name}`, name } : null;
}
