import type { FactDiagnostic } from "./diagnostic.ts";
import type { UnfetchedPicture } from "./shown-picture.ts";

/** Why a file leaves out something of an organization; `src/report/words/export.ts` has the sentences. */
export type OmissionReason =
  /** @property is `no-value`: no file can ask for its value; `twin`: another entry says the same; `differs`: the server means something else by it */
  | { readonly is: "no-value" | "twin" | "differs" }
  | { readonly is: "not-fetched"; readonly picture: UnfetchedPicture }
  /** The file would be refused with it. */
  | { readonly is: "refused"; readonly by: FactDiagnostic };
