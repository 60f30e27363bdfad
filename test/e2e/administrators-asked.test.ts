import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import { worldOfTests } from "./world.ts";

/** Whoever comes to administer the organization is asked about (docs/internals/decisions/0008-risks-first-openings-are-asked-about.md). */

const world = worldOfTests({ from: realmOf({ channels: [{ name: "general" }], invites: [], links: [] }) });

const file = (yaml: string, limits = "") => world.file("realm.yaml", `version: 1\n${limits}${yaml}\n`);
const LIMIT = (most: number): string => `policy: {limits: {administrators: ${most}}}\n`;
const MEMBER = "people: {elif@acme.example: {role: administrator}}";
const answering = { answer: async () => world.url.replace("http://", "") };

const ASKED: readonly { readonly what: string; readonly yaml: string }[] = [
  { what: "a member becomes an administrator", yaml: MEMBER },
  { what: "a member becomes an owner", yaml: "people: {elif@acme.example: {role: owner}}" },
  { what: "an administrator becomes an owner", yaml: "people: {ben@acme.example: {role: owner}}" },
  {
    what: "a new bot is an administrator",
    yaml: "bots: {herald-bot: {full_name: Herald, role: administrator}}",
  },
  {
    what: "somebody is invited as an administrator",
    yaml: "invites: [{emails: [new@acme.example], send_until: 2099-12-01, invite_as: administrator}]",
  },
  {
    what: "a link makes owners",
    yaml: "invite_links: [{expires_on: never, invite_as: owner}]",
  },
];

describe.each(ASKED)("$what", ({ yaml }) => {
  test("--yes alone refuses and sends nothing, also for a saved plan", async () => {
    file(yaml);
    const ran = await world.realmctl("apply --yes");
    expect(ran.code, ran.out).toBe(EXIT.refusedByGuard);
    expect(ran.err).toContain("new administrators 1");
    expect((await world.realmctl("plan --out realm.plan")).code).toBe(EXIT.done);
    expect((await world.realmctl("apply realm.plan --yes")).code).toBe(EXIT.refusedByGuard);
    expect(world.writes()).toEqual([]);
  });

  test("an answer, --allow, or a number in the policy lets it pass; a smaller number refuses", async () => {
    file(yaml, LIMIT(0));
    const refused = await world.realmctl("apply", answering);
    expect(refused.code, refused.out).toBe(EXIT.refusedByGuard);
    expect(world.writes()).toEqual([]);
    file(yaml);
    const passes = [
      () => world.realmctl("apply", answering),
      () => world.realmctl("apply --yes --allow administrators"),
      () => {
        file(yaml, LIMIT(1));
        return world.realmctl("apply --yes");
      },
    ];
    for (const pass of passes) {
      const ran = await pass();
      expect(ran.code, `${ran.out}${ran.err}`).toBe(EXIT.done);
      expect(world.writes().length).toBeGreaterThan(0);
      world.restart();
      file(yaml);
    }
  });
});

test("nobody is asked about a moderator, or about who administers one channel", async () => {
  file(
    "people: {elif@acme.example: {role: moderator}}\nchannels: {general: {permissions: {can_administer_channel_group: {users: [hana@acme.example]}}}}",
  );
  const ran = await world.realmctl("apply --yes");
  expect(ran.code, `${ran.out}${ran.err}`).toBe(EXIT.done);
});
