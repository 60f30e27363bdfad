import { removed } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { type Change, fieldIn, type ObjectChange, objectChanges, type Param } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { CODE_LANGUAGE, languageIn, languageTakenBy, NO_LANGUAGE } from "../code-language.ts";
import { leastRemovedAndAdded, removedAndAdded } from "../requests.ts";
import { playgroundRow } from "./live.ts";
import { ownName } from "./schema.ts";

const SETTINGS = "settings:organization";
const RANK = { remove: 50, add: 51, language: 52 } as const;

/** A playground that changes is removed and added again, since no request changes one (zulip-api.md §12.5). */
export function playgroundCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const taking = objectChanges(changes).find((change) => takesLanguage(change, context));
  const drafts = objectChanges(changes).flatMap((change) => {
    const [first, ...rest] = ownCalls(change, context);
    if (first === undefined) return [];
    return [change === taking ? takingLanguage(first, change) : first, ...rest];
  });
  return [...drafts, ...languageCalls(changes, context)];
}

const ownCalls = removedAndAdded({
  add: ({ name, fields }) => ({
    operation: "add-code-playground",
    params: {
      name: ownName(name),
      pygments_language: languageIn(name),
      url_template: String(fieldIn(fields, "url_template")?.after),
    },
    rank: RANK.add,
  }),
  remove: ({ address, name }, { realm }) => {
    const id: Param | undefined = playgroundRow(name, realm)?.id;
    if (typeof id !== "number") throw new RangeError(`${address} is not on the server`);
    return { operation: "remove-code-playground", path: { playground_id: id }, rank: RANK.remove };
  },
});

/** Two for a playground that changes, and one more if that cleared the default language of code blocks. */
export function leastPlaygroundCalls(changes: readonly Change[], context: PlanContext): number {
  return leastRemovedAndAdded(changes) + languageCalls(changes, context).length;
}

/** Whether removing this playground resets the default language of code blocks, so that the plan restores it or sets another. */
function takesLanguage(change: ObjectChange, context: PlanContext): boolean {
  return (
    change.action !== "create" &&
    languageTakenBy(change, context) !== undefined &&
    (isKept(change, context) || isSetAnew(context))
  );
}

/** The first removal clears the language, which is part of its effect: the later call finds none. */
function takingLanguage(draft: DraftCall, { name }: Change): DraftCall {
  return {
    ...draft,
    for: [...draft.for, { address: SETTINGS, fields: [CODE_LANGUAGE] }],
    expects: [...(draft.expects ?? []), { address: SETTINGS, field: CODE_LANGUAGE, value: languageIn(name) }],
  };
}

/** Sets the default language of code blocks again if removing a playground resets it and it must stay. */
function languageCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const taking = objectChanges(changes).filter((change) => takesLanguage(change, context) && isKept(change, context));
  const [first] = taking;
  if (first === undefined) return [];
  return [
    {
      operation: "update-realm",
      path: {},
      params: { default_code_block_language: languageIn(first.name) },
      for: [{ address: SETTINGS, fields: [CODE_LANGUAGE] }],
      expects: [{ address: SETTINGS, field: CODE_LANGUAGE, value: NO_LANGUAGE }],
      needs: taking.map(({ address }) => removed(address)),
      rank: RANK.language,
    },
  ];
}

/** Whether the setting must stay: yes, if the playground only changes, or if the file names the language. */
export function isKept(change: Change, context: PlanContext): boolean {
  if (isSetAnew(context)) return false;
  const wanted = context.pair("settings:organization")?.declared?.fields[CODE_LANGUAGE];
  const language = languageIn(change.name);
  if (wanted !== undefined) return wanted === language;
  // A playground of the language that only changes restores the setting.
  return context.changes.some(
    ({ kind, action, name }) => kind === change.kind && action === "update" && languageIn(name) === language,
  );
}

/** Whether the plan itself sets another default language of code blocks, or none. Then the server clears nothing that should stay. */
export function isSetAnew(context: PlanContext): boolean {
  return fieldIn(context.pair("settings:organization")?.change?.fields, CODE_LANGUAGE) !== undefined;
}
