import { expect, test } from "vitest";
import { planText } from "../support/cases.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";

/** A few runs find every case: three folders and two channels have few ways to block each other. */
const RUNS = Math.ceil(Number(process.env.REALMCTL_RUNS ?? 40) / 4);

interface Folder {
  readonly name: string;
  readonly archived: boolean;
}

/** Folders before and after, with created ones at the end; for each channel its folder before and after, -1 for none. */
interface Task {
  readonly before: readonly Folder[];
  readonly after: readonly Folder[];
  readonly made: readonly string[];
  readonly channels: readonly { readonly from: number; readonly to: number }[];
}

const NAMES = ["A", "B", "C"] as const;

const tasks: fc.Arbitrary<Task> = fc
  .record({
    before: fc.array(fc.boolean(), { minLength: 2, maxLength: 3 }),
    names: fc.shuffledSubarray([...NAMES, "X"], { minLength: 3 }),
    after: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    made: fc.subarray([...NAMES, "X"]),
    channels: fc.array(fc.record({ from: fc.nat(9), to: fc.nat(9) }), { maxLength: 2 }),
  })
  .map(({ before, names, after, made, channels }) => {
    const folders = before.map((archived, index) => ({ name: NAMES[index] ?? "", archived }));
    const wanted = folders.map((_, index) => ({ name: names[index] ?? "", archived: after[index] ?? false }));
    const created = made.filter((name) => !wanted.some((folder) => folder.name === name)).slice(0, 1);
    const open = [
      ...wanted.flatMap(({ archived }, index) => (archived ? [] : [index])),
      ...created.map((_, index) => folders.length + index),
      -1,
    ];
    return {
      before: folders,
      after: wanted,
      made: created,
      channels: channels.map(({ from, to }) => ({
        from: (from % (folders.length + 1)) - 1,
        to: open[to % open.length] ?? -1,
      })),
    };
  });

function yamlOf({ after, made, channels }: Task): string {
  const nameOf = (index: number): string =>
    index < 0 ? "null" : (after[index]?.name ?? made[index - after.length] ?? "");
  return [
    "version: 1",
    "channel_folders:",
    ...after.map(({ name, archived }, index) => `  ${name}: {id: ${index + 1}, archived: ${archived}}`),
    ...made.map((name) => `  ${name}: {}`),
    "channels:",
    "  general: {}",
    ...channels.map(({ to }, index) => `  c${index}: {folder: ${nameOf(to)}}`),
  ].join("\n");
}

/** What the server's rules allow (zulip-api.md §11), searched breadth first: the fewest requests from one state to the other. */
function fewest({ before, after, made, channels }: Task): number {
  interface State {
    readonly folders: readonly Folder[];
    readonly made: readonly boolean[];
    readonly inside: readonly number[];
  }
  const isTaken = ({ folders, made: there }: State, name: string, but = -1): boolean =>
    folders.some((folder, index) => index !== but && !folder.archived && folder.name === name) ||
    made.some((own, index) => there[index] === true && own === name);
  const replaced = <T>(list: readonly T[], at: number, value: T): readonly T[] =>
    list.map((old, i) => (i === at ? value : old));
  const patched = (
    state: State,
    at: number,
    name: string | undefined,
    archived: boolean | undefined,
  ): State | undefined => {
    const folder = state.folders[at];
    if (folder === undefined) return undefined;
    // The name is also compared with the folder's own before the folder is archived or reactivated.
    if (name !== undefined && name !== folder.name && isTaken(state, name)) return undefined;
    const next = { name: name ?? folder.name, archived: archived ?? folder.archived };
    if (next.archived && !folder.archived && state.inside.includes(at)) return undefined;
    if (!next.archived && folder.archived && isTaken(state, next.name, at)) return undefined;
    return { ...state, folders: replaced(state.folders, at, next) };
  };
  const nexts = (state: State): readonly (State | undefined)[] => [
    ...state.folders.flatMap((_, at) =>
      [undefined, after[at]?.name, `between ${at}`].flatMap((name) =>
        [undefined, true, false].map((archived) => patched(state, at, name, archived)),
      ),
    ),
    ...made.map((name, at) => (isTaken(state, name) ? undefined : { ...state, made: replaced(state.made, at, true) })),
    ...channels.map(({ to }, at) =>
      to < after.length || state.made[to - after.length] === true
        ? { ...state, inside: replaced(state.inside, at, to) }
        : undefined,
    ),
  ];
  const goal = JSON.stringify({ folders: after, made: made.map(() => true), inside: channels.map(({ to }) => to) });
  let states: readonly State[] = [
    { folders: before, made: made.map(() => false), inside: channels.map(({ from }) => from) },
  ];
  const seen = new Set(states.map((state) => JSON.stringify(state)));
  for (let requests = 0; states.length > 0; requests += 1) {
    if (seen.has(goal)) return requests;
    states = states.flatMap(nexts).filter((state): state is State => {
      const text = JSON.stringify(state);
      if (state === undefined || seen.has(text)) return false;
      seen.add(text);
      return true;
    });
  }
  throw new RangeError("no way leads there");
}

test(
  "folders that are renamed, archived, reactivated and created while channels move: the plan has as few calls as an exhaustive search finds",
  async () => {
    await fc.assert(
      fc.asyncProperty(tasks, async (task) => {
        const live = realmOf({
          channel_folders: task.before.map(({ name, archived }) => ({ name, is_archived: archived })),
          channels: [
            { name: "general" },
            ...task.channels.map(({ from }, index) => ({ name: `c${index}`, folder_id: from < 0 ? null : from + 1 })),
          ],
        });
        const plan = must(await planText(yamlOf(task), live));
        expect(plan.calls.length).toBe(fewest(task));
        expect(plan.least_calls).toBe(plan.calls.length);
        const world = new World(live);
        const { calls } = await world.apply(plan, yamlOf(task));
        expect(calls.filter(({ state }) => state !== "done")).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 500,
);
