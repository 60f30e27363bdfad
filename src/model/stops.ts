import type { Code } from "./diagnostic.ts";

/**
 * Errors that stop everything although the file without a server has none of them. Every other error that only a reading shows is a finding about its object,
 * and the rest goes on (docs/internals/decisions/0005-unresolved-names-are-findings.md). Those about the account (`…/not-allowed`) stop a plan, too: another
 * account would make all of it.
 */
export const STOPS: ReadonlySet<Code> = new Set([
  // The file gives an object another name and uses the old one elsewhere: both lines are in the file.
  "reference/renamed",
  // The same of an open invitation: nothing but the line says where it leads, so the names are not given before it is right.
  "invites/leads-elsewhere",
  // The rest of the plan may need the role that is taken away, so the order is for a person to choose.
  "people/own-role-alone",
  // The file is for another organization: nothing in it is meant for this one.
  "realm/other-realm",
  // The reading is too small, whatever the organization is like: with a whole one, the plan is another.
  "channels/subscribers-not-read",
]);
