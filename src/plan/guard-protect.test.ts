import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import type { Span } from "../model/diagnostic.ts";
import type { Plan, Update } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { patternParts, protectGuards } from "./guard-protect.ts";
import { countedIn } from "./guards.ts";

const live: Overlay = {
  channels: ["general", "news", "Security"].map((name) => ({ name })),
  linkifiers: ["A", "B"].map((letter) => ({
    pattern: `${letter}(?P<n>[0-9]+)`,
    url_template: `https://x.example.org/${letter}/{n}`,
  })),
};
const realm = new Realm(realmOf(live));
const planOf = async (yaml: string): Promise<Plan> => must(await planText(`version: 1\n${yaml}`, realm.snapshot));

/** "name: object", or the patterns that nothing matches, and whether an object with such a name exists. */
function said(plan: Plan, patterns: readonly string[], of = realm): readonly string[] {
  return protectGuards(
    plan,
    patterns.map((pattern) => ({ pattern })),
    of,
    kinds,
  ).map(({ name, fact: { about }, violated }) => {
    if (about.kind === "protected") return `${name}: ${about.object.address}${violated ? "" : " (let through)"}`;
    if (about.kind !== "untouched") return about.kind;
    return `untouched: ${about.patterns.map(({ pattern, is_there }) => `${pattern} ${is_there}`).join(", ")}`;
  });
}

const order =
  "manage: {linkifiers: exact}\nlinkifiers:\n  - {pattern: 'B(?P<n>[0-9]+)', url_template: 'https://x.example.org/B/{n}'}\n  - {pattern: 'A(?P<n>[0-9]+)', url_template: 'https://x.example.org/A/{n}'}\n";

describe("patterns", () => {
  const news = "channels:\n  news: {description: New}\n";
  test.each<{ what: string; patterns: readonly string[]; found: readonly string[] }>([
    {
      what: "an object is protected once",
      patterns: ["channel:news", "channel:news"],
      found: ["protect:channel:news: channel:news"],
    },
    {
      what: "every pattern that matches it is named",
      patterns: ["channel:news", "channels:n*"],
      found: ["protect:channel:news: channel:news", "protect:channels:n*: channel:news"],
    },
    {
      what: "a changed object is not listed as unchanged",
      patterns: ["channel:news", "channel:general"],
      found: ["untouched: channel:general true", "protect:channel:news: channel:news"],
    },
    {
      what: "whether an object exists is decided by its name or by a wildcard",
      patterns: ["channel:security", "channel:sec*", "channel:lost", "channel:lost*", "invite:*"],
      found: [
        "untouched: channel:security true, channel:sec* true, channel:lost false, channel:lost* false, invite:* false",
      ],
    },
    {
      what: "whether any object exists is decided by the wildcard of the kind",
      patterns: ["linkifier:*", "invite:*"],
      found: ["untouched: linkifier:* true, invite:* false"],
    },
    { what: "an unknown kind", patterns: ["nosuch:news"], found: [] },
    { what: "a pattern without a name", patterns: ["channel:", ":news"], found: [] },
  ])("$what", async ({ patterns, found }) => expect(said(await planOf(news), patterns)).toEqual(found));

  test.each<[string, readonly string[]]>([
    ["channel:news", ["channel", "news"]],
    ["channel:a:b", ["channel", "a:b"]],
    ["c:n", ["c", "n"]],
    ["channel:", []],
    [":news", []],
    ["news", []],
  ])("the parts of %s", (pattern, parts) => expect(patternParts(pattern)).toEqual(parts));
});

describe("an order", () => {
  test("contains all objects: only the wildcard of their kind protects it", async () => {
    const plan = await planOf(order);
    expect(plan.changes.map(({ action }) => action)).toEqual(["reorder"]);
    expect(said(plan, ["linkifier:*"])).toEqual([`protect:linkifier:*: ${plan.changes[0]?.address}`]);
    expect(said(plan, ["linkifier:A*", "linkifier:B(?P<n>[0-9]+)"])).toHaveLength(1);
    expect(said(plan, ["linkifier:A*"])).toEqual(["untouched: linkifier:A* true"]);
  });

  test("is listed in its position among the changes of the objects", async () => {
    const plan = await planOf(order.replace("org/A/", "org/AA/"));
    const addresses = plan.changes.map(({ address }) => `protect:linkifier:*: ${address}`);
    expect(addresses).toHaveLength(2);
    expect(said(plan, ["linkifier:*"])).toEqual(addresses);
    const changes = [...plan.changes].reverse();
    expect(said({ ...plan, changes }, ["linkifier:*"])).toEqual([...addresses].reverse());
  });

  test("changes no object if the section is empty", async () => {
    const none = new Realm(realmOf({}));
    expect(said(await planOf(order), ["linkifier:*"], none)).toEqual(["untouched: linkifier:* false"]);
  });
});

describe("what the server changes together with an object", () => {
  const own = new Realm(
    realmOf({
      settings: { new_stream_announcements_stream_id: 101 },
      channels: [{ name: "news" }, { name: "general" }],
      default_channels: ["news", "general"],
    }),
  );
  const patterns = ["bot:ci-bot", "bot:deploy-bot", "default_channel:news", "default_channel:general", "settings:*"];
  test.each<{ what: string; yaml: string; found: readonly string[]; removals: readonly string[] }>([
    {
      what: "the bots of somebody who leaves",
      yaml: "people: {dmitri@acme.example: {deactivated: true}}\n",
      found: ["protect:bot:ci-bot: bot:ci-bot@localhost"],
      removals: ["person:dmitri@acme.example", "bot:ci-bot@localhost"],
    },
    {
      what: "what an archived channel was, by the name that it has",
      yaml: "channels: {old-news: {was: news, archived: true}}\n",
      found: ["protect:default_channel:news: default_channel:news", "protect:settings:*: settings:organization"],
      removals: ["channel:old-news", "default_channel:news"],
    },
    {
      what: "nothing twice that has a change of its own",
      yaml: `manage: {default_channels: exact}\nchannels: {news: {archived: true}}\ndefault_channels: [general]\nsettings: {new_stream_announcements_channel: null}\n`,
      found: ["protect:default_channel:news: default_channel:news", "protect:settings:*: settings:organization"],
      removals: ["channel:news", "default_channel:news"],
    },
  ])("is protected, and counted as removed: $what", async ({ yaml, found, removals }) => {
    const plan = must(await planText(`version: 1\n${yaml}`, own.snapshot));
    expect(said(plan, patterns, own).filter((line) => !line.startsWith("untouched"))).toEqual(found);
    const counted = countedIn({ plan, kinds }, own).items.filter(({ counted: by }) => by === "removals");
    expect(counted.map(({ object }) => object.address).sort()).toEqual([...removals].sort());
  });
});

describe("a protected object", () => {
  const ofFolder = (id: number, name: string): Update => ({
    action: "update",
    kind: "channel_folder",
    address: `channel_folder:${name}`,
    name,
    id,
    fields: [],
    risks: [],
  });
  const folders = new Realm(
    realmOf({ channel_folders: [{ name: "North", is_archived: true }, { name: "South" }, { name: "North" }] }),
  );
  const [old, south, north] = (folders.snapshot.channel_folders ?? []).map(({ id }) => id);
  const plan = async (...changes: readonly Update[]): Promise<Plan> => ({ ...(await planOf("")), changes });

  test("is the one with the id of the change, whatever name the plan gives it", async () => {
    const renamed = await plan(ofFolder(south ?? 0, "North"));
    expect(said(renamed, ["channel_folder:South"], folders)).toEqual([
      "protect:channel_folder:South: channel_folder:North",
    ]);
    expect(said(renamed, ["channel_folder:North"], folders)).toEqual(["untouched: channel_folder:North true"]);
  });

  test("can share its name with an inactive one: their changes are listed in the order of the plan", async () => {
    const three = await plan(ofFolder(old ?? 0, "a"), ofFolder(south ?? 0, "b"), ofFolder(north ?? 0, "c"));
    const listed = (patterns: readonly string[]) => said(three, patterns, folders).map((each) => each.slice(-1));
    expect(listed(["channel_folder:*"])).toEqual(["a", "b", "c"]);
    expect(listed(["channel_folder:*th"])).toEqual(["a", "b", "c"]);
    expect(listed(["channel_folder:north"])).toEqual(["a", "c"]);
    const others = await plan(ofFolder(south ?? 0, "a"), ofFolder(old ?? 0, "b"), ofFolder(north ?? 0, "c"));
    expect(said(others, ["channel_folder:*"], folders).map((each) => each.slice(-1))).toEqual(["a", "b", "c"]);
  });

  test("is reported with its changes, their places, and the rule, in the order of the plan", async () => {
    const plan = await planOf(
      "channels:\n  news:\n    description: New\n  general:\n    topics_policy: empty_topic_only\n    description: All\n",
    );
    const rule: Span = { file: "policy.yaml", line: 7, column: 1, endLine: 7, endColumn: 2 };
    const guards = (changes: Plan["changes"]) =>
      protectGuards({ ...plan, changes }, [{ pattern: "channel:*", at: rule }], realm, kinds);
    const received = (changes: Plan["changes"]) =>
      guards(changes).map(({ fact: { about }, at, rule: by }) => [
        about.kind === "protected"
          ? `${about.action} ${about.object.name} ${[...about.fields].sort().join(" ")}`
          : about.kind,
        at?.line,
        by?.line,
      ]);
    const rows = [
      ["update news description", 3, 7],
      ["update general description topics_policy", 5, 7],
    ];
    expect(received(plan.changes)).toEqual(rows);
    expect(received([...plan.changes].reverse())).toEqual([...rows].reverse());
    // A change without a place has the place of the first field that has one.
    const placeless: Update = {
      action: "update",
      kind: "channel",
      address: "channel:news",
      name: "news",
      fields: [
        { field: "description", before: "", after: "New" },
        { field: "topics_policy", before: "inherit", after: "empty_topic_only", at: rule },
      ],
      risks: [],
    };
    expect(received([placeless])).toEqual([["update news description topics_policy", 7, 7]]);
    expect(received([{ ...placeless, fields: placeless.fields.slice(0, 1) }])).toEqual([
      ["update news description", undefined, 7],
    ]);
  });
});
