import type { FactDiagnostic } from "./diagnostic.ts";
import type { Person, Quoted, Word } from "./diagnostics/values.ts";
import type { FinalFact, LossFact, SideEffectFact } from "./kind-facts.ts";
import type { RoleWord } from "./roles.ts";

export type { CallFact } from "./diagnostics/calls.ts";

/** Why an undo leaves something as it is, or cannot restore it entirely; `src/report/undo-notes.ts` has the sentences. */
export type UndoFact =
  | { readonly why: "not-found" | "deleted" | "order-changed" | "alike" }
  | { readonly why: "created-and-changed" | "changed" | "cannot-be-set"; readonly field: Word }
  /** @property field the field that makes the object inactive: `archived`, `deactivated` */
  | { readonly why: "made-inactive"; readonly field: Word; readonly as?: Quoted }
  /** @property lost the part that is not restored; absent if it is the id */
  | { readonly why: "created-again"; readonly lost?: LossFact }
  | { readonly why: "side-effect-stays"; readonly effect: SideEffectFact }
  /** A previous value names accounts that are deactivated; `kept`: the rest of it is restored. */
  | {
      readonly why: "account-inactive";
      readonly field: Word;
      readonly people: readonly Quoted[];
      readonly kept: boolean;
    }
  /** People and bots who were not in a private channel when the run began that opened it, and who stay subscribed. */
  | { readonly why: "readers-stay"; readonly accounts: readonly Person[] }
  /** Who could not do it before that run. `groups`: those that they are in, or can put themselves into, and that give the right. */
  | {
      readonly why: "right-stays";
      readonly right: "read" | "administer" | "enter";
      readonly accounts: readonly { readonly person: Person; readonly groups: readonly Quoted[] }[];
    }
  /** A bot gets its owner back; who owned it until then has its key, which stays the same, and the bot reads something private, or administers something. */
  | { readonly why: "key-seen"; readonly account: Person }
  /** A bot that somebody took over or made since the run made them an administrator, and that reads something private, or administers something. */
  | { readonly why: "bot-taken"; readonly account: Person }
  /** An open invitation or link that was made since a run that opened something, and not by the account that undoes it. */
  | { readonly why: "invited-since"; readonly by?: Person; readonly role: RoleWord }
  /** Somebody who joined since a run that let people join, or let somebody invite them. */
  | { readonly why: "joined-since"; readonly role: RoleWord }
  | { readonly why: "not-reversible"; readonly reason: FinalFact }
  | { readonly why: "server-too-old"; readonly field: Word; readonly needs: number; readonly level: number }
  | { readonly why: "name-missing"; readonly field: Word; readonly name: Quoted }
  /** Another part that stays as it is needs this one; the diagnostic says which. */
  | { readonly why: "needed"; readonly by: Pick<FactDiagnostic, "code" | "fact"> }
  /** No plan may restore this part; the diagnostic says why. Without `field`, no field of the object is restored. */
  | { readonly why: "refused"; readonly field?: Word; readonly by: Pick<FactDiagnostic, "code" | "fact"> };

/** Something that an undo leaves as it is, or cannot restore entirely. */
export interface UndoNote {
  readonly kind: string;
  readonly name: string;
  readonly fact: UndoFact;
}
