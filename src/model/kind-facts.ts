export type { ExportCaveat, InexpressibleFact } from "./diagnostics/inexpressible.ts";
export type { FinalFact, LossFact, SideEffectFact } from "./diagnostics/undo.ts";

/** Something that an account cannot change in a section that it can otherwise change. */
export type ReachCaveat =
  | "owners-change-owners"
  | "owners-change-some-settings"
  | "owners-change-retention"
  | "privacy-from-inside"
  | "channels-that-name-it";
