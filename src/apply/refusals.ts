import { quote } from "../model/diagnostics/values.ts";
import type { Answer } from "../model/journal.ts";
import { isList, type Json } from "../model/json.ts";
import type { CallFact } from "../model/run-facts.ts";

/** The server's message about a refused call, with its messages about each part. */
export function refusalFact({ code, message, details, own }: Answer & { readonly outcome: "refused" }): CallFact {
  if (own !== undefined) return { kind: "refused-here", refusal: own };
  const parts = code === "INVITATION_FAILED" ? invitationErrors(details.errors) : [];
  return { kind: "refused", message: quote(message), parts };
}

/** Whether the call took effect for some of its purposes although it was refused. Invitations do (zulip-api.md §9.3). */
export function isPartlyDone({ details }: Answer & { readonly outcome: "refused" }): boolean {
  return details.sent_invitations === true;
}

/** The `errors` of a refused invitation: address, reason, whether the account is deactivated (zulip-api.md §9.3). */
function invitationErrors(errors: Json | undefined): (CallFact & { readonly kind: "refused" })["parts"] {
  if (errors === undefined || !isList(errors)) return [];
  return errors.flatMap((error) => {
    if (!isList(error)) return [];
    const [address, reason] = error;
    return typeof address === "string" && typeof reason === "string"
      ? [{ address: quote(address), reason: quote(reason.replace(/\.$/, "")) }]
      : [];
  });
}
