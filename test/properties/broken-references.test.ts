import { expect, test } from "vitest";
import { stringify } from "yaml";
import { worldOfTests } from "../e2e/world.ts";
import fc from "../support/random.ts";
import { WORDS } from "../support/random-words.ts";
import { options, TIMEOUT_MS } from "./begin.ts";
import { Draw } from "./draw.ts";

/*
 * A random file names groups, folders, channels and people that it does not declare, in every place that can name them. Somebody breaks these names by
 * hand, in any combination, and opens a private channel in the same hour: drift names the channel and every name, an unrelated change is applied, and
 * after adopt nothing is left. (test/e2e/one-bad-entry.test.ts breaks what the file declares.)
 */

const world = worldOfTests();

type Item = { readonly [field: string]: unknown };

const PEOPLE: { readonly [address: string]: { readonly id: number; readonly as: string } } = {
  "dmitri@acme.example": { id: 9, as: "member" },
  "elif@acme.example": { id: 10, as: "member2" },
  "farah@acme.example": { id: 11, as: "member3" },
  "gustavo@acme.example": { id: 12, as: "member4" },
};
const ADDRESSES = Object.keys(PEOPLE);
const ADA = "ada@acme.example";

/** What exists before, and the file only names. */
interface Outside {
  readonly groups: readonly string[];
  readonly folders: readonly string[];
  readonly channels: readonly string[];
}

/** The file; `desk` has the unrelated change. */
type File = (desk: string) => Item;

class Organization {
  private readonly draw: Draw;
  private readonly words = [...WORDS];
  readonly outside: Outside;

  constructor(draw: Draw) {
    this.draw = draw;
    this.outside = { groups: this.names(3), folders: this.names(2), channels: this.names(3) };
  }

  private name(): string {
    const words = Array.from({ length: 1 + this.draw.upTo(1) }, () =>
      this.words.splice(this.draw.upTo(this.words.length - 1), 1),
    );
    return words.flat().join(this.draw.one([" ", "-", "_"]));
  }
  private names(most: number): readonly string[] {
    return Array.from({ length: 1 + this.draw.upTo(most - 1) }, () => this.name());
  }
  private people(): readonly string[] {
    return [...new Set([ADA, ...this.draw.some(ADDRESSES, 3)])];
  }
  /** Who has a right. */
  private value(): unknown {
    const { draw, outside } = this;
    return draw.one<unknown>([
      draw.one(outside.groups),
      { groups: [draw.one(outside.groups), "role:moderators"] },
      { groups: [draw.one(outside.groups)], users: this.people() },
      { users: this.people() },
    ]);
  }

  private channel(): Item {
    const { draw, outside } = this;
    return {
      description: this.name(),
      ...draw.perhaps(2, () => ({ folder: draw.one(outside.folders) })),
      permissions: {
        can_send_message_group: this.value(),
        ...draw.perhaps(2, () => ({ can_resolve_topics_group: this.value() })),
      },
      ...draw.perhaps(2, () => ({
        subscribers: { users: this.people(), ...draw.perhaps(2, () => ({ groups: [draw.one(outside.groups)] })) },
      })),
    };
  }

  private group(): Item {
    const { draw, outside } = this;
    return {
      description: this.name(),
      members: this.people(),
      ...draw.perhaps(2, () => ({ subgroups: [draw.one(outside.groups)] })),
      permissions: { can_mention_group: this.value() },
    };
  }

  file(): File {
    const { draw, outside } = this;
    const channels = Object.fromEntries(this.names(3).map((name) => [name, this.channel()]));
    const groups = Object.fromEntries(this.names(2).map((name) => [name, this.group()]));
    const vault = { privacy: "private_shared_history", subscribers: { users: [ADA] } };
    const sections: Item = {
      ...draw.perhaps(2, () => ({
        settings: {
          ...draw.perhaps(2, () => ({ signup_announcements_channel: draw.one(outside.channels) })),
          permissions: { can_create_groups: { groups: ["role:owners", draw.one(outside.groups)] } },
        },
      })),
      ...draw.perhaps(2, () => ({ default_channels: ["general", ...draw.some(outside.channels, 2)] })),
      ...draw.perhaps(3, () => ({ bots: { "ci-bot": { owner: draw.one(ADDRESSES) } } })),
      ...draw.perhaps(3, () => ({ people: { [draw.one(ADDRESSES)]: { role: "member" } } })),
      ...draw.perhaps(3, () => ({
        invites: [
          {
            emails: ["new@acme.example"],
            channels: [draw.one(outside.channels)],
            groups: [draw.one(outside.groups)],
            send_until: "2099-01-01",
          },
        ],
      })),
    };
    return (desk) => ({
      version: 1,
      user_groups: groups,
      channels: { ...channels, desk: { description: desk }, vault },
      ...sections,
    });
  }
}

interface Breaking {
  readonly what: string;
  /** The name that means nothing afterwards. */
  readonly name: string;
  readonly make: () => Promise<void>;
}

const by =
  (method: string, path: () => string, params: Item = {}, as = "owner") =>
  (): Promise<void> =>
    world.edit(as, method, path(), params);

function breakingsOf({ groups, folders, channels }: Outside): readonly Breaking[] {
  const folder = (name: string): number | undefined =>
    Object.values(world.sandbox.state().channel_folders).find((one) => one.name === name)?.id;
  const channel = (name: string) => () => `/streams/${world.channel(name).stream_id}`;
  return [
    ...groups.map((name) => ({
      what: `the group ${name} is renamed`,
      name,
      make: by("PATCH", () => `/user_groups/${world.group(name)}`, { name: `${name} of old` }),
    })),
    ...folders.map((name) => ({
      what: `the folder ${name} is renamed`,
      name,
      make: by("PATCH", () => `/channel_folders/${folder(name)}`, { name: `${name} 2` }),
    })),
    ...channels.flatMap((name) => [
      { what: `#${name} is archived`, name, make: by("DELETE", channel(name)) },
      { what: `#${name} is renamed`, name, make: by("PATCH", channel(name), { new_name: `${name} 2` }) },
    ]),
    ...Object.entries(PEOPLE).flatMap(([name, { id, as }]) => [
      { what: `${name} is deactivated`, name, make: by("DELETE", () => `/users/${id}`) },
      {
        what: `${name} hides the address`,
        name,
        make: by("PATCH", () => "/settings", { email_address_visibility: 4 }, as),
      },
    ]),
  ];
}

const spaced = (text: string): string => text.replaceAll(/\s+/g, " ");

async function tried(draw: Draw): Promise<void> {
  world.restart();
  const organization = new Organization(draw);
  const { groups, folders, channels } = organization.outside;
  for (const name of groups) await world.createGroup(name, { members: [6, 7] });
  for (const name of folders) await world.edit("owner", "POST", "/channel_folders/create", { name, description: "" });
  for (const name of channels) await world.subscribe(name);
  const file = organization.file();
  const text = stringify(file("Before"));
  // An invitation that was sent is a record: nothing needs its names any more.
  const { invites: _, ...asking } = file("Before");
  const named = new Set(JSON.stringify(asking).match(/"[^"]*"/g));
  await world.bringInLine(text);
  await world.editChannel("vault", { is_private: false });
  const all = breakingsOf(organization.outside);
  const broken = draw
    .some(all, 5)
    .filter(({ name }, at, chosen) => chosen.findIndex((one) => one.name === name) === at)
    .filter(({ name }) => named.has(JSON.stringify(name)));
  for (const { make } of broken) await make();
  const about = `${broken.map(({ what }) => what).join(", ")}\n${text}`;

  const drift = await world.realmctl("drift --all");
  expect(drift.code, about + drift.out + drift.err).toBe(2);
  for (const said of ["#vault", "widens access", ...broken.map(({ name }) => name)])
    expect(spaced(drift.out), about).toContain(said);

  world.file("realm.yaml", stringify(file("After")));
  const plan = await world.realmctl("plan");
  expect([0, 1], about + plan.out + plan.err).toContain(plan.code);
  expect(plan.out, about).toContain("After");
  const applied = await world.realmctl("apply --yes");
  expect(applied.code, about + applied.out + applied.err).toBe(plan.code === 0 ? 0 : 5);
  expect(world.channel("desk").description).toBe("After");
  expect(world.channel("vault").invite_only).toBe(true);

  const adopted = await world.realmctl("adopt --all --yes");
  expect([0, 2], about + adopted.out + adopted.err).toContain(adopted.code);
  const after = await world.realmctl("plan --detailed-exit-code");
  if (adopted.code === 0) expect(after.code, `${about}${after.out}${after.err}\n${world.read("realm.yaml")}`).toBe(0);
  else expect(adopted.err, about).toContain("Not taken");
}

test(
  "drift names all of them, an unrelated change lands, and adopt takes them or says what it leaves",
  () =>
    fc.assert(
      // A smaller example would take hundreds of runs of all commands.
      fc.asyncProperty(fc.noShrink(fc.array(fc.nat({ max: 9999 }), { minLength: 200, maxLength: 200 })), (numbers) =>
        tried(new Draw(numbers)),
      ),
      { numRuns: Math.ceil(options.numRuns / 10) },
    ),
  TIMEOUT_MS,
);
