import { daysOf, FULL_MEMBERS, WAITING_PERIOD } from "../../access/full-members.ts";
import { accessIn } from "../../access/of-plan.ts";
import type { People } from "../../access/people.ts";
import { organizationHolders, readersOf } from "../../access/rights.ts";
import { type AccessState, isPrivate } from "../../access/state.ts";
import { defined } from "../../model/defined.ts";
import { type Named, namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import type { Address, Change, FieldChange, Risk } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { listed } from "../../model/texts.ts";
import { isPermission } from "./permissions.ts";
import { isPicture, pictureRisks } from "./pictures.ts";
import { AUTHENTICATION_METHODS } from "./schema.ts";

interface Found {
  readonly kind: Risk["kind"];
  readonly fact: RiskFact;
}

/** The changes that a reviewer must see first: who can join, who can do what, what others can see, and what is lost for good. */
export function settingsRisks(change: Change, context: PlanContext): readonly Risk[] {
  return change.fields.flatMap((field) => {
    const at = field.at ?? change.at;
    return risksOf(field, change, context).map((found) => ({
      ...found,
      address: change.address,
      ...defined({ at }),
    }));
  });
}

function risksOf(field: FieldChange, change: Change, context: PlanContext): readonly Found[] {
  const { field: name, after } = field;
  if (isPermission(name)) return rightRisks(name, context);
  if (name === AUTHENTICATION_METHODS) return methodRisks(field);
  if (isPicture(name)) return pictureRisks(field);
  switch (name) {
    case "invite_required":
    case "emails_restricted_to_domains":
      return joiningRisks(field, change, context);
    case "message_retention_days":
      return retentionRisks(field);
    case "message_edit_history_visibility_policy":
      return seen(after) > seen(field.before) ? opened("edit-history") : [];
    case WAITING_PERIOD:
      return waitingRisks(field, context);
    default: {
      const [value, what] = OPENING[name] ?? [];
      return what !== undefined && after === value ? opened(what) : [];
    }
  }
}

type Opened = Extract<RiskFact, { readonly kind: "opened" }>["what"];
const opened = (what: Opened): readonly Found[] => [{ kind: "widens", fact: { kind: "opened", what } }];

/** Switches of which one value shows more to others, or lets more people join. */
const OPENING: { readonly [field: string]: readonly [value: boolean, what: Opened] } = {
  enable_spectator_access: [true, "web"],
  want_advertise_in_communities_directory: [true, "directory"],
  disallow_disposable_email_addresses: [false, "disposable-addresses"],
  message_content_allowed_in_email_notifications: [true, "messages-in-emails"],
  require_e2ee_push_notifications: [false, "messages-on-phones"],
  inline_url_embed_preview: [true, "previews"],
};

const seen = (policy: Json): number => ["none", "moves", "all"].indexOf(String(policy));

/** Both settings together say who may join; the risk is shown once, at the first of them. */
function joiningRisks({ field, after }: FieldChange, { fields }: Change, { realm }: PlanContext): readonly Found[] {
  const names = ["invite_required", "emails_restricted_to_domains"] as const;
  const changed = fields.filter((candidate) => names.some((name) => name === candidate.field));
  const wanted = (name: string): boolean =>
    (fields.find((candidate) => candidate.field === name)?.after ?? realm.setting(name)) === true;
  const state = { invited: wanted(names[0]), domains: wanted(names[1]) };
  const isOpening = changed.some((candidate) => candidate.after === false);
  const first = changed.find((candidate) => candidate.after === !isOpening);
  if (first?.field !== field) return [];
  return after === false
    ? [{ kind: "widens", fact: { kind: "joining", ...state, shift: "gained" } }]
    : [{ kind: "narrows", fact: { kind: "joining", ...state, shift: "lost" } }];
}

function rightRisks(setting: string, context: PlanContext): readonly Found[] {
  const { gained, lost } = shiftOf(context, (state) => organizationHolders(state, setting) ?? state.population.nobody);
  const right = { kind: "organization-right", setting } as const;
  return [
    ...(gained > 0 ? [{ kind: "widens", fact: { ...right, shift: "gained", people: gained } } as const] : []),
    ...(lost > 0 ? [{ kind: "narrows", fact: { ...right, shift: "lost", people: lost } } as const] : []),
  ];
}

function methodRisks({ before, after }: FieldChange): readonly Found[] {
  const [from, to] = [before, after].map(listed);
  const only = (these: readonly string[] = [], others: readonly string[] = []) =>
    these.filter((name) => !others.includes(name));
  return [
    ...only(to, from).map((method): Found => ({ kind: "widens", fact: { kind: "sign-in", method, shift: "gained" } })),
    ...only(from, to).map((method): Found => ({ kind: "narrows", fact: { kind: "sign-in", method, shift: "lost" } })),
  ];
}

const days = (value: Json): number => (typeof value === "number" ? value : Number.POSITIVE_INFINITY);

export function keepsMessages({ field, before, after }: FieldChange): boolean {
  return field === "message_retention_days" && days(after) > days(before);
}

function retentionRisks({ before, after }: FieldChange): readonly Found[] {
  if (days(after) >= days(before)) return [];
  return [{ kind: "irreversible", fact: { kind: "messages-deleted-everywhere", days: days(after) } }];
}

/** People who become full members or stop being full members, and the private channels that they gain or lose by it. */
function waitingRisks({ after }: FieldChange, context: PlanContext): readonly Found[] {
  if (daysOf(after) === undefined) return [];
  const object = { address: `user_group:${FULL_MEMBERS}`, name: FULL_MEMBERS } as const;
  const { gained, lost } = shiftOf(context, (state) => state.membersOf(FULL_MEMBERS));
  const access = accessIn(context);
  const members = { kind: "members", object } as const;
  return [
    ...(gained > 0
      ? [
          {
            kind: "widens",
            fact: {
              ...members,
              shift: "gained",
              people: gained,
              channels: opening(access.before, access.after, context),
            },
          } as const,
        ]
      : []),
    ...(lost > 0
      ? [
          {
            kind: "narrows",
            fact: { ...members, shift: "lost", people: lost, channels: opening(access.after, access.before, context) },
          } as const,
        ]
      : []),
  ];
}

/** Private channels that somebody can read in the second state, and not in the first. */
function opening(from: AccessState, to: AccessState, { changes }: PlanContext): readonly Named[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const found: Named[] = [];
  for (const channel of to.channels()) {
    const other = from.channel(channel.name);
    if (other === undefined || channel.archived || !isPrivate(channel) || !isPrivate(other)) continue;
    if (readersOf(to, channel).people.isWithin(readersOf(from, other).people)) continue;
    const address: Address = `channel:${channel.name}`;
    found.push(namedOf(byAddress.get(address) ?? { address, name: channel.name }));
  }
  return found;
}

/** How many people (not bots) join these, and how many leave. */
function shiftOf(context: PlanContext, among: (state: AccessState) => People) {
  const { before, after } = accessIn(context);
  const [now, then] = [among(before), among(after)];
  const { bots } = before.accounts;
  return { gained: then.sizeWithout(now, bots), lost: now.sizeWithout(then, bots) };
}
