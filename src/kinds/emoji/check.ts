import { maySometime } from "../../access/of-plan.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { type Diagnostic, error, warning } from "../../model/diagnostic.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import { isBuiltIn } from "../../model/emoji-names.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { namedOf } from "../../model/facts.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { ADDING_RIGHT } from "./calls.ts";
import { authorOf, emojiIds } from "./live.ts";

/** Who may do what, and what a new emoji needs (zulip-api.md §12.4). */
export function checkEmoji(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [...changes.flatMap((change) => changeDiagnostics(change, context)), ...settledReplacements(context)];
}

function changeDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { realm, snapshot } = context;
  const { name, at, action } = change;
  const account = runningAccount(snapshot);
  const isRemoved = action === "remove" || action === "update";
  if (isRemoved && !realm.isAdmin && authorOf(name, realm) !== snapshot.account.user_id)
    return [error("emoji/not-allowed", { account, may_not: "remove", name: quote(name, "emoji") }, at)];
  if (action === "remove") return [];
  if (snapshot.account.is_bot) return [error("emoji/not-allowed", { account, may_not: "add-as-bot" }, at)];
  if (!maySometime(ADDING_RIGHT, context)) return [error("emoji/not-allowed", { account, may_not: "add" }, at)];
  if (isBuiltIn(name) && !realm.isAdmin) return [error("emoji/not-allowed", { account, may_not: "override" }, at)];
  if (fieldIn(change.fields, "image") !== undefined) return [];
  return [error("emoji/no-image", { name: quote(name, "emoji") }, at)];
}

/** `replaces` names an emoji that is already replaced, so that the line has done its work; or one that never existed, whose id a later emoji could get. */
function settledReplacements(context: PlanContext): readonly Diagnostic[] {
  const known = emojiIds(context.realm);
  return context.pairs("emoji").flatMap(({ declared, live }) => {
    const { replaces } = declared?.creation ?? {};
    const is = live?.fields.emoji_id;
    if (declared !== undefined && typeof replaces === "number" && !known.has(replaces))
      return [
        error(
          "emoji/replaces",
          { cause: "unknown-id", id: replaces, ...defined({ is: typeof is === "number" ? is : undefined }) },
          declared.spans.of("replaces") ?? declared.at,
        ),
      ];
    if (declared === undefined || typeof replaces !== "number" || typeof is !== "number" || is === replaces) return [];
    const fact = { cause: "other-id", name: quote(declared.name, "emoji"), id: replaces, is } as const;
    return [warning("emoji/replaces", fact, declared.at)];
  });
}

/** Pictures cannot be restored. A new emoji with the name of a built-in one replaces it for everybody. */
export function emojiRisks(change: Change, { realm }: PlanContext): readonly FoundRisk[] {
  const { action } = change;
  const object = namedOf(change);
  const author = authorOf(change.name, realm);
  const by = defined({
    author: whenDefined(author, (user_id) => ({ user_id, full_name: realm.user(user_id)?.full_name ?? "" })),
  });
  if (action === "remove") return [{ kind: "irreversible", fact: { kind: "emoji-removed", object, ...by } }];
  if (action === "update") return [{ kind: "irreversible", fact: { kind: "emoji-replaced", object, ...by } }];
  return isBuiltIn(change.name) ? [{ kind: "noisy", fact: { kind: "emoji-overrides", object } }] : [];
}
