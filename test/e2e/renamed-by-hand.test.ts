import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { EXIT } from "../../src/model/diagnostic.ts";
import { Draw } from "../properties/draw.ts";
import fc from "../support/random.ts";
import { WORDS } from "../support/random-words.ts";
import { worldOfTests } from "./world.ts";

/*
 * A random organization that its file describes. Somebody renames one object in the settings page and changes something else in the same dialog. Then the
 * plan says that it looks renamed, `apply --yes` sends nothing, `adopt` writes it, and nothing differs.
 */

/** One of each kind in a quick check; `npm run soak` makes thousands (docs/internals/decisions/0023-random-tests-are-seeded.md). */
const RUNS = Number(process.env.REALMCTL_RUNS ?? 1);
const TIMEOUT_MS = 120_000 + RUNS * 20_000;
const PEOPLE = ["ada", "ben", "chiara", "dmitri", "elif", "farah", "gustavo", "hana"].map(
  (name) => `${name}@acme.example`,
);

// Bots can be renamed since level 447.
const world = worldOfTests({ level: 500 });

type Item = { readonly [field: string]: unknown };
type Items = { readonly [name: string]: Item };

/** Random texts; each word is used once, so that objects have nothing in common by chance. */
class Texts {
  readonly draw: Draw;
  private readonly left = [...WORDS];

  constructor(draw: Draw) {
    this.draw = draw;
  }

  word(): string {
    const [word = "spare"] = this.left.splice(this.draw.upTo(Math.max(0, this.left.length - 1)), 1);
    return word;
  }
  words(least: number, most: number): string {
    return Array.from({ length: least + this.draw.upTo(most - least) }, () => this.word()).join(" ");
  }
  /** Another text with most of the words. */
  edited(text: string): string {
    const words = text.split(" ");
    if (this.draw.chance(3)) return text;
    const at = this.draw.upTo(words.length - 1);
    if (words.length >= 3 && this.draw.chance(2)) return words.toSpliced(at, 1, this.word()).join(" ");
    if (words.length >= 3 && this.draw.chance(2)) return words.toSpliced(at, 1).join(" ");
    return words.toSpliced(at, 0, this.word()).join(" ");
  }
  /** Another name: with a word of the old one, or without. */
  renamed(name: string): string {
    return this.draw.chance(2) ? `${name} ${this.word()}` : this.word();
  }
}

interface Organization {
  readonly channel_folders: Items;
  readonly user_groups: Items;
  readonly channels: Items;
  readonly profile_fields: readonly Item[];
  readonly linkifiers: readonly Item[];
  readonly playgrounds: readonly Item[];
  readonly bots: Items;
}

function organization(texts: Texts): Organization {
  const { draw } = texts;
  const map = (size: number, item: () => Item, suffix = ""): Items =>
    Object.fromEntries(Array.from({ length: size }, () => [`${texts.word()}${suffix}`, item()]));
  const list = (size: number, item: () => Item): readonly Item[] => Array.from({ length: size }, item);
  const channel_folders = map(2, () => ({ description: texts.words(2, 4) }));
  const user_groups = map(2, () => ({
    description: draw.chance(3) ? "" : texts.words(3, 4),
    members: [...draw.some(PEOPLE.slice(3), 2), ...PEOPLE.slice(0, 3)],
  }));
  return {
    channel_folders,
    user_groups,
    channels: {
      Zulip: {},
      general: {},
      sandbox: {},
      ...map(3, () => ({
        description: texts.words(3, 5),
        ...draw.perhaps(3, () => ({ folder: draw.one(Object.keys(channel_folders)) })),
        ...draw.perhaps(3, () => ({ topics_policy: draw.one(["allow_empty_topic", "disable_empty_topic"]) })),
        ...draw.perhaps(3, () => ({ permissions: { can_send_message_group: draw.one(Object.keys(user_groups)) } })),
      })),
    },
    profile_fields: [
      ...list(2, () => ({ name: texts.word(), type: "short_text", hint: texts.words(2, 3) })),
      { name: texts.word(), type: "select", options: [texts.word(), texts.word(), texts.word()] },
    ],
    linkifiers: list(2, () => {
      const word = texts.word();
      return { pattern: `${word}-(?P<id>[0-9]+)`, url_template: `https://${word}.example.org/{id}` };
    }),
    playgrounds: list(2, () => ({
      language: draw.one(["Rust", "Python", "Go"]),
      name: texts.word(),
      url_template: `https://${texts.word()}.example.org/?code={code}`,
    })),
    bots: map(1, () => ({ full_name: texts.words(2, 2) }), "-bot"),
  };
}

/** A row of one of the sandbox's tables. */
function rowOf<Row extends object>(table: { readonly [id: string]: Row }, is: Item): Row {
  const found = Object.values(table).find((row) =>
    Object.entries(is).every(([key, value]) => Reflect.get(row, key) === value),
  );
  if (found === undefined) throw new RangeError(`no ${JSON.stringify(is)}`);
  return found;
}

const own = (items: Items): Items =>
  Object.fromEntries(Object.entries(items).filter(([, { description }]) => description !== undefined));

/** What somebody does to one object of each kind. @returns its new name */
const BY_HAND: {
  readonly [section in keyof Organization]: (organization: Organization, texts: Texts) => Promise<string>;
} = {
  async channels({ channels }, texts) {
    const { draw } = texts;
    const [old, item] = draw.one(Object.entries(own(channels)));
    const new_name = texts.renamed(old);
    await world.editChannel(old, {
      new_name,
      description: texts.edited(String(item.description)),
      ...draw.perhaps(3, () => ({ topics_policy: "empty_topic_only" })),
      ...draw.perhaps(3, () => ({ is_private: true })),
      ...draw.perhaps(3, () => ({ can_administer_channel_group: { new: world.group("role:moderators") } })),
    });
    return new_name;
  },
  async user_groups({ user_groups }, texts) {
    const { draw } = texts;
    const [old, item] = draw.one(Object.entries(user_groups));
    const name = texts.renamed(old);
    const id = world.group(old);
    await world.edit("owner", "PATCH", `/user_groups/${id}`, {
      name,
      description: texts.edited(String(item.description)),
    });
    if (draw.chance(2)) {
      await world.edit("owner", "POST", `/user_groups/${id}/members`, { delete: [world.person(PEOPLE[0] ?? "")] });
    }
    return name;
  },
  async channel_folders({ channel_folders }, texts) {
    const [old, item] = texts.draw.one(Object.entries(channel_folders));
    const name = texts.renamed(old);
    const { id } = rowOf(world.sandbox.state().channel_folders, { name: old });
    await world.edit("owner", "PATCH", `/channel_folders/${id}`, {
      name,
      description: texts.edited(String(item.description)),
    });
    return name;
  },
  async profile_fields({ profile_fields }, texts) {
    const item = texts.draw.one(profile_fields);
    const name = texts.renamed(String(item.name));
    const row = rowOf(world.sandbox.state().profile_fields, { name: item.name });
    await world.edit("owner", "PATCH", `/realm/profile_fields/${row.id}`, {
      name,
      ...(item.hint === undefined ? {} : { hint: texts.edited(String(item.hint)) }),
      ...(item.options === undefined || texts.draw.chance(2)
        ? {}
        : { field_data: { ...JSON.parse(String(row.field_data)), 9: { text: texts.word(), order: "9" } } }),
    });
    return name;
  },
  async linkifiers({ linkifiers }, texts) {
    const { pattern: old, url_template } = texts.draw.one(linkifiers);
    const { id } = rowOf(world.sandbox.state().linkifiers, { pattern: old });
    const pattern = `${texts.word()}-(?P<id>[0-9]+)`;
    await world.edit("owner", "PATCH", `/realm/filters/${id}`, { pattern, url_template });
    return pattern;
  },
  // A playground cannot be edited: people remove it and add it again.
  async playgrounds({ playgrounds }, texts) {
    const { name: old, language, url_template } = texts.draw.one(playgrounds);
    const { id } = rowOf(world.sandbox.state().playgrounds, { name: old });
    const name = texts.renamed(String(old));
    await world.edit("owner", "DELETE", `/realm/playgrounds/${id}`, {});
    await world.edit("owner", "POST", "/realm/playgrounds", { name, pygments_language: language, url_template });
    return name;
  },
  async bots({ bots }, texts) {
    const [old = ""] = Object.keys(bots);
    const { user_id } = rowOf(world.sandbox.state().users, { full_name: bots[old]?.full_name });
    const short_name = texts.word();
    await world.edit("owner", "PATCH", `/bots/${user_id}`, { short_name });
    return `${short_name}-bot`;
  },
};

const isSection = (name: string): name is keyof Organization => Object.hasOwn(BY_HAND, name);

async function holds(section: keyof Organization, numbers: readonly number[]): Promise<void> {
  world.restart();
  const texts = new Texts(new Draw(numbers));
  const described = organization(texts);
  const policy = texts.draw.one(["additive", "exact"]);
  const bots = section === "bots" ? { "deploy-bot": {}, "ci-bot": {}, "hook-bot": {} } : {};
  await world.bringInLine(
    stringify({ version: 1, manage: { [section]: policy }, ...described, bots: { ...described.bots, ...bots } }),
  );
  const name = await BY_HAND[section](described, texts);
  // No two bots have one full name, so the second one is an error besides.
  const isError = section === "bots";
  const plan = await world.realmctl("plan");
  expect(plan, plan.err).toMatchObject({ code: isError ? EXIT.errors : EXIT.done });
  expect(plan.err + plan.out).toContain("plan/looks-renamed");
  expect((plan.err + plan.out).replaceAll(/\s+/g, " ")).toContain(name);
  const sent = world.writes().length;
  const refused = await world.realmctl("apply --yes");
  expect(refused, refused.err).toMatchObject({ code: isError ? EXIT.errors : EXIT.refusedByGuard });
  // An object with an error is left as it is, so nothing is asked about it.
  if (!isError) expect(refused.err.replaceAll(/\s+/g, " ")).toContain("--allow renames");
  expect(world.writes()).toHaveLength(sent);
  const adopted = await world.realmctl("adopt --yes --all");
  expect(adopted, adopted.err).toMatchObject({ code: EXIT.done });
  const after = await world.realmctl("plan");
  expect(after, after.err + world.read("realm.yaml")).toMatchObject({
    code: EXIT.done,
    out: expect.stringContaining("No changes"),
  });
}

describe("an object that somebody renamed and edited by hand is asked about, and adopted", () => {
  test.each(Object.keys(BY_HAND).filter(isSection))(
    "%s",
    (section) =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: 10_000 }), { minLength: 150, maxLength: 150 }), (numbers) =>
          holds(section, numbers),
        ),
        { numRuns: RUNS, endOnFailure: true },
      ),
    TIMEOUT_MS,
  );
});
