/**
 * Kinds that the mixed plans (test/support/mixed-plans.ts: crashes and faults at every call) and the edits of somebody else in the middle of a
 * run (test/faults/editors.test.ts) do not have yet. Random organizations and files draw them all (test/properties/together.ts). A kind
 * leaves this list when both have it; a test fails when they do and it is still listed.
 */
export const NOT_DRAWN_YET: readonly string[] = [
  "bot",
  "emoji",
  "invite_link",
  "person",
  "playground",
  "profile_field",
  "settings",
  "user_defaults",
];
