import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { readConfig } from "../src/config/read-config.ts";
import { kinds } from "../src/kinds/registry.ts";
import { type Diagnostic, EXIT, isFatal, STOPS } from "../src/model/diagnostic.ts";
import { isAboutTheAccount } from "../src/model/plan.ts";
import { Realm } from "../src/model/realm.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { planChanges } from "../src/plan/plan.ts";
import { driftOf } from "../src/workflow/workflow.ts";
import { casesOf } from "./support/cases.ts";
import { lookAt } from "./support/pictures.ts";
import { realmOf } from "./support/realm.ts";

/*
 * No error that only the state of the server shows hides anything else. Every state that raises one is tried with a private channel that somebody opened in
 * the same hour: drift and plan must tell of the channel. The states are those of the case folders, and a few more here. A code of a kind or of the planner
 * that none of them raises has to be in a table below, with its reason.
 */

const VAULT = "opened-in-the-same-hour";

interface State {
  readonly name: string;
  readonly yaml: string;
  readonly live: Snapshot;
}

const state = (name: string, lines: string, overlay: Parameters<typeof realmOf>[0] = {}): State => ({
  name,
  yaml: `version: 1\n${lines}\n`,
  live: realmOf(overlay),
});

const invitationTo = (channel: string): string =>
  `invites: [{emails: [new@acme.example], send_until: 2026-11-24, channels: [${channel}]}]`;

const OLD = { channels: [{ name: "old", is_archived: true }] };
const sample = realmOf({});

const MORE: readonly State[] = [
  state("a bot owns a bot", "bots: {x-bot: {owner: deploy-bot@localhost}}"),
  state("a channel of an invitation was archived", invitationTo("old"), { ...OLD, invites: [] }),
  state("a channel of an invitation was renamed", invitationTo("gone"), { invites: [] }),
  state("one person under two names", "people: {user:7: {role: member}, ben@acme.example: {role: member}}"),
  state("an id that nothing has", "channels: {general: {id: 99}}", { channels: [{ name: "general" }] }),
  state("a field of another id has the name", "profile_fields:\n  - {id: 501, name: Team, type: short_text}", {
    profile_fields: [
      { name: "Group", type: "short_text" },
      { name: "Team", type: "short_text" },
    ],
  }),
  state("a channel of the settings was archived", "settings: {new_stream_announcements_channel: old}", OLD),
  state("a channel of the settings was renamed", "settings: {new_stream_announcements_channel: gone}"),
  state(
    "nobody may make the group that the right is for",
    "settings: {permissions: {can_create_groups: {groups: [crew]}}}\nuser_groups: {crew: {members: [ada@acme.example]}}",
    { settings: { can_create_groups: 9 } },
  ),
  state("a sign-in method went", "settings: {authentication_methods: {Email: true, Gone: true}}"),
  { ...state("a setting went", "settings: {invite_required: true}"), live: withoutSetting("invite_required") },
  state("the plan of the organization ended", "user_groups: {crew: {description: New}}", {
    settings: { zulip_plan_is_not_limited: false },
  }),
  {
    ...state("two accounts have one address", "user_groups: {crew: {members: [ben@acme.example]}}"),
    live: {
      ...sample,
      users: [...sample.users, ...sample.users.slice(1, 2).map((user) => ({ ...user, user_id: 990 }))],
    },
  },
];

function withoutSetting(name: string): Snapshot {
  const { [name]: _, ...settings } = sample.settings;
  return { ...sample, settings };
}

/** Codes that no state of a server raises as errors. */
const NOT_OF_STATES: { readonly [why: string]: readonly string[] } = {
  "warnings only": [
    "bots/is-deactivated",
    "channels/sign",
    "channels/was",
    "invites/deactivated-account",
    "invites/differs",
    "invites/not-asked-for",
    "people/is-deactivated",
    "plan/swap-taken-as-done",
    "plan/was-not-found",
    "reference/misspelt-group",
  ],
  "the file alone shows it, as config/same-id and config/renamed-twice": [
    "plan/same-object",
    "plan/same-was",
    "invites/send-until",
    "reference/except",
  ],
  "what somebody asks for with --only, --except and --with-needs": [
    "targets/needs",
    "targets/no-match",
    "targets/not-alone",
    "targets/nothing-left",
    "targets/section",
  ],
};

/** The state with a private channel that is public now. */
function withOpened({ yaml, live, name }: State): State {
  const file = parseDocument(yaml);
  // A reading without subscribers cannot be compared with a list of them, and that is said alone.
  const list = live.subscribers === null ? {} : { subscribers: { users: [live.account.email] } };
  file.setIn(["channels", VAULT], { privacy: "private_shared_history", ...list });
  const id = 990_001;
  const [vault] = realmOf({ channels: [{ name: VAULT }] }).channels;
  if (vault === undefined) throw new RangeError("no channel");
  const subscribers = live.subscribers === null ? null : { ...live.subscribers, [String(id)]: [live.account.user_id] };
  return {
    name,
    yaml: String(file),
    live: { ...live, channels: [...live.channels, { ...vault, stream_id: id }], subscribers },
  };
}

async function read({ yaml, live }: State) {
  const file = { file: "realm.yaml", readFile: async () => yaml, lookAt, kinds };
  const desired = await readConfig({ ...file, realm: new Realm(live) });
  const offline = await readConfig({ ...file, realm: undefined });
  const alone = new Set<string>(offline.ok ? [] : offline.diagnostics.filter(isFatal).map(({ code }) => code));
  const planned = (comparesOnly: boolean) =>
    desired.ok
      ? planChanges({ desired: desired.value, snapshot: live, kinds, toolVersion: "0.0.0", comparesOnly })
      : desired;
  return { planned, alone };
}

const aboutTheAccount = (code: string): boolean => code.endsWith("/not-allowed") || code === "settings/owner-only";
const isFinding = ({ unresolved }: Diagnostic): boolean => unresolved !== undefined;
const codesOf = (diagnostics: readonly Diagnostic[]): readonly string[] => diagnostics.map(({ code }) => code);

const raised = new Set<string>();
const stops: ReadonlySet<string> = STOPS;

describe.each([...casesOf(), ...MORE].map(withOpened))("$name", (state) => {
  test("drift and plan tell of a channel that was opened in the same hour", async () => {
    const { planned, alone } = await read(state);
    const plan = planned(true);
    for (const code of alone) raised.add(code);
    const stopped = plan.ok ? [] : codesOf(plan.diagnostics.filter(isFatal));
    expect(stopped.filter((code) => !alone.has(code) && !stops.has(code))).toEqual([]);
    if (!plan.ok) return;
    const { differences, exitCode } = driftOf(plan.value);
    expect(differences.map(({ address }) => address)).toContain(`channel:${VAULT}`);
    expect(exitCode).toBe(EXIT.changesPending);

    const whole = planned(false);
    if (whole.ok) {
      for (const code of codesOf(whole.value.warnings.filter(isFinding))) raised.add(code);
      expect(whole.value.changes.map(({ address }) => address)).toContain(`channel:${VAULT}`);
    } else {
      for (const code of codesOf(whole.diagnostics.filter(isFinding))) raised.add(code);
      const others = whole.diagnostics.filter((one) => isFatal(one) && !isAboutTheAccount(one));
      expect(codesOf(others).filter((code) => !alone.has(code) && !stops.has(code))).toEqual([]);
    }
  });
});

test("every code of a kind or of the planner has a state above that raises it, or a reason", () => {
  const sources = ["src/kinds", "src/plan"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
  const codes = new Set(
    sources.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/\b(?:error|finding)\(\s*"([a-z_]+\/[a-z-]+)"/g)].map(
        ([, code = ""]) => code,
      ),
    ),
  );
  const known = new Set([...raised, ...stops, ...Object.values(NOT_OF_STATES).flat()]);
  const open = [...codes].filter((code) => !known.has(code) && !aboutTheAccount(code));
  expect(open.sort()).toEqual([]);
});
