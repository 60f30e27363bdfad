import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { isWrite, type RunOptions, type World, worldOfTest } from "./world.ts";

const FILE = `version: 1
channels:
  Zulip: {description: All about Zulip}
  general: {description: For everybody, permissions: {can_send_message_group: role:moderators}}
  sandbox: {description: To try things}
`;

/** A world in which somebody else acts before each write; they get the number of the write, as realmctl counts. */
async function busy(act: (n: number, world: World) => Promise<void>): Promise<World> {
  let world: World | undefined;
  let count = 0;
  let theirs = false;
  world = await worldOfTest({
    interceptors: [
      {
        before: async (request) => {
          if (world === undefined || theirs || !isWrite(request)) return undefined;
          count += 1;
          theirs = true;
          await act(count, world);
          theirs = false;
          return undefined;
        },
      },
    ],
  });
  world.file("realm.yaml", FILE);
  return world;
}

const general = (world: World): string => `/streams/${world.channel("general").stream_id}`;
const setGroup = (world: World, name: string) =>
  world.edit("admin", "PATCH", general(world), { can_send_message_group: { new: world.group(name) } });

/** Answers yes to the first questions, up to this number, and no to the rest. */
function answering(world: World, most = Number.POSITIVE_INFINITY): RunOptions & { asked(): number } {
  let asked = 0;
  return {
    asked: () => asked,
    answer: (question) => {
      asked += 1;
      if (asked > most) return "no";
      return /\(yes\)/.test(question) ? "yes" : new URL(world.url).host;
    },
  };
}

/** Somebody acts before the second write: the first one is done by then. */
const inBetween = async (n: number, world: World): Promise<void> => {
  if (n === 2) await setGroup(world, "role:fullmembers");
};

describe("somebody else makes a change in the middle of the run", () => {
  test("refuse: the rest is done, the other change stays, exit code 5", async () => {
    const world = await busy(inBetween);
    const { code, out } = await world.realmctl("apply", answering(world));
    expect(code).toBe(EXIT.appliedInPart);
    expect(out).toMatch(/planned from +role:everyone\n +found +role:fullmembers\n +wanted +role:moderators/);
    expect(world.channel("general").can_send_message_group).toBe(world.group("role:fullmembers"));
    expect(world.channel("sandbox").description).toBe("To try things");
  });

  test("replan: the rest is planned from the new state and confirmed; then everything is done", async () => {
    const world = await busy(inBetween);
    const options = answering(world);
    const { code, out, err } = await world.realmctl("apply --on-conflict replan", options);
    expect({ code, asked: options.asked() }).toEqual({ code: EXIT.done, asked: 2 });
    expect(err).toContain("Planning again, from the current state:");
    // The second plan is only about the conflict.
    const second = out.slice(out.lastIndexOf("127.0.0.1"));
    expect(second).toContain("role:fullmembers → role:moderators");
    expect(second).not.toContain("sandbox");
    expect(world.channel("general").can_send_message_group).toBe(world.group("role:moderators"));
  });

  test("replan, and the second plan is declined: the other change stays, and the report lists what was done", async () => {
    const world = await busy(inBetween);
    const { code, err } = await world.realmctl("apply --on-conflict replan", answering(world, 1));
    expect(code).toBe(EXIT.appliedInPart);
    expect(err).toMatch(/Nothing more was sent\.\n$/);
    expect(world.channel("Zulip").description).toBe("All about Zulip");
    expect(world.channel("general").can_send_message_group).toBe(world.group("role:fullmembers"));
  });

  test("replan, and the file has an error by then: exit code 5 too", async () => {
    const world = await busy(async (n, where) => {
      await inBetween(n, where);
      if (n === 2) where.file("realm.yaml", FILE.replace("role:moderators", "role:moderaters"));
    });
    const { code, err } = await world.realmctl("apply --on-conflict replan", answering(world));
    expect(code).toBe(EXIT.appliedInPart);
    expect(err).toContain("error[reference/unknown-group]");
    expect(err).toContain("Requests that were already sent stay in effect");
  });

  test("replan repeatedly, until nobody makes changes in between", async () => {
    const theirs: { readonly [write: number]: string } = {
      2: "role:fullmembers",
      // The only write of each later round.
      4: "role:administrators",
      5: "role:members",
    };
    const world = await busy(async (n, where) => {
      const name = theirs[n];
      if (name !== undefined) await setGroup(where, name);
    });
    const options = answering(world);
    const { code } = await world.realmctl("apply --on-conflict replan", options);
    expect({ code, asked: options.asked() }).toEqual({ code: EXIT.done, asked: 4 });
    expect(world.channel("general").can_send_message_group).toBe(world.group("role:moderators"));
  });
});

describe("somebody else makes a change before the first write", () => {
  test.each([
    { says: "no", most: 1, code: EXIT.conflict, ending: /Nothing was sent\.\n$/, value: "role:fullmembers" },
    { says: "yes", most: 2, code: EXIT.done, ending: /the current state:\n[\s\S]*$/, value: "role:moderators" },
  ])("replan, and the person says $says", async ({ most, code, ending, value }) => {
    const world = await busy(async () => {});
    const options = answering(world, most);
    const ran = await world.realmctl("apply --on-conflict replan", {
      answer: async (question) => {
        if (options.asked() === 0) await setGroup(world, "role:fullmembers");
        return options.answer?.(question);
      },
    });
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(ending);
    expect(world.channel("general").can_send_message_group).toBe(world.group(value));
  });
});
