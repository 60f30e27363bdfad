import type { DecodeContext } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { parseDuration } from "./duration.ts";
import type { Invite } from "./schema.ts";

const DAY_MINUTES = 1440;
/** The server's default for an invitation without this value (zulip-api.md §9.2). */
const SERVER_DEFAULT = "10d";

/** The end of that day in milliseconds; undefined if it is not a day. */
export function endOfDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const start = Date.parse(`${text}T00:00:00Z`);
  // February 30 is not a day, though it is parsed as one of March.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== text) return undefined;
  return start + DAY_MINUTES * 60_000;
}

/** The day after a moment, both of UTC: 2026-11-23T23:50:00Z → 2026-11-24. */
export function dayAfter(moment: string): string {
  return new Date(Date.parse(moment) + DAY_MINUTES * 60_000).toISOString().slice(0, 10);
}

/**
 * Whether the file asks for a mail that may be sent now. An expired invitation looks the same on the server as one that was never sent, so the file
 * says until when the mail is requested (docs/internals/decisions/0024-an-invitation-is-an-act.md). Without a realm there is no "now", and nothing is sent.
 */
export function isAskedFor({ send_until: written, expires_in: expires }: Invite, context: DecodeContext): boolean {
  if (written === undefined) return false;
  const until = endOfDay(written);
  if (until === undefined) {
    context.report(["send_until"], finding("invites/send-until", { cause: "no-day", text: quote(written) }));
    return false;
  }
  if (context.realm === undefined) return true;
  const now = Date.parse(context.realm.snapshot.taken_at);
  if (now >= until) return false;
  const holds = parseDuration(expires ?? SERVER_DEFAULT);
  if (typeof holds === "number" && until - now > Math.max(holds, DAY_MINUTES) * 60_000)
    context.report(
      ["send_until"],
      finding(
        "invites/send-until",
        { cause: "later-than-invitation", holds: quote(expires ?? SERVER_DEFAULT) },
        { severity: "warning" },
      ),
    );
  return true;
}
