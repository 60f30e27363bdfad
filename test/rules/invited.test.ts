import { describe, expect, test } from "vitest";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { type Overlay, realmOf } from "../support/realm.ts";

/** Who joins by what the file has reads what the invitation gives: a rule that forbids it does not hold. */
const CLOSED = "permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}";
const VAULT = `channels: {vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, ben@acme.example], exact: true}, ${CLOSED}}}\n`;
const PEOPLE = "people: {ada@acme.example: {role: owner}, ben@acme.example: {role: administrator}}\n";
const FILE = PEOPLE + VAULT;
const GUEST_LINK = "invite_links: [{expires_on: never, invite_as: guest, channels: [vault]}]\n";
const MAIL = "invites: [{emails: [x@y.example], send_until: 2026-12-01, invite_as: member, channels: [vault]}]\n";
const live = (more: Overlay = {}) =>
  realmOf({
    channels: [{ name: "vault", invite_only: true, can_subscribe_group: "role:nobody" }, { name: "hall" }],
    subscribers: { vault: ["ada@acme.example", "ben@acme.example"], hall: ["ada@acme.example"] },
    default_channels: ["hall"],
    user_groups: [{ name: "staff", members: ["hana@acme.example"] }],
    invites: [],
    links: [],
    ...more,
  });

const run = (command: readonly string[], file: string, rule: string, overlay?: Overlay) =>
  runCommandLine(command, {
    files: {
      "realm.yaml": `version: 1\n${file}`,
      "realm.test.yaml": `version: 1\ntests:\n  - {name: x, ${rule}}\n`,
      "s.json": snapshotText(live(overlay)),
    },
  });
async function holds(flags: readonly string[], file: string, rule: string, overlay?: Overlay) {
  const { out, err } = await run(["test", ...flags, "--format", "json"], file, rule, overlay);
  const json: { readonly rules?: readonly { readonly holds: boolean | null }[] } = JSON.parse(out);
  return json.rules?.[0]?.holds ?? (json.rules === undefined ? out + err : null);
}

const ONLY = "objects: vault, rights: {read: {only: [ada@acme.example, ben@acme.example]}}";
const GUESTS = "who: {role: guest}, cannot: {read: vault}";
const MEMBERS = "who: {role: member}, cannot: {read: vault}";

describe("a rule that forbids reading", () => {
  test.each<[what: string, file: string, rule: string, live: boolean | null, alone: boolean | null]>([
    ["guests, and a link for guests", FILE + GUEST_LINK, GUESTS, false, false],
    ["members, and a link for guests", FILE + GUEST_LINK, MEMBERS, true, true],
    ["everybody else, and a link", FILE + GUEST_LINK, ONLY, false, false],
    ["exactly these, and a link", FILE + GUEST_LINK, ONLY.replace("only", "exactly"), false, false],
    ["the role as a word", FILE + GUEST_LINK, "objects: vault, rights: {read: {deny: guest}}", false, false],
    ["two people, and a link", FILE + GUEST_LINK, "objects: vault, rights: {read: {at_most: 2}}", false, false],
    ["more people, and a link", FILE + GUEST_LINK, "objects: vault, rights: {read: {at_most: 5}}", null, null],
    ["two people, and one who is invited", FILE + MAIL, "objects: vault, rights: {read: {at_most: 2}}", false, null],
    ["three people, and one who is invited", FILE + MAIL, "objects: vault, rights: {read: {at_most: 3}}", true, true],
    ["members, and a member who is invited", FILE + MAIL, MEMBERS, false, null],
    ["guests, and a member who is invited", FILE + MAIL, GUESTS, true, true],
    ["an invitation into nothing", FILE + MAIL.replace(", channels: [vault]", ""), ONLY, true, true],
    ["nobody is invited", FILE, ONLY, true, true],
    ["a revoked link", FILE + GUEST_LINK.replace("expires_on", "absent: true, expires_on"), GUESTS, true, true],
    [
      "a group that the channel admits",
      PEOPLE +
        VAULT.replace("can_subscribe_group: role:nobody", "can_subscribe_group: staff").concat(
          "user_groups: {staff: {members: []}}\ninvite_links: [{expires_on: never, groups: [staff]}]\n",
        ),
      MEMBERS,
      false,
      false,
    ],
    [
      "members of a group that does not read",
      FILE +
        "user_groups: {crew: {members: []}}\ninvite_links: [{expires_on: never, groups: [crew], channels: [vault]}]\n",
      "who: {role: member, groups: [crew]}, cannot: {read: vault}",
      false,
      false,
    ],
  ])("%s", async (_, file, rule, ofPlan, alone) => {
    expect([await holds(["--snapshot", "s.json"], file, rule), await holds([], file, rule)]).toEqual([ofPlan, alone]);
  });

  test.each([
    [true, "true"],
    [false, "false"],
  ])("default channels are read by a guest who joins: if the link gives them (%s)", async (gives, written) => {
    const link = `invite_links: [{expires_on: never, invite_as: guest, include_realm_default_subscriptions: ${written}}]\n`;
    const file = `${PEOPLE}channels: {hall: {privacy: public, subscribers: {users: [ada@acme.example], exact: true}}}\ndefault_channels: [hall]\n${link}`;
    const rule = "who: {role: guest}, cannot: {read: hall}";
    expect([await holds(["--snapshot", "s.json"], file, rule), await holds([], file, rule)]).toEqual([!gives, !gives]);
  });
});

test("what a rule demands is not demanded of those who may join", async () => {
  const file = `${FILE}invite_links: [{expires_on: never}]\n`
    .replaceAll("vault", "hall")
    .replace("hall: {privacy: private_shared_history", "hall: {privacy: public");
  for (const rule of ["who: {role: member}, can: {read: hall}", "objects: hall, rights: {read: {allow: member}}"])
    expect([await holds(["--snapshot", "s.json"], file, rule), await holds([], file, rule)], rule).toEqual([
      true,
      true,
    ]);
});

test("the report says who joins by which line, and nothing twice", async () => {
  const { out } = await run(["test", "--snapshot", "s.json"], FILE + GUEST_LINK + MAIL, ONLY);
  const flat = out.replaceAll(/\s+/g, " ");
  expect(flat).toContain("a guest who joins by a link of the file can read #vault realm.yaml:4");
  expect(flat).toContain("a member who joins by an invitation of the file can read #vault realm.yaml:5");
  expect(out).not.toContain("x@y");
  const open = VAULT.replace(CLOSED, "permissions: {can_subscribe_group: role:members}");
  const { out: all } = await run(["test", "--snapshot", "s.json"], PEOPLE + open + MAIL, MEMBERS);
  expect(all).toContain("a member can read");
  expect(all).not.toContain("joins by");
  const { out: alone } = await run(["test"], FILE + MAIL, MEMBERS);
  expect(alone.replaceAll(/\s+/g, " ")).toContain(
    "the file alone does not say whether those whom it invites by mail have joined",
  );
});

test.each([
  ["it is said that a maximum above everybody cannot fail", FILE, true],
  ["not if a link lets in others", FILE + GUEST_LINK, false],
])("%s", async (_, file, isSaid) => {
  const { out, err } = await run(
    ["test", "--snapshot", "s.json"],
    file,
    "objects: vault, rights: {read: {at_most: 99}}",
  );
  expect((out + err).replaceAll(/\s+/g, " ").includes("so at_most cannot fail")).toBe(isSaid);
});

describe("rules about the organization as it is", () => {
  const open: Overlay = { links: [{ invited_as: 600, expires_in_days: null }] };
  test.each<[what: string, file: string, rule: string, overlay: Overlay, code: number]>([
    ["a link of the file that is open", FILE + GUEST_LINK, GUESTS, open, 8],
    [
      "an invitation of the file that is open",
      FILE + MAIL,
      MEMBERS,
      { invites: [{ email: "x@y.example", invited_as: 400 }] },
      8,
    ],
    [
      "an open invitation has the role that it was sent with",
      FILE + MAIL,
      GUESTS,
      { invites: [{ email: "x@y.example", invited_as: 600 }] },
      8,
    ],
  ])("drift: %s", async (_, file, rule, overlay, code) => {
    const { out, err, exitCode } = await run(["drift", "--snapshot", "s.json"], file, rule, overlay);
    expect(out + err).toContain("joins by");
    expect(exitCode).toBeGreaterThan(0);
    expect(code).toBe(8);
  });
  test("a link that nobody made yet lets nobody in", async () => {
    const { out } = await run(["drift", "--snapshot", "s.json"], FILE + GUEST_LINK, GUESTS);
    expect(out).toContain("1 rule holds");
  });
});
