import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseJournal } from "../../src/apply/journal.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { type Bundle, buildBundle, start } from "../e2e/child.ts";
import { isWrite, World } from "../e2e/world.ts";

/** Something of every kind. */
const FILE = `version: 1
user_groups:
  welders: {description: Weld, members: [ada@acme.example]}
channel_folders:
  Yard: {description: Outside}
channels:
  announce: {description: News, folder: Yard, permissions: {can_send_message_group: role:moderators}}
  incidents: {description: Page first, privacy: private_shared_history, subscribers: {users: [ada@acme.example]}}
  general: {description: All about Zulip}
default_channels: [general, announce]
linkifiers:
  - {pattern: 'JOB-(?P<id>[0-9]+)', url_template: 'https://jobs.example.org/{id}'}
domains:
  acme.example: {}
navigation_views:
  is/starred: {name: Starred, is_pinned: true}
invites:
  - {emails: [newcomer@acme.example], channels: [general]}
`;

let bundle: Bundle;
beforeAll(() => {
  bundle = buildBundle();
});
afterAll(() => bundle.remove());

/** What people see: everything but times, numbers of invitations and the log. */
function fingerprint(world: World): object {
  const {
    channels,
    messages,
    user_groups,
    channel_folders,
    default_channels,
    linkifiers,
    domains,
    navigation_views,
    invites,
  } = world.sandbox.state();
  const timeless = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, item: unknown) => (/date|invited$|expiry|timestamp/.test(key) ? undefined : item)),
    );
  return {
    objects: timeless([
      channels,
      user_groups,
      channel_folders,
      default_channels,
      linkifiers,
      domains,
      navigation_views,
    ]),
    notices: Object.keys(messages).length,
    mails: invites.length,
  };
}

describe("the mixed plan of every kind", async () => {
  const calm = await World.start();
  calm.file("realm.yaml", FILE);
  const planned = await calm.realmctl("plan --format json");
  const ran = await calm.realmctl("apply --yes --format json");
  const writes = calm.writes();
  const expected = { realm: fingerprint(calm), writes };
  await calm.end();
  const numbers = writes.map((_, index) => index + 1);

  test("is carried out, and holds all kinds", () => {
    expect(ran.code, ran.err).toBe(EXIT.done);
    for (const { name } of kinds) expect(planned.out).toContain(`"kind": "${name}"`);
    expect(writes.length).toBeGreaterThanOrEqual(kinds.length - 1);
  });

  test.each(numbers.flatMap((n) => (["before", "after", "journal"] as const).map((when) => ({ n, when }))))(
    "killed $when call $n: the next run goes on, nothing is done twice",
    async ({ n, when }) => {
      let count = 0;
      let kill: (() => Promise<void>) | undefined;
      const strike = async (request: { readonly method: string; readonly path: string }): Promise<undefined> => {
        if (kill === undefined || !isWrite(request)) return undefined;
        count += 1;
        if (count !== n) return undefined;
        await kill();
        throw new Error("nobody listens any more");
      };
      const world = await World.start({ interceptors: [when === "before" ? { before: strike } : { after: strike }] });
      try {
        world.file("realm.yaml", FILE);
        const child = start(bundle, world, "apply --yes");
        kill = async () => {
          child.process.kill("SIGKILL");
          await child.ended;
          kill = undefined;
        };
        await child.ended;
        const [name = ""] = world.journals();
        const path = join(world.directory, ".realmctl", name);
        // As a machine leaves it that goes down while the line is written.
        if (when === "journal") truncateSync(path, readFileSync(path).length - 15);
        expect(parseJournal(world.read(`.realmctl/${name}`), name).entries.length).toBeGreaterThan(0);

        const again = await world.realmctl("apply --yes");
        expect(again.code, again.out + again.err).toBe(EXIT.done);
        expect(fingerprint(world)).toEqual(expected.realm);
        if (when !== "before") expect(world.writes()).toHaveLength(expected.writes.length);
        const quiet = await world.realmctl("apply --yes");
        expect(quiet.code).toBe(EXIT.done);
        expect(quiet.err).not.toContain("did not come to its end");
      } finally {
        await world.end();
      }
    },
  );
});
