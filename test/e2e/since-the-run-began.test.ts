import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { MIXED_PLANS } from "../support/mixed-plans.ts";
import { PNG } from "../support/pictures.ts";
import { realmOf } from "../support/realm.ts";
import { isWrite, textOf, worldOfTest, worldOfTests } from "./world.ts";

/*
 * Somebody comes into a group or a private channel while a run sends its requests: what the rest of the plan opens to that group goes to somebody whom nobody
 * was shown. Guard rails are counted again on each new reading, before a request that may let somebody in.
 */

let sent = 0;
let theirs = false;
let act: (sent: number) => Promise<void> = async () => {};
const between: Interceptor = {
  after: async (request) => {
    if (theirs || !isWrite(request)) return undefined;
    sent += 1;
    theirs = true;
    await act(sent).finally(() => {
      theirs = false;
    });
    return undefined;
  },
};

const world = worldOfTests({
  interceptors: [between],
  from: realmOf({
    user_groups: [
      { name: "keepers", members: ["elif@acme.example"] },
      { name: "helpers", members: ["elif@acme.example"] },
      { name: "others", members: [] },
    ],
    channels: [
      { name: "vault", invite_only: true },
      { name: "desk", invite_only: true },
      { name: "lobby" },
      { name: "hall" },
    ],
    subscribers: {
      vault: ["ada@acme.example"],
      desk: ["ada@acme.example", "elif@acme.example"],
      lobby: [],
      hall: [],
    },
    users: { "jana@acme.example": { is_active: false } },
  }),
});
beforeEach(() => {
  sent = 0;
  act = async () => {};
});

const join = (group: string, name: string) => world.changeMembers(group, { add: [name] });

/** A run in which every reading is too old for the next request, at a terminal. */
function apply(file: string, flags = "") {
  world.file("realm.yaml", `version: 1\n${file}`);
  let now = Date.now();
  return world.realmctl(`apply ${flags}`, {
    answer: async () => new URL(world.url).host,
    io: {
      now: () => {
        now += 2100;
        return now;
      },
    },
  });
}

const FILE = `user_groups:
  others: {members: [ben@acme.example]}
channels:
  lobby: {description: Where all meet}
  vault: {permissions: {can_subscribe_group: keepers}}
  desk: {permissions: {can_add_subscribers_group: keepers}}
`;
const opens = (name: string): boolean => world.channel(name).can_subscribe_group === world.group("keepers");

describe("somebody comes into a group that a later request lets in", () => {
  test("after each request: what was not sent is not sent, and exit code 5 says who", async () => {
    const whole = await apply(FILE);
    expect(whole.code, textOf(whole)).toBe(EXIT.done);
    const { length } = world.writes();
    expect(length).toBeGreaterThan(2);
    let refused = 0;
    for (let n = 1; n < length; n += 1) {
      world.restart();
      sent = 0;
      let wasOpen = false;
      act = async (count) => {
        if (count !== n) return;
        wasOpen = opens("vault");
        await join("keepers", "dmitri");
      };
      const ran = await apply(FILE);
      if (ran.code === EXIT.done) {
        expect(wasOpen, `after request ${n}: ${textOf(ran)}`).toBe(true);
        continue;
      }
      refused += 1;
      expect(ran.code, textOf(ran)).toBe(EXIT.appliedInPart);
      expect(textOf(ran)).toMatch(/others than the plan showed, [12] of them new/);
      expect(opens("vault")).toBe(wasOpen);
    }
    expect(refused).toBeGreaterThan(0);
  });

  test.each([
    {
      what: "the right to join it",
      act: () =>
        world.edit("ada@acme.example", "PATCH", `/user_groups/${world.group("keepers")}`, {
          can_join_group: { new: world.group("role:members") },
        }),
    },
    {
      what: "through a group in it",
      act: () =>
        world.edit("ada@acme.example", "POST", `/user_groups/${world.group("keepers")}/subgroups`, {
          add: [world.group("role:moderators")],
        }),
    },
    { what: "a bot of somebody else", act: () => join("keepers", "ci-bot@localhost") },
  ])("$what", async ({ act: edit }) => {
    act = async (count) => (count === 1 ? edit() : undefined);
    const ran = await apply(FILE);
    expect(ran.code, textOf(ran)).toBe(EXIT.appliedInPart);
    expect(opens("vault")).toBe(false);
  });

  test("applied again, the plan shows who it is and asks", async () => {
    act = async (count) => (count === 1 ? join("keepers", "dmitri") : undefined);
    expect((await apply(FILE)).code).toBe(EXIT.appliedInPart);
    const plan = await world.realmctl("plan --who");
    expect(textOf(plan)).toContain("Dmitri");
    expect((await apply(FILE)).code).toBe(EXIT.done);
    expect(opens("vault")).toBe(true);
  });

  test("also in a saved plan", async () => {
    world.file("realm.yaml", `version: 1\n${FILE}`);
    expect((await world.realmctl("plan --out realm.plan")).code).toBe(EXIT.done);
    act = async (count) => (count === 1 ? join("keepers", "dmitri") : undefined);
    const ran = await apply(FILE, "realm.plan");
    expect(ran.code, textOf(ran)).toBe(EXIT.appliedInPart);
    expect(textOf(ran)).toMatch(/others than the plan showed, [12] of them new/);
  });

  test("also in an undo", async () => {
    const can_subscribe_group = { new: world.group("keepers") };
    for (const name of ["vault", "desk"])
      await world.edit("ada@acme.example", "PATCH", `/streams/${world.channel(name).stream_id}`, {
        can_subscribe_group,
      });
    const closed = "{permissions: {can_subscribe_group: role:nobody}}";
    const closing = `channels: {vault: ${closed}, desk: ${closed}}\n`;
    expect((await apply(closing)).code).toBe(EXIT.done);
    sent = 0;
    act = async (count) => (count === 1 ? join("keepers", "dmitri") : undefined);
    const ran = await apply(closing, `--undo .realmctl/${world.journals()[0]}`);
    expect(ran.code, textOf(ran)).toBe(EXIT.appliedInPart);
    expect([opens("vault"), opens("desk")].filter((is) => is)).toHaveLength(1);
  });

  test("--allow lets whoever it is pass, as before the first request", async () => {
    act = async (count) => (count === 1 ? join("keepers", "dmitri") : undefined);
    const ran = await apply(FILE, "--allow people_gaining_access,opened");
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
  });
});

describe("no false alarm", () => {
  test.each([
    { what: "a group that the plan lets into nothing", act: () => join("helpers", "dmitri") },
    { what: "somebody who reads it anyway", act: () => join("keepers", "ada") },
    {
      what: "somebody leaves",
      act: () => world.changeMembers("keepers", { remove: ["elif"] }),
    },
  ])("$what", async ({ act: edit }) => {
    act = async (count) => (count === 1 ? edit() : undefined);
    const ran = await apply(FILE);
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
  });

  test("states between the requests: a channel that closes, one that opens, people who move, come back and change their roles", async () => {
    act = async (count) => (count === 1 ? join("helpers", "dmitri") : undefined);
    const ran = await apply(`user_groups:
  keepers: {members: [dmitri@acme.example, chiara@acme.example]}
  helpers: {members: [elif@acme.example, dmitri@acme.example]}
  guards: {members: [farah@acme.example], subgroups: [keepers]}
people:
  jana@acme.example: {deactivated: false}
  hana@acme.example: {role: administrator}
channels:
  lobby: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, farah@acme.example], groups: [keepers], exact: true}}
  hall: {privacy: private_protected_history, subscribers: {users: [ada@acme.example, elif@acme.example]}, permissions: {can_subscribe_group: guards}}
  vault: {permissions: {can_subscribe_group: guards, can_administer_channel_group: {users: [hana@acme.example]}}}
  desk: {privacy: public}
  attic: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, dmitri@acme.example]}}
bots:
  deploy-new-bot: {full_name: Deploy new, owner: farah@acme.example, role: administrator}
`);
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
  });
});

describe("the plans of all kinds, with a reading before each request", () => {
  test.each(MIXED_PLANS.map((mixed) => [mixed.name, mixed] as const))("%s", async (_, { live, yaml }) => {
    const own = await worldOfTest({ from: live });
    own.file("realm.yaml", yaml);
    for (const picture of yaml.match(/\w+\.(?:png|gif)/g) ?? []) own.file(picture, PNG);
    let now = Date.now();
    const ran = await own.realmctl("apply --allow demotions,emails,lockout,people_losing_access,rehearsal,removals", {
      answer: (question) => (question.includes("yes") ? "yes" : new URL(own.url).host),
      io: {
        now: () => {
          now += 2100;
          return now;
        },
      },
    });
    expect(textOf(ran)).not.toContain("guard/others");
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
  });
});
