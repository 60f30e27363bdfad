import { afterAll, beforeAll, expect, test } from "vitest";
import { ownHoldersOf, type Target } from "../../src/access/grants.ts";
import { type AccessState, stateOf } from "../../src/access/state.ts";
import { Realm } from "../../src/model/realm.ts";
import { stateFromSnapshot } from "../../src/sandbox/from-snapshot.ts";
import { createSandbox, manualClock, type Sandbox, type Served, serve } from "../../src/sandbox/index.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { realms } from "./realms.ts";
import { channelTries, groupTries, type Needed, organizationTries, type Try, withMessages } from "./tries.ts";

/**
 * Compares what `access` says with what happens: a random person of a random organization tries it over HTTP. The sandbox decides each request
 * itself, without code of src/access.
 */
const NOW = Date.parse("2026-11-21T09:00:00.000Z");
const RUNS = { numRuns: Number(process.env.REALMCTL_RUNS ?? 6) };
/** Settings of the organization besides those that channels and groups depend on. */
const IN_ORGANIZATION = [
  "can_invite_users_group",
  "create_multiuse_invite_group",
  "can_create_public_channel_group",
  "can_create_private_channel_group",
  "can_create_groups",
  "can_create_bots_group",
];
const settings = fc.record(
  Object.fromEntries(IN_ORGANIZATION.map((name) => [name, fc.constantFrom(9, 10, 11, 12, 14, 30, 31, 33)])),
);

let current: Sandbox;
let served: Served;
beforeAll(async () => {
  current = createSandbox({ from: realmOf({}), clock: manualClock(NOW) });
  served = await serve(
    {
      get featureLevel() {
        return current.featureLevel;
      },
      get accounts() {
        return current.accounts;
      },
      fetch: (request) => current.fetch(request),
      reset: () => current.reset(),
      state: () => current.state(),
      get revision() {
        return current.revision;
      },
      get log() {
        return current.log;
      },
      get url() {
        return current.url;
      },
      setUrl: (url) => current.setUrl(url),
    },
    { port: 0 },
  );
});
afterAll(() => served.close());

/** Does the server allow it? */
async function succeeds(one: Try, email: string): Promise<{ readonly may: boolean; readonly said: string }> {
  const account = current.accounts[email];
  if (account === undefined) throw new RangeError(`no account of ${email}`);
  const query = new URLSearchParams(one.params).toString();
  const inUrl = one.method === "GET" || one.method === "DELETE";
  const response = await fetch(`${served.url}/api/v1${one.path}${inUrl && query !== "" ? `?${query}` : ""}`, {
    method: one.method,
    headers: {
      authorization: `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString("base64")}`,
      ...(inUrl ? {} : { "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(inUrl ? {} : { body: query }),
  });
  const said = await response.text();
  return { may: response.ok, said };
}

/**
 * Whether somebody tries to read one message of a private channel that is archived: nobody recorded what the server answers to those who could subscribe.
 * `channels-archived-reading.json` has the list of messages, which it does not show them.
 */
const isOneOfArchived = ({ right, path, needs }: Try): boolean =>
  right === "read" &&
  path.startsWith("/messages/") &&
  needs
    .flat()
    .some(
      ({ target }) => target !== "organization" && "stream_id" in target && target.is_archived && target.invite_only,
    );

function says(access: AccessState, { target, right }: Needed, id: number): boolean {
  const meant: Target | undefined =
    target === "organization"
      ? target
      : "stream_id" in target
        ? access.channel(target.name)
        : access.group(target.name);
  if (meant === undefined) throw new RangeError("access does not know it");
  // By the own key: what a person may do through a bot, the bot tries itself.
  return ownHoldersOf(access, meant, right)?.people.has(id) === true;
}

test("a random person can do over HTTP exactly what access says, in channels, with groups, in the organization", async () => {
  const wrong: object[] = [];
  const seen = new Map<string, { yes: number; no: number }>();
  await fc.assert(
    fc.asyncProperty(realms, settings, fc.infiniteStream(fc.nat()), async (overlay, organization, dice) => {
      const snapshot = realmOf({
        ...overlay,
        // With protected history everybody creates topics: the server allows nothing else.
        channels: (overlay.channels ?? []).map((channel) =>
          channel.history_public_to_subscribers === false
            ? { ...channel, can_create_topic_group: "role:everyone" }
            : channel,
        ),
        settings: { ...overlay.settings, ...organization },
      });
      const access = stateOf(new Realm(snapshot));
      const server: RealmState = withMessages(stateFromSnapshot(snapshot), NOW / 1000);
      current = createSandbox({ from: server, clock: manualClock(NOW) });
      current.setUrl(served.url);
      const people = Object.values(server.users).filter((user) => user.is_active && !user.is_system_bot);
      for (let round = 0; round < 3; round += 1) {
        const user = people[(dice.next().value ?? 0) % people.length];
        if (user === undefined) continue;
        // Incoming webhook bots can only post, whatever the settings say.
        const isWebhook = snapshot.users.some(({ user_id, bot_type }) => user_id === user.user_id && bot_type === 2);
        const all = [
          ...Object.values(server.channels).flatMap((channel) => channelTries(server, user, channel)),
          ...(user.is_bot
            ? []
            : [
                ...Object.values(server.user_groups)
                  .filter((group) => !group.is_system_group && !group.deactivated)
                  .flatMap((group) => groupTries(server, user, group)),
                ...organizationTries(access),
              ]),
        ];
        const tries = isWebhook ? all.filter(({ path }) => path === "/messages") : all;
        for (const one of tries) {
          if (isOneOfArchived(one)) continue;
          const expected = one.needs.every((any) => any.some((needed) => says(access, needed, user.user_id)));
          const before = current.revision;
          const { may, said } = await succeeds(one, user.delivery_email);
          if (may !== expected) {
            const { right, on, method, path } = one;
            wrong.push({ who: user.full_name, right, on, method, path, may, said });
          }
          const counts = seen.get(one.right) ?? { yes: 0, no: 0 };
          counts[may ? "yes" : "no"] += 1;
          seen.set(one.right, counts);
          if (current.revision !== before) current.reset();
        }
      }
    }),
    RUNS,
  );
  // Smaller organizations would show no more: each text names person, right and object.
  expect(wrong.slice(0, 10)).toEqual([]);
  // Somebody who has the right and somebody who does not tried each right.
  expect([...seen].filter(([, { yes, no }]) => yes === 0 || no === 0)).toEqual([]);
  expect(seen.size).toBe(25);
}, 60_000);
