import { expect, test } from "vitest";
import { stringify } from "yaml";
import { EXIT } from "../../src/model/diagnostic.ts";
import { Draw } from "../properties/draw.ts";
import fc from "../support/random.ts";
import { worldOfTests } from "./world.ts";

/*
 * A random organization that its file describes. Then several entries are broken by hand, in random ways, and others are changed. Nothing that is
 * broken hides what is not: drift says it, plan and apply go on with it, and adopt takes it.
 */

/** A few in a quick check; `npm run soak` makes thousands (docs/internals/decisions/0023-random-tests-are-seeded.md). */
const RUNS = Math.ceil(Number(process.env.REALMCTL_RUNS ?? 15) / 15);
const TIMEOUT_MS = 120_000 + RUNS * 30_000;
const GUARDS =
  "changes,removals,demotions,people_losing_access,unlisted_subscribers,people_gaining_access,opened,administrators,emails,messages_deleted,data_deleted,renames,irreversible,lockout,rehearsal";

/** Accounts of the recorded organization, by id; each is in lists of the file. */
const PEOPLE: { readonly [address: string]: number } = {
  "dmitri@acme.example": 9,
  "elif@acme.example": 10,
  "farah@acme.example": 11,
  "gustavo@acme.example": 12,
  "hana@acme.example": 13,
};
const ADDRESSES = Object.keys(PEOPLE);
const GROUPS = ["crew", "board", "welders"] as const;
const FOLDERS = ["Company", "Projects"] as const;
const CHANNELS = ["yard", "gate", "hall", "press", "forge"] as const;
/** Private, and open for the rest of the run: what must never be hidden. */
const VAULT = "vault";

const world = worldOfTests();

type Item = { readonly [field: string]: unknown };

/** Each object is named by others wherever something can name it. */
function organization(draw: Draw): Item {
  const value = () =>
    draw.one<unknown>([
      draw.one(GROUPS),
      { groups: [draw.one(GROUPS)], users: [draw.one(ADDRESSES)] },
      { users: [draw.one(ADDRESSES), draw.one(ADDRESSES)] },
      "role:moderators",
    ]);
  const people = () => [...new Set(["ada@acme.example", draw.one(ADDRESSES), draw.one(ADDRESSES)])];
  return {
    version: 1,
    manage: draw.perhaps(2, () => ({ linkifiers: "exact" })),
    settings: {
      permissions: {
        can_add_custom_emoji_group: value(),
        can_invite_users_group: { groups: ["role:owners", draw.one(GROUPS)] },
      },
    },
    user_groups: Object.fromEntries(
      GROUPS.map((name, index) => [
        name,
        {
          description: `What ${name} does`,
          members: people(),
          ...(index > 0 ? draw.perhaps(2, () => ({ subgroups: [GROUPS[0]] })) : {}),
          permissions: { can_mention_group: draw.one([...GROUPS, "role:members"]) },
        },
      ]),
    ),
    channel_folders: Object.fromEntries(FOLDERS.map((name) => [name, { description: `For ${name}` }])),
    channels: {
      [VAULT]: { privacy: "private_shared_history", subscribers: { users: ["ada@acme.example"] } },
      ...Object.fromEntries(
        CHANNELS.map((name) => [
          name,
          {
            description: `The ${name}`,
            ...draw.perhaps(2, () => ({ folder: draw.one(FOLDERS) })),
            subscribers: { users: people(), ...draw.perhaps(2, () => ({ groups: [draw.one(GROUPS)] })) },
            permissions: {
              can_send_message_group: value(),
              ...draw.perhaps(2, () => ({ can_add_subscribers_group: value() })),
            },
          },
        ]),
      ),
    },
    default_channels: draw.some(CHANNELS, 3),
    bots: { "ci-bot": { owner: "ada@acme.example" } },
    linkifiers: [{ pattern: "BUG-(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}" }],
    invites: [
      {
        emails: ["new@acme.example"],
        channels: [draw.one(CHANNELS)],
        groups: [draw.one(GROUPS)],
        send_until: "2099-01-01",
      },
    ],
  };
}

interface Edit {
  readonly what: string;
  make(): Promise<void>;
  /** The object that it changes: one edit each. */
  readonly of: string;
}

const by =
  (method: string, path: () => string, params: Item = {}) =>
  (): Promise<void> =>
    world.edit("owner", method, path(), params);
const channel = (name: string) => () => `/streams/${world.channel(name).stream_id}`;
const group = (name: string) => () => `/user_groups/${world.group(name)}`;
const folder = (name: string) => () =>
  `/channel_folders/${Object.values(world.sandbox.state().channel_folders).find((one) => one.name === name)?.id}`;

/** What once ended everything. */
const BREAKING: readonly Edit[] = [
  ...Object.entries(PEOPLE).map(([address, id]) => ({
    what: `${address} is deactivated`,
    of: address,
    make: by("DELETE", () => `/users/${id}`),
  })),
  ...CHANNELS.map((name) => ({ what: `#${name} is archived`, of: name, make: by("DELETE", channel(name)) })),
  ...GROUPS.map((name) => ({
    what: `${name} is renamed`,
    of: name,
    make: by("PATCH", group(name), { name: `${name} of old` }),
  })),
  ...FOLDERS.map((name) => ({
    what: `${name} is renamed`,
    of: name,
    make: by("PATCH", folder(name), { name: `${name} 2` }),
  })),
  {
    what: "an unusual linkifier",
    of: "linkifier",
    make: by("POST", () => "/realm/filters", { pattern: "a\\C", url_template: "https://bytes.example.org/" }),
  },
  {
    what: "a linkifier with invisible letters",
    of: "linkifier 2",
    make: by("POST", () => "/realm/filters", {
      pattern: "x\u202e(?P<id>[0-9]+)",
      url_template: "https://x.example.org/{id}",
    }),
  },
  {
    what: "an option of nobody's language",
    of: "playground",
    make: by("POST", () => "/realm/playgrounds", {
      name: "Odd",
      pygments_language: "No Such Language",
      url_template: "https://odd.example.org/{code}",
    }),
  },
];
/** What no file can say: a bot of somebody who has left. adopt takes the rest, and names it. */
const BOT = 18;
const LEAVER = 8;
const INEXPRESSIBLE: Edit = {
  what: "a bot is given to somebody who leaves",
  of: "ci-bot",
  async make() {
    await world.edit("owner", "PATCH", `/bots/${BOT}`, { bot_owner_id: LEAVER });
    await world.edit("owner", "DELETE", `/users/${LEAVER}`, {});
  },
};
/** What a person changes on a working day, and its trace in the file. */
const CHANGING = CHANNELS.map((name) => ({
  name,
  text: `the ${name}, by hand`,
  make: by("PATCH", channel(name), { description: `the ${name}, by hand` }),
}));

test(
  "of random organizations with several broken entries, everything else is told, planned, applied and adopted",
  async () => {
    // A smaller example would take hundreds of runs of all commands.
    let runs = 0;
    let left = 0;
    const numbers = fc.noShrink(fc.array(fc.nat({ max: 9999 }), { minLength: 160, maxLength: 160 }));
    await fc.assert(
      fc.asyncProperty(numbers, async (drawn) => {
        const draw = new Draw(drawn);
        world.restart();
        const file = organization(draw);
        world.file("realm.yaml", stringify(file));
        const first = await world.realmctl(`apply --yes --allow ${GUARDS}`);
        expect(first.code, first.out + first.err).toBe(EXIT.done);
        // Every second time, something has to be left.
        const isLeft = runs % 2 === 0;
        runs += 1;
        const broken = [...draw.some(BREAKING, 6), ...(isLeft ? [INEXPRESSIBLE] : [])];
        for (const { make } of broken) await make();
        const changed = CHANGING.filter(({ name }) => !broken.some(({ of }) => of === name)).filter(() =>
          draw.chance(2),
        );
        for (const { make } of changed) await make();
        await world.editChannel(VAULT, { is_private: false });
        const about = `${broken.map(({ what }) => what).join(", ")}\n${stringify(file)}`;

        const drift = await world.realmctl("drift");
        expect(drift.code, about + drift.out + drift.err).toBe(EXIT.changesPending);
        for (const name of [VAULT, ...changed.map(({ name }) => name)]) expect(drift.out, about).toContain(name);

        const plan = await world.realmctl("plan --detailed-exit-code");
        expect([EXIT.changesPending, EXIT.errors], about + plan.out + plan.err).toContain(plan.code);
        for (const { text } of changed) expect(plan.out, about + plan.err).toContain(text);

        const adopted = await world.realmctl("adopt --all --yes");
        expect([EXIT.done, EXIT.changesPending], about + adopted.out + adopted.err).toContain(adopted.code);
        const taken = world.read("realm.yaml");
        for (const { text } of changed) expect(taken, about + adopted.out + adopted.err).toContain(text);
        const again = await world.realmctl("plan --detailed-exit-code");
        expect(again.out, about + adopted.out).not.toContain(VAULT);
        // What was left is named, and it is all that is left.
        const isDone = adopted.code === EXIT.done;
        const named = adopted.err.split("\n").filter((line) => line.startsWith("Not taken: "));
        expect(named.length > 0, about + adopted.out + adopted.err).toBe(!isDone);
        if (isLeft) expect(named.join("\n"), about + adopted.err).toContain("Not taken: bot:ci-bot (owner");
        if (!isDone) left += 1;
        expect(again.code === EXIT.done, `${about}${adopted.out}${adopted.err}${again.out}${again.err}`).toBe(isDone);

        world.file("realm.yaml", stringify(file));
        const applied = await world.realmctl(`apply --yes --allow ${GUARDS}`);
        expect([EXIT.done, EXIT.appliedInPart], about + applied.out + applied.err).toContain(applied.code);
        expect(world.channel(VAULT).invite_only, about + applied.out + applied.err).toBe(true);
        for (const { name } of changed)
          expect(world.channel(name).description, about + applied.out + applied.err).toBe(`The ${name}`);
      }),
      { numRuns: RUNS },
    );
    expect(left).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
