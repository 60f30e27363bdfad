import { cases } from "../model/cases.ts";
import { defined } from "../model/defined.ts";
import { callText } from "../model/diagnostics/calls.ts";
import type { Difference } from "../model/output-schemas.ts";
import type { Address, Call, Change, ChangedBy, FieldChange, Guard, Purpose, Risk } from "../model/plan.ts";
import type { CallResult } from "../model/result.ts";
import { isUndeclared, momentText } from "./layout.ts";
import { guardText } from "./words/guards.ts";
import { riskText } from "./words/risks.ts";

/**
 * One object that does not match the file, for readers of a drift: what was done to the organization. The plan that finds the difference has the
 * opposite direction, since it reverts the change. Every report of a drift is made from this view.
 */
type DriftView = Pick<Difference, "state" | "access" | "deletes_messages" | "fields">;

const STATE = {
  create: "missing",
  remove: "extra",
  update: "different",
  reorder: "reordered",
} as const satisfies Record<Change["action"], DriftView["state"]>;

/** The change that would revert the drift, read as the drift itself. */
export function driftView({ action, fields, drifted = "same" }: Change): DriftView {
  return {
    state: STATE[action],
    access: drifted,
    ...defined({
      deletes_messages: fields.some((field) => field.keeps_messages === true) ? (true as const) : undefined,
    }),
    // The file does not say which rights the creator would get.
    fields: fields
      .filter(({ implied }) => implied !== true)
      .map(({ field, before, after, at, unset, hidden }) => ({
        field,
        file: after,
        realm: before,
        ...defined({ at, unset, hidden }),
      })),
  };
}

/** A field of a drift as a change: from the file to the realm. */
export const driftChange = ({ field, file, realm, unset, hidden }: DriftView["fields"][number]): FieldChange => ({
  field,
  before: file,
  after: realm,
  ...defined({ unset, hidden }),
});

export const hasWiderAccess = ({ access }: Pick<DriftView, "access">): boolean =>
  access === "widens" || access === "both";
export const hasLessAccess = ({ access }: Pick<DriftView, "access">): boolean =>
  access === "narrows" || access === "both";

/** The text about an object besides its fields; empty if the fields say everything. */
export const stateText = cases<Change, "action">("action", {
  create: ({ may_be_unseen }) =>
    may_be_unseen === true
      ? "in the file; missing on the server, or this account does not see it"
      : "in the file, missing on the server",
  remove: (change) =>
    isUndeclared(change) ? "on the server, and not in the file (exact)" : "still on the server; the file removes it",
  reorder: "order differs from the file",
  update: "",
});

/** The same facts as the text has, for JSON. */
export function driftDifference(change: Change): Difference {
  const { action, risks, fields: _, drifted: __, ...identity } = change;
  return { ...identity, ...driftView(change), put_back: { action, risks: risks.map(saidRisk) } };
}

const DAY_MS = 86_400_000;
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/**
 * "privacy changed by Iago on Tuesday 14:02 UTC"; a change that is a week old has its date.
 * @param readAt when the organization was read
 */
export function changedByText({ field, full_name, at }: ChangedBy, readAt: string): string {
  const [moment, read] = [new Date(at), Date.parse(readAt)];
  const isRecent = read - moment.getTime() < 6 * DAY_MS;
  const when = isRecent ? `${DAYS[moment.getUTCDay()]} ${at.slice(11, 16)} UTC` : momentText(at);
  return `${field} changed by ${full_name} on ${when} (from the channel's events)`;
}

/** A risk with its sentence, for readers of JSON who do not want to make sentences of facts. */
const saidRisk = (risk: Risk) => ({ ...risk, message: riskText(risk) });
export const saidChange = (change: Change) => ({ ...change, risks: change.risks.map(saidRisk) });
export const saidGuard = <G extends Pick<Guard, "name" | "fact">>(guard: G) => ({
  ...guard,
  message: guardText(guard),
});

/** A call's result with its sentence instead of the fact, its purpose, and the server's message if it refused. */
export const saidCall = ({ fact, ...result }: CallResult, call: Call | undefined, changes: ChangesByAddress) => ({
  ...result,
  operation: call?.operation ?? "",
  objects: (call?.for ?? []).map((purpose) => objectOf(purpose, changes.get(purpose.address))),
  ...defined({
    message: fact === undefined ? undefined : callText(fact),
    server_said: fact?.kind === "refused" ? callText(fact) : undefined,
  }),
});

type ChangesByAddress = ReadonlyMap<Address, Change>;

/** An object that a call changes, and which of its values. */
function objectOf({ address, fields }: Purpose, change: Change | undefined) {
  const own = change?.fields.filter(({ field }) => fields.includes(field)) ?? [];
  return {
    address,
    ...defined({ action: change?.action }),
    fields: own.map(({ field, before, after, hidden }) => ({ field, before, after, ...defined({ hidden }) })),
  };
}
