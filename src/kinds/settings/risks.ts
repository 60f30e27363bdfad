import { daysOf, FULL_MEMBERS, WAITING_PERIOD } from "../../access/account.ts";
import { type Shifted, webShiftsBetween } from "../../access/difference.ts";
import { accessIn } from "../../access/of-plan.ts";
import { opening } from "../../access/opened-channels.ts";
import { ADMINISTER, MANAGE_ALL, SPECTATORS } from "../../access/rules.ts";
import { channelAddress } from "../../access/scope.ts";
import { defined } from "../../model/defined.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import { isRightName } from "../../model/permission-settings.ts";
import { type Change, type FieldChange, fieldIn, type SideEffects, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { listed } from "../../model/texts.ts";
import { openedToInvited } from "../invited-into.ts";
import { mayJoinInto, membershipFacts, shiftRisks, sizesOf } from "../may-join-into.ts";
import { isPicture, pictureRisks } from "./pictures.ts";
import { AUTHENTICATION_METHODS } from "./schema.ts";

/** The changes that a reviewer must see first: who can join, who can do what, what others can see, and what is lost for good. */
export function settingsRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const found = change.fields.flatMap((own) =>
    risksOf(own, change, context).map((one) => ({ ...one, field: own.field })),
  );
  return [...found, ...openedToInvited(change, context)];
}

function risksOf(field: FieldChange, change: Change, context: PlanContext): readonly FoundRisk[] {
  const { field: name, after } = field;
  if (isRightName(name))
    return [...rightRisks(name, context), ...(name === MANAGE_ALL ? joinRisks(change, context) : [])];
  if (name === AUTHENTICATION_METHODS) return methodRisks(field);
  if (isPicture(name)) return pictureRisks(field);
  switch (name) {
    case "invite_required":
    case "emails_restricted_to_domains":
      return joiningRisks(field, change, context);
    case "message_retention_days":
      return retentionRisks(field);
    case DIGEST:
      return after === true ? [{ kind: "widens", fact: { kind: "digest-emails", people: peopleOf(context) } }] : [];
    case WAITING_PERIOD:
      return waitingRisks(field, context);
    case SPECTATORS:
      return webRisks(field, context);
    case "moderation_request_channel":
      return reportsRisks(field, context);
    default: {
      if (name === "require_e2ee_push_notifications" && after === true && context.realm.level >= ENCRYPTED_ONLY)
        return [{ kind: "narrows", fact: { kind: "phones-silent" } }];
      const what = OPENED[name];
      return what !== undefined && opening(name, field.before, after).opens ? opened(what) : [];
    }
  }
}

type Opened = Extract<RiskFact, { readonly kind: "opened" }>["what"];
const opened = (what: Opened): readonly FoundRisk[] => [{ kind: "widens", fact: { kind: "opened", what } }];

/** What the more open values of some settings show to others. */
const OPENED: { readonly [field: string]: Opened } = {
  want_advertise_in_communities_directory: "directory",
  disallow_disposable_email_addresses: "disposable-addresses",
  message_content_allowed_in_email_notifications: "messages-in-emails",
  require_e2ee_push_notifications: "messages-on-phones",
  inline_url_embed_preview: "previews",
  message_edit_history_visibility_policy: "edit-history",
};

/** Before this level, notifications that are not encrypted are sent without their text (docs/reference/levels.md). */
const ENCRYPTED_ONLY = 500;

/** The channels that are open to the web already, or stay so, as soon as the setting lets the web read them. */
function webRisks({ after }: FieldChange, context: PlanContext): readonly FoundRisk[] {
  const { before, after: then, changes } = accessIn(context);
  const shifted = webShiftsBetween(before, then, ({ name, privacy }) => before.channel(name)?.privacy === privacy);
  return [
    ...(after === true ? opened("web") : []),
    ...shifted.map(({ target: { name }, opens }): FoundRisk => {
      const address = channelAddress(name);
      const object = namedOf(changes.get(address) ?? { address, name });
      return opens
        ? { kind: "widens", fact: { kind: "open-to-web", object, is_new: false } }
        : { kind: "narrows", fact: { kind: "closed-to-web", object } };
    }),
  ];
}

const DIGEST = "digest_emails_enabled";
const peopleOf = ({ snapshot }: PlanContext): number =>
  snapshot.users.filter(({ is_active, is_bot }) => is_active && !is_bot).length;

/** The server mails a summary to everybody who was away. */
export function settingsEffects(changes: readonly Change[], context: PlanContext): Partial<SideEffects> {
  const mails = changes.some(({ fields }) => sets(fields, DIGEST, true));
  return mails ? { emails: peopleOf(context) } : {};
}

/** Both settings together say who may join; the risk is shown once, at the first of them. */
function joiningRisks({ field, after }: FieldChange, { fields }: Change, { realm }: PlanContext): readonly FoundRisk[] {
  const names = ["invite_required", "emails_restricted_to_domains"] as const;
  const changed = fields.filter((candidate) => names.some((name) => name === candidate.field));
  const wanted = (name: string): boolean => (fieldIn(fields, name)?.after ?? realm.setting(name)) === true;
  const state = { invited: wanted(names[0]), domains: wanted(names[1]) };
  const isOpening = changed.some((candidate) => candidate.after === false);
  const first = changed.find((candidate) => candidate.after === !isOpening);
  if (first?.field !== field) return [];
  const shift = after === false ? "gained" : "lost";
  return [{ kind: after === false ? "widens" : "narrows", fact: { kind: "joining", ...state, shift } }];
}

function rightRisks(setting: string, context: PlanContext): readonly FoundRisk[] {
  const { difference } = accessIn(context);
  const pair = { was: "organization", is: "organization" } as const;
  const sizes = sizesOf(difference.of(pair, setting), context);
  const newcomers = difference.newcomers(pair, setting);
  const later = defined({ newcomers: newcomers.length === 0 ? undefined : newcomers });
  const right = { kind: "organization-right", setting } as const;
  const gains = { ...right, shift: "gained", people: sizes.gained, ...later } as const;
  return [
    ...(sizes.gained + newcomers.length > 0 ? [{ kind: "widens", fact: gains } as const] : []),
    ...shiftRisks({ ...sizes, gained: 0 }, (shift, people) => ({ ...right, shift, people })),
  ];
}

/** Whoever manages all groups can put themselves into those that private channels admit, or that administer channels. */
function joinRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const names = [...accessIn(context).after.channels()].map(({ name }) => name);
  const facts = [mayJoinInto(change, names, context), mayJoinInto(change, names, context, ADMINISTER)];
  return facts.flatMap((fact): readonly FoundRisk[] => (fact === undefined ? [] : [{ kind: "widens", fact }]));
}

function methodRisks({ before, after }: FieldChange): readonly FoundRisk[] {
  const [from, to] = [before, after].map(listed);
  const only = (these: readonly string[] = [], others: readonly string[] = [], shift: keyof Shifted = "gained") =>
    these
      .filter((name) => !others.includes(name))
      .flatMap((method) => shiftRisks({ gained: 0, lost: 0, [shift]: 1 }, () => ({ kind: "sign-in", method, shift })));
  return [...only(to, from), ...only(from, to, "lost")];
}

const days = (value: Json): number => (typeof value === "number" ? value : Number.POSITIVE_INFINITY);

export function keepsMessages({ field, before, after }: FieldChange): boolean {
  return field === "message_retention_days" && days(after) > days(before);
}

function retentionRisks({ before, after }: FieldChange): readonly FoundRisk[] {
  if (days(after) >= days(before)) return [];
  return [{ kind: "irreversible", fact: { kind: "messages-deleted-everywhere", days: days(after) } }];
}

/**
 * A report has the words of the message, also of a direct message and of one in a private channel. The channel is private, so whoever comes into it later
 * is counted anyway.
 */
function reportsRisks({ before, after }: FieldChange, context: PlanContext): readonly FoundRisk[] {
  if (typeof after !== "string") return [];
  const { difference } = accessIn(context);
  const is = difference.after.channel(after);
  if (is === undefined) return opened("reports");
  const pair = { was: typeof before === "string" ? difference.before.channel(before) : undefined, is };
  const { gained, bound } = difference.reading(pair);
  return bound || gained.size > 0 || difference.newReaders(pair).length > 0 ? opened("reports") : [];
}

/** People who become full members or stop being full members, and the private channels that they gain or lose by it. */
function waitingRisks({ before, after }: FieldChange, context: PlanContext): readonly FoundRisk[] {
  if (daysOf(after) === undefined) return [];
  const object = { address: `user_group:${FULL_MEMBERS}`, name: FULL_MEMBERS } as const;
  const access = accessIn(context);
  return [
    ...(opening(WAITING_PERIOD, before, after).opens ? opened("waiting-period") : []),
    ...(["gained", "lost"] as const).flatMap((shift) =>
      membershipFacts(object, shift, access).map(
        (fact): FoundRisk => ({ kind: shift === "gained" ? "widens" : "narrows", fact }),
      ),
    ),
  ];
}
