import { expect, test } from "vitest";
import { READ } from "../../src/access/rules.ts";
import { Realm } from "../../src/model/realm.ts";
import { stateFromSnapshot } from "../../src/sandbox/from-snapshot.ts";
import { testRules } from "../../src/workflow/rules.ts";
import { mayCome, mayThroughBots } from "../access/oracle.ts";
import { realms } from "../access/realms.ts";
import fc from "../support/random.ts";
import { type Overlay, realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";

const RIGHTS = [
  READ,
  "can_send_message_group",
  "can_administer_channel_group",
  "can_delete_any_message_group",
] as const;
const SETTINGS = [
  "can_administer_channel_group",
  "can_send_message_group",
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_delete_any_message_group",
] as const;

/** What somebody does to one channel: another group in a setting, or another privacy. */
const mutations = fc.record({
  channel: fc.nat(),
  change: fc.oneof(
    fc
      .tuple(fc.constantFrom(...SETTINGS), fc.constantFrom(9, 11, 14))
      .map(([setting, group]) => ({ [setting]: group })),
    fc.boolean().map((invite_only) => ({ invite_only, is_web_public: false })),
  ),
});

function mutated(overlay: Overlay, channel: number, change: { readonly [field: string]: unknown }): Overlay {
  const channels = overlay.channels ?? [];
  const at = channel % Math.max(channels.length, 1);
  return { ...overlay, channels: channels.map((one, index) => (index === at ? { ...one, ...change } : one)) };
}

type May = "can" | "comes" | "cannot";

/** What each person may do with each channel; the rule's name contains all three. */
function truthOf(overlay: Overlay): ReadonlyMap<string, May> {
  const snapshot = realmOf(overlay);
  const realm = new Realm(snapshot);
  const server = stateFromSnapshot(snapshot);
  const people = Object.values(server.users).filter(({ is_bot, is_active }) => !is_bot && is_active);
  const found = new Map<string, May>();
  for (const channel of Object.values(server.channels)) {
    if (channel.is_archived) continue;
    for (const user of people)
      for (const right of RIGHTS) {
        const comes = (): May => (mayCome(server, user, channel, right) ? "comes" : "cannot");
        const name = `${realm.userName(user.user_id)} ${right} ${channel.name}`;
        found.set(name, mayThroughBots(server, user, channel, right) ? "can" : comes());
      }
  }
  return found;
}

/** One rule for each; none for who can come to read: nothing forbids it, and nothing demands it. */
function rulesOf(truth: ReadonlyMap<string, May>): string {
  const tests = [...truth].flatMap(([name, may]) => {
    const [who = "", right = "", ...channel] = name.split(" ");
    return may === "comes" ? [] : [{ name, who: [who], [may]: { [right]: channel.join(" ") } }];
  });
  return JSON.stringify({ version: 1, tests });
}

test("a change to a channel breaks the rules about the changed rights, and no others", async () => {
  let broken = 0;
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(realms, mutations, async (overlay, { channel, change }) => {
      const before = truthOf(overlay);
      fc.pre(before.size > 0);
      const after = mutated(overlay, channel, change);
      const now = truthOf(after);
      const held = async (reading: Overlay) => {
        const { outcomes } = must(
          await testRules(
            { file: "realm.test.yaml", readFile: async () => rulesOf(before) },
            { what: "reading", reader: { snapshot: async () => realmOf(reading) } },
          ),
        );
        return outcomes.filter(({ violations }) => violations.length > 0).map(({ name }) => name);
      };
      expect(await held(overlay)).toEqual([]);
      const wanted = [...before]
        .filter(([name, may]) => may !== "comes" && now.get(name) !== may)
        .map(([name]) => name);
      expect(await held(after)).toEqual(wanted);
      if (wanted.length > 0) broken += 1;
      else kept += 1;
    }),
    { numRuns: Number(process.env.REALMCTL_RUNS ?? 4) },
  );
  expect(broken).toBeGreaterThan(0);
  expect(kept).toBeGreaterThan(0);
});
