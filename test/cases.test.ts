import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { channel } from "../src/kinds/channel/kind.ts";
import { kinds } from "../src/kinds/registry.ts";
import { Failure } from "../src/model/diagnostic.ts";
import { isList } from "../src/model/json.ts";
import { type Plan, unresolvedIn } from "../src/model/plan.ts";
import { byText, Realm } from "../src/model/realm.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { lineOf } from "./calls/line.ts";
import { frozenLine } from "./frozen/line.ts";
import { outcomeIn } from "./outcome/expect.ts";
import { exposures } from "./prefix-safety/oracle.ts";
import { footerOf, type PlannedCase, plannedCases, shown } from "./support/cases.ts";
import { must, World } from "./support/world.ts";

/*
 * One pass over each case folder: its plan is made once and applied once, and everything that is said about cases is said about that. With `-t FOLDER` only
 * that folder is applied; the digests at the end need all of them.
 */

const cases = (await plannedCases()).toSorted((a, b) => byText(a.name, b.name));
/** A case's name → the digests of what is made from its plan and its result. */
const frozen = new Map<string, string>();

describe.each(cases)("$name", (item) => {
  const { directory, yaml, live, hasFooter, plan } = item;
  test("shows the plan", async () => {
    await expect(shown(plan, yaml)).toMatchFileSnapshot(join("..", directory, "plan.txt"));
    if (hasFooter) await expect(footerOf(must(plan))).toMatchFileSnapshot(join("..", directory, "footer.txt"));
  });

  test("converges: after apply, a new plan is empty; between two calls nobody holds a right that they hold neither before nor after", async () => {
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
    const { states, result } = await carriedOut(world, item, plan.value);
    expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
    expect(result.outcome).toBe(plan.value.calls.length > 0 ? (isWhole ? "applied" : "in-part") : "nothing-to-do");
    expect(world.writes, "requests sent, against those that `calls.least` of the kinds counts").toBe(
      plan.value.least_calls,
    );
    expectOutcome();
    expect(exposures(states, live.account.user_id)).toEqual([]);
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

test("there are many of them, with changes of every kind", () => {
  const sent = cases.flatMap(({ plan }) => (plan.ok && plan.value.calls.length > 0 ? [plan.value] : []));
  expect(sent.length).toBeGreaterThan(200);
  const changed = new Set(sent.flatMap(({ changes }) => changes.map(({ kind }) => kind)));
  expect([...changed].sort()).toEqual(kinds.map(({ name }) => name).sort());
});

test("the calls of every case, as test/calls/README.md says", async () => {
  const lines = cases.map(({ name, plan }) => lineOf(`case/${name}`, plan));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("calls/cases.txt");
});

test("everything that is made from the plan of every case, as docs/internals/frozen.md says", async () => {
  for (const item of cases) {
    const { name, live, plan } = item;
    // Alone (`-t`), this test applies what no other has applied.
    if (plan.ok && !frozen.has(name)) await carriedOut(new World(withSubscribers(live)), item, plan.value);
  }
  const lines = cases.flatMap(({ name }) => frozen.get(name) ?? []);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("frozen/cases.txt");
}, 240_000);

/** Applies the plan; keeps what the server's state was before each request and after the last one. */
async function carriedOut(world: World, { name, live, yaml }: PlannedCase, plan: Plan) {
  const states = [world.sandbox.state()];
  const result = await world.apply(plan, yaml, async () => {
    if (world.writes > 0) states.push(world.sandbox.state());
  });
  if (world.writes > 0) states.push(world.sandbox.state());
  frozen.set(name, await frozenLine(name, { plan, live, result }));
  return { states, result };
}

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
