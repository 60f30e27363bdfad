import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, sameJson } from "../../src/model/json.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst, World } from "../support/world.ts";

const RUNS = Number(process.env.REALMCTL_RUNS ?? 2000);

const CHANNELS = ["one", "two"] as const;
const WHO = { staff: 30, engineering: 31, leads: 32 } as const;
const FIELDS = [
  "description",
  "can_send_message_group",
  "can_remove_subscribers_group",
  "message_retention_days",
] as const;

const live: Snapshot = realmOf({
  feature_level: 442,
  channels: CHANNELS.map((name) => ({
    name,
    description: "Old",
    can_send_message_group: 30,
    can_remove_subscribers_group: 30,
  })),
  channel_folders: [{ name: "Company" }],
  linkifiers: [{ pattern: "JOB-(?P<id>[0-9]+)", url_template: "https://old.example.org/{id}" }],
});

/** What the file asks for: part of what could be asked, so that plans differ. */
const wanted = fc.record({
  one: fc.subarray([...FIELDS], { minLength: 1 }),
  two: fc.subarray([...FIELDS]),
  leads: fc.boolean(),
  folder: fc.boolean(),
});

/** Somebody else, at some moment: ahead of the apply (0) or right ahead of its n-th request. */
const editor = fc.record({
  moment: fc.nat({ max: 4 }),
  target: fc.constantFrom("one", "two", "leads", "folder"),
  field: fc.constantFrom(...FIELDS),
  value: fc.nat({ max: 2 }),
});
type Editor = {
  moment: number;
  target: "one" | "two" | "leads" | "folder";
  field: (typeof FIELDS)[number];
  value: number;
};

const VALUES = {
  description: ["Theirs", "New", "Old"],
  can_send_message_group: [WHO.engineering, WHO.leads, WHO.staff],
  can_remove_subscribers_group: [WHO.engineering, WHO.leads, WHO.staff],
  message_retention_days: [99, 30, "realm_default"],
} as const;

function fileOf({
  one,
  two,
  leads,
  folder,
}: {
  one: readonly string[];
  two: readonly string[];
  leads: boolean;
  folder: boolean;
}): string {
  const goal: { readonly [field: string]: Json } = { description: "New", message_retention_days: 30 };
  const item = (fields: readonly string[]) => ({
    ...Object.fromEntries(fields.filter((field) => field in goal).map((field) => [field, goal[field]])),
    permissions: Object.fromEntries(fields.filter((field) => !(field in goal)).map((field) => [field, "leads"])),
  });
  return JSON.stringify({
    version: 1,
    ...(leads ? { user_groups: { leads: { description: "New" } } } : {}),
    ...(folder ? { channel_folders: { Company: { description: "New" } } } : {}),
    channels: { one: item(one), two: item(two) },
  });
}

/** One sandbox for all interleavings: each starts from a copy of the same realm. */
const world = new World(live);
const { writer } = world.as("ben@acme.example");

async function carryOut({ target, field, value }: Editor): Promise<void> {
  const text = ["Theirs", "New", "Old"][value] ?? "Theirs";
  if (target === "leads")
    await writer.send({ operation: "update-user-group", path: { user_group_id: 32 }, params: { description: text } });
  else if (target === "folder")
    await writer.send({
      operation: "update-channel-folder",
      path: { channel_folder_id: 1 },
      params: { description: text },
    });
  else {
    const setting = VALUES[field][value] ?? "Theirs";
    const params = { [field]: field.startsWith("can_") ? { new: setting } : setting };
    await writer.send({ operation: "update-stream", path: { stream_id: target === "one" ? 101 : 102 }, params });
  }
}

/** The fields that editors touch, as the server has them. */
function fieldsOf(): ReadonlyMap<string, unknown> {
  const { channels, user_groups, channel_folders } = world.sandbox.state();
  return new Map<string, unknown>([
    ...[101, 102].flatMap((id) => FIELDS.map((field) => [`${id} ${field}`, channels[id]?.[field]] as const)),
    ["leads description", user_groups[32]?.description],
    ["folder description", channel_folders[1]?.description],
  ]);
}

/** As planned from. */
const START = fieldsOf();

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What somebody else made of a field, and what it was before they began. */
interface Theirs {
  readonly from: unknown;
  readonly value: unknown;
}

/**
 * What these few edits changed, by what the server has before and after them. Who takes their own change back before anybody else
 * touched the field has changed nothing: no server can tell.
 */
async function noted(edits: readonly Editor[], theirs: Map<string, Theirs>): Promise<void> {
  const before = fieldsOf();
  for (const edit of edits) await carryOut(edit);
  for (const [name, value] of fieldsOf()) {
    if (isSame(value, before.get(name))) continue;
    const known = theirs.get(name);
    const from = known !== undefined && isSame(known.value, before.get(name)) ? known.from : before.get(name);
    if (isSame(value, from) && isSame(from, START.get(name))) theirs.delete(name);
    else theirs.set(name, { from, value });
  }
}

/** All start from the same realm, so equal files have equal plans. */
const plans = new Map<string, Promise<Plan>>();
function planOf(yaml: string): Promise<Plan> {
  const plan = plans.get(yaml) ?? planAgainst(yaml, live).then(must);
  plans.set(yaml, plan);
  return plan;
}

/** Theirs, taken back ahead of our call: it is carried out. Taken back after our call: it stays. */
const CHANGED_BACK: readonly [Parameters<typeof fileOf>[0], Editor[]][] = ([2, 3] as const).map((moment) => [
  {
    one: moment === 2 ? ["message_retention_days"] : ["can_remove_subscribers_group"],
    two: ["can_remove_subscribers_group"],
    leads: false,
    folder: true,
  },
  [
    { moment: moment - 1, target: moment === 2 ? "two" : "one", field: "can_remove_subscribers_group", value: 0 },
    { moment, target: moment === 2 ? "two" : "one", field: "can_remove_subscribers_group", value: 2 },
  ],
]);

test(
  "whatever somebody else does between two requests, it is still there afterwards",
  async () => {
    let conflicts = 0;
    let interleavings = 0;
    await fc.assert(
      fc.asyncProperty(wanted, fc.array(editor, { minLength: 1, maxLength: 3 }), async (file, edits) => {
        world.restart();
        const yaml = fileOf(file);
        const plan = await planOf(yaml);
        const theirs = new Map<string, Theirs>();
        await noted(
          edits.filter(({ moment }) => moment === 0),
          theirs,
        );
        const result = await world.apply(plan, yaml);
        interleavings += 1;
        const after = fieldsOf();
        for (const [name, { value }] of theirs) expect({ name, value: after.get(name) }).toEqual({ name, value });
        // A refusal names which field of which object moved, and all three values.
        for (const { state, message, n } of result.calls) {
          if (state !== "conflict") continue;
          conflicts += 1;
          const moved = result.conflicts.filter(({ calls }) => calls.includes(n));
          expect(moved.length).toBeGreaterThan(0);
          for (const { name, field, planned, found } of moved) {
            expect(message).toContain(`${name} ${field}`);
            expect(sameJson(planned, found)).toBe(false);
          }
        }
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
    await fc.assert(
      fc.asyncProperty(wanted, fc.array(editor, { minLength: 1, maxLength: 3 }), async (file, edits) => {
        world.restart();
        const yaml = fileOf(file);
        const plan = await planOf(yaml);
        const theirs = new Map<string, Theirs>();
        let sent = 0;
        // Group settings carry their old value: the server itself compares, at any moment.
        const guarded = edits.filter(
          ({ field, target }) => field.startsWith("can_") && (target === "one" || target === "two"),
        );
        await world.apply(plan, yaml, async () => {
          sent += 1;
          const now = guarded.filter(({ moment }) => moment === sent);
          if (now.length > 0) await noted(now, theirs);
        });
        interleavings += 1;
        const after = fieldsOf();
        for (const [name, { value }] of theirs) expect({ name, value: after.get(name) }).toEqual({ name, value });
      }),
      { numRuns: Math.ceil(RUNS / 2), examples: [...CHANGED_BACK] },
    );
    expect(interleavings).toBeGreaterThanOrEqual(RUNS);
    expect(conflicts).toBeGreaterThan(RUNS / 50);
  },
  120_000 + RUNS * 100,
);
