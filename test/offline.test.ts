import { expect, test } from "vitest";
import { readConfig } from "../src/config/read-config.ts";
import { kinds } from "../src/kinds/registry.ts";
import type { Diagnostic } from "../src/model/diagnostic.ts";
import { plannedCases, planText } from "./support/cases.ts";
import { organization, sandboxStart } from "./support/organizations.ts";
import { lookAt } from "./support/pictures.ts";
import { realmOf } from "./support/realm.ts";

/*
 * If every organization refuses something at the same place, the file alone shows the error, and `validate` refuses it without a server. Checked with
 * the files of the cases whose plan is refused, against organizations that have little in common.
 */

/** Codes that depend on more than the file, although these organizations agree. */
const NEEDS_MORE: { readonly [what: string]: readonly string[] } = {
  "who and what there is": [
    "bots/full-name",
    "bots/name",
    "bots/owner-is-bot",
    "channels/unknown-folder",
    "default_channels/unknown-channel",
    "invites/made-inactive",
    "invites/unknown-channel",
    "navigation_views/same-name",
    "people/is-bot",
    "reference/deactivated-person",
    "reference/held",
    "reference/leaving-person",
    "reference/unknown-group",
    "reference/unknown-person",
    "settings/no-domain",
    "settings/unknown-channel",
    "settings/unknown-method",
  ],
  "whether the object is new, or what it is like": [
    "bots/type",
    "channels/nobody-left",
    "emoji/no-image",
    "emoji/replaces",
    "linkifiers/no-template",
    "navigation_views/no-is-pinned",
    "navigation_views/no-name",
    "people/bot-in-use",
    "plan/new-swap",
    "playgrounds/template",
    "profile_fields/account",
    "profile_fields/options",
    "profile_fields/type",
    "settings/moderation-channel",
  ],
  "whose key it is": ["people/oneself", "people/own-role-alone"],
  "what the server can do": [
    "channels/web-public-off",
    "plan/server-too-old",
    "settings/language",
    "settings/not-offered",
  ],
  "groups within a list, which the server takes to no effect": ["channels/group-not-allowed"],
};

const placesOf = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code, at }) => `${code} ${at?.line}:${at?.column}`);

/** The errors of a plan, also of one that leaves out what needs a name that does not resolve. */
const errorsOf = (planned: Awaited<ReturnType<typeof planText>>): readonly string[] =>
  placesOf(planned.ok ? planned.warnings : planned.diagnostics);

test("validate refuses without a server everything that every organization refuses", async () => {
  const realms = [realmOf({}), await sandboxStart(), await organization("chat.example.org", [])];
  const missed = new Set<string>();
  let refused = 0;
  for (const { yaml, plan: own } of await plannedCases()) {
    if (errorsOf(own).length === 0) continue;
    refused += 1;
    const file = { file: "realm.yaml", readFile: async () => yaml, lookAt, kinds, realm: undefined };
    const offline = await readConfig(file);
    const found = new Set(offline.ok ? [] : placesOf(offline.diagnostics));
    let unfound = errorsOf(own).filter((place) => !found.has(place));
    // An organization that takes the file ends the question for it.
    for (const realm of realms) {
      if (unfound.length === 0) break;
      const there = new Set(errorsOf(await planText(yaml, realm)));
      unfound = unfound.filter((place) => there.has(place));
    }
    for (const place of unfound) missed.add(place.split(" ")[0] ?? "");
  }
  expect(refused).toBeGreaterThan(100);
  expect([...missed].sort()).toEqual(Object.values(NEEDS_MORE).flat().sort());
});
