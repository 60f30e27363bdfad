import type { FactDiagnostic } from "./diagnostic.ts";
import type { UnfetchedPicture } from "./shown-picture.ts";

/** Why a file leaves out something of an organization; `src/report/words/export.ts` has the sentences. */
export type OmissionReason =
  /** @property is `no-value`: no file can set its value; `twin`: another entry says the same; `differs`: the server would read it differently */
  | { readonly is: "no-value" | "twin" | "differs" }
  | { readonly is: "not-fetched"; readonly picture: UnfetchedPicture }
  /** With it, the file would be refused. */
  | { readonly is: "refused"; readonly by: FactDiagnostic };
