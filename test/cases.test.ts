import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { channel } from "../src/kinds/channel/kind.ts";
import { Failure } from "../src/model/diagnostic.ts";
import { isList } from "../src/model/json.ts";
import { type Plan, unresolvedIn } from "../src/model/plan.ts";
import { Realm } from "../src/model/realm.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { outcomeIn } from "./outcome/expect.ts";
import { footerOf, plannedCases, shown } from "./support/cases.ts";
import { must, World } from "./support/world.ts";

describe.each(await plannedCases())("$name", ({ directory, yaml, live, hasFooter, plan }) => {
  test("shows the plan", async () => {
    await expect(shown(plan, yaml)).toMatchFileSnapshot(join("..", directory, "plan.txt"));
    if (hasFooter) await expect(footerOf(must(plan))).toMatchFileSnapshot(join("..", directory, "footer.txt"));
  });

  test("converges: after apply, a new plan is empty", async () => {
    const world = new World(withSubscribers(live));
    if (!plan.ok) {
      // A snapshot that lacks something is refused for that alone: the server's own reading has it.
      const isPartial = plan.diagnostics.every(({ code }) => code === "channels/subscribers-not-read");
      // What the planner refuses, it also refuses on the server's own reading (a guest may not even read).
      const again = await world.plan(yaml).catch((error: unknown) => {
        if (error instanceof Failure) return { ok: false };
        throw error;
      });
      // An account that does not see the addresses cannot tell who is meant.
      const isOpen =
        "value" in again && (unresolvedIn(again.value).length > 0 || again.value.extra?.unseen !== undefined);
      expect(again.ok && !isOpen).toBe(isPartial);
      return;
    }
    const before = new Set(Object.keys(world.sandbox.state().messages));
    const isWhole = unresolvedIn(plan.value).length === 0;
    const expectOutcome = isWhole ? outcomeIn(world, yaml) : () => {};
    const result = await world.apply(plan.value, yaml);
    expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
    expect(result.outcome).toBe(plan.value.calls.length > 0 ? (isWhole ? "applied" : "in-part") : "nothing-to-do");
    expect(world.writes, "requests sent, against those that `calls.least` of the kinds counts").toBe(
      plan.value.least_calls,
    );
    expectOutcome();
    expect(noticedIn(world, before)).toEqual(foreseen(plan.value));
    expect(must(await world.plan(yaml)).changes).toEqual([]);
    // What a file leaves out is no difference, but what the plan said about it must still be true.
    const there = channel.live.read(new Realm(await world.read())) ?? [];
    // A deactivated person keeps the subscription, and nobody sees it.
    const gone = new Set(
      plan.value.changes.flatMap(({ kind, name, fields }) =>
        kind === "person" && fields.some(({ field, after }) => field === "deactivated" && after === true) ? [name] : [],
      ),
    );
    for (const { kind, name, fields } of plan.value.changes) {
      const subscribers = fields.find(({ field }) => field === "subscribers");
      if (kind !== "channel" || subscribers === undefined) continue;
      expect(there.find((object) => object.name === name)?.fields.subscribers).toEqual(
        isList(subscribers.after) ? subscribers.after.filter((who) => !gone.has(String(who))) : subscribers.after,
      );
    }
  });
});

/** If a case does not say who is subscribed, it is the account that reads. */
function withSubscribers(live: Snapshot): Snapshot {
  if (live.subscribers !== null) return live;
  const me = live.account.user_id;
  return {
    ...live,
    subscribers: Object.fromEntries(live.channels.map((channel) => [String(channel.stream_id), [me]])),
  };
}

/** What the Notification Bot has written since: in which channels, by their present names, and how often to one person alone. */
function noticedIn({ sandbox }: World, before: ReadonlySet<string>) {
  const { messages, channels } = sandbox.state();
  const said = Object.entries(messages).flatMap(([id, message]) => (before.has(id) ? [] : [message]));
  return {
    notices_in: [
      ...new Set(said.flatMap(({ channel_id: id }) => (id === null ? [] : [channels[id]?.name ?? ""]))),
    ].sort(),
    direct_messages: said.filter(({ type }) => type === "direct").length,
  };
}

function foreseen({ side_effects: { notices_in, direct_messages = 0 } }: Plan) {
  return { notices_in: [...notices_in].sort(), direct_messages };
}
