import { describe, expect, test } from "vitest";
import { planFileText } from "../src/apply/plan-file.ts";
import { kinds } from "../src/kinds/registry.ts";
import { type Checked, error } from "../src/model/diagnostic.ts";
import type { Change, Plan } from "../src/model/plan.ts";
import type { Targets } from "../src/model/plan-schema.ts";
import { renderPlanMarkdown } from "../src/report/markdown.ts";
import { PLAIN } from "../src/report/style.ts";
import { renderPlan } from "../src/report/text.ts";
import { readSavedPlan } from "../src/workflow/saved.ts";
import { driftOf, planRealm } from "../src/workflow/workflow.ts";
import { realmOf } from "./support/realm.ts";
import { must } from "./support/world.ts";

const LIVE = realmOf({
  channels: [{ name: "general" }, { name: "outages" }, { name: "attic" }, { name: "cellar" }],
  user_groups: [{ name: "watch", members: [] }],
  linkifiers: [{ pattern: "OLD-(?P<id>[0-9]+)", url_template: "https://old.example.org/{id}" }],
});
const FILE = `version: 1
manage: {channels: exact, linkifiers: exact}
user_groups:
  crew: {members: [ada@acme.example]}
  night-watch: {was: watch}
channels:
  general: {description: Hello, permissions: {can_send_message_group: night-watch}}
  incidents: {was: outages}
  outages: {description: New}
  team-a: {permissions: {can_send_message_group: crew}}
  team-b: {description: B}
linkifiers:
  - {pattern: 'BUG-(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}'}
`;

async function planned(given: Partial<Targets>, yaml = FILE, known = kinds) {
  const targets: Targets = { only: [], except: [], needs: "refuse", ...given };
  return planRealm({
    file: "realm.yaml",
    readFile: async () => yaml,
    reader: { snapshot: async () => LIVE },
    kinds: known,
    targets,
  });
}

const planOf = async (given: Partial<Targets>): Promise<Plan> => must(await planned(given)).plan;
const addresses = ({ changes }: Plan): readonly string[] => changes.map(({ address }) => address);

async function codesOf(given: Partial<Targets>): Promise<readonly unknown[]> {
  const found: Checked<unknown> = await planned(given);
  return found.ok ? [] : found.diagnostics.map(({ code, fact }) => [code, fact]);
}

test("a part of a plan that is refused although the whole is not says so", async () => {
  // No present kind needs anything that it does not declare; such a part would be refused, not sent.
  const known = kinds.map((kind) =>
    kind.name !== "channel"
      ? kind
      : {
          ...kind,
          review: {
            ...kind.review,
            check: (changes: readonly Change[]) =>
              changes.some(({ name }) => name === "team-b") ? [] : [error("user_groups/limited-plan", {})],
          },
        },
  );
  const found = await planned({ only: ["channel:general"] }, FILE, known);
  expect(found.ok ? [] : found.diagnostics.map(({ code }) => code)).toEqual([
    "targets/not-alone",
    "user_groups/limited-plan",
  ]);
});

describe("the objects that targets name", () => {
  test.each<[string, Partial<Targets>, readonly string[]]>([
    ["a section", { only: ["linkifiers"] }, ["linkifier:BUG-(?P<id>[0-9]+)", "linkifier:OLD-(?P<id>[0-9]+)"]],
    ["a kind", { only: ["user_group"] }, ["user_group:crew", "user_group:night-watch"]],
    [
      "a name with wildcards",
      { only: ["channel:team-?"], needs: "take" },
      ["user_group:crew", "channel:team-a", "channel:team-b"],
    ],
    ["a name in another case", { only: ["channels:GENERAL"] }, ["channel:general"]],
    ["the name before a rename", { only: ["user_group:watch"] }, ["user_group:night-watch"]],
    ["an object that is removed because no item names it", { only: ["channel:attic"] }, ["channel:attic"]],
    ["all but some", { except: ["channels", "linkifiers"] }, ["user_group:crew", "user_group:night-watch"]],
    ["all but one of some in a section", { only: ["channel:team-*"], except: ["channel:team-a"] }, ["channel:team-b"]],
  ])("%s", async (_, targets, wanted) => expect(addresses(await planOf(targets))).toEqual(wanted));

  test.each<[string, Partial<Targets>, readonly unknown[]]>([
    [
      "a kind that does not exist",
      { only: ["chanels"] },
      [
        [
          "targets/section",
          {
            option: "--only",
            name: { quoted: "chanels" },
            found: "unknown",
            meant: "channels",
            sections: ["user_groups", "channels", "linkifiers"],
          },
        ],
      ],
    ],
    [
      "a section that the file does not have, and a misspelt name",
      { only: ["domains"], except: ["channel:#genral"] },
      [
        [
          "targets/no-match",
          {
            option: "--except",
            pattern: { pattern: "channel:#genral" },
            section: "channels",
            meant: { pattern: "channel:general" },
          },
        ],
        [
          "targets/section",
          {
            option: "--only",
            name: { quoted: "domains" },
            found: "absent",
            sections: ["user_groups", "channels", "linkifiers"],
          },
        ],
      ],
    ],
    [
      "an object without its kind",
      { only: ["#general"] },
      [
        [
          "targets/section",
          {
            option: "--only",
            name: { quoted: "#general" },
            found: "unknown",
            meant_object: { pattern: "channel:general" },
            sections: ["user_groups", "channels", "linkifiers"],
          },
        ],
      ],
    ],
  ])("%s is an error that suggests the correct name", async (_, targets, found) =>
    expect(await codesOf(targets)).toEqual(found),
  );
});

test.each<[string, Partial<Targets>, string]>([
  ["--only", { only: ["channel:team-?", "linkifiers"], except: ["linkifier:*", "channel:team-*"] }, "named"],
  ["the file", { except: ["channels", "user_groups", "linkifiers"] }, "file"],
])("--except that leaves nothing of %s is an error, not a plan without changes", async (_, targets, of) =>
  expect(await codesOf(targets)).toEqual([["targets/nothing-left", { of }]]),
);

describe("the objects that the named ones need", () => {
  const crew = { address: "user_group:crew", name: "crew" };
  const needs = { object: { address: "channel:team-a", name: "team-a" }, needs: crew, is_to: "create" };

  test("if the targets leave them out, an error names them", async () =>
    expect(await codesOf({ only: ["channel:team-a"] })).toEqual([["targets/needs", { ...needs, excepted: false }]]));

  test("are never included if --except names them", async () =>
    expect(await codesOf({ except: ["user_group:crew"], needs: "take" })).toEqual([
      ["targets/needs", { ...needs, excepted: true }],
    ]));

  test.each<{
    what: string;
    groups: string;
    others?: string;
    people?: string;
    more?: readonly string[];
    needs: readonly string[];
  }>([
    { what: "a new group", groups: "crew: {members: [ada@acme.example]}", needs: ["user_group:crew"] },
    {
      what: "a group with another member",
      groups: "watch: {members: [ada@acme.example]}",
      needs: ["user_group:watch"],
    },
    {
      what: "a group that gets another subgroup",
      groups: "watch: {subgroups: [crew]}, crew: {members: [ada@acme.example]}",
      needs: ["user_group:crew", "user_group:watch"],
    },
    { what: "a group with another description", groups: "watch: {description: Night}", needs: [] },
    {
      what: "a role that somebody gets",
      groups: "role:moderators: {}",
      people: "dmitri@acme.example: {role: moderator}",
      more: ["ben@acme.example", "chiara@acme.example", "dmitri@acme.example", "kofi@acme.example"],
      needs: ["person:dmitri@acme.example"],
    },
    {
      what: "a group inside one that the file does not have",
      groups: "outer: {}",
      others: "watch: {members: [ada@acme.example]}",
      needs: ["user_group:watch"],
    },
  ])("include the groups whose members a list copies, also if the whole plan does not change it: $what", async (on) => {
    const group = on.groups.slice(0, on.groups.indexOf(": "));
    const groups = on.others ?? (on.people === undefined ? on.groups : "");
    const list = "privacy: private_shared_history, subscribers: {users: [ada@acme.example]";
    const own = `user_groups: {${groups}}\npeople: {${on.people ?? ""}}\n`;
    const yaml = `version: 1\n${own}channels: {board: {${list}, groups: [${group}]}}}\n`;
    const snapshot = realmOf({
      channels: [{ name: "board", invite_only: true }],
      subscribers: { board: ["ada@acme.example", ...(on.more ?? [])] },
      user_groups: [
        { name: "watch", members: [] },
        { name: "outer", members: [], subgroups: ["watch"] },
      ],
    });
    const plan = (needs: Targets["needs"]) =>
      planRealm({
        ...{ file: "realm.yaml", readFile: async () => yaml, reader: { snapshot: async () => snapshot }, kinds },
        targets: { only: ["channel:board"], except: [], needs },
      });
    const taken = must(await plan("take")).plan;
    expect([...addresses(taken)].sort()).toEqual(on.needs);
    const refused = await plan("refuse");
    expect(refused.ok ? [] : refused.diagnostics.map(({ code }) => code)).toEqual(on.needs.map(() => "targets/needs"));
  });

  test("include the object that gives up its name", async () => {
    const plan = await planOf({ only: ["channel:outages"], needs: "take" });
    // Each of the two objects has had that name, so it means both.
    expect(addresses(plan)).toEqual(["channel:incidents", "channel:outages"]);
    expect(await codesOf({ only: ["channel:outages"], except: ["channel:incidents"] })).toMatchObject([
      ["targets/needs", { is_to: "rename", excepted: true }],
    ]);
  });

  test("are listed in the plan", async () => {
    const plan = await planOf({ only: ["channel:team-a"], needs: "take" });
    expect(plan.extra?.partial).toEqual({
      only: [{ pattern: "channel:team-a" }],
      except: [],
      taken_along: [{ object: crew, for: { address: "channel:team-a", name: "team-a" } }],
      left_out: [
        { section: "user_groups", changes: 1 },
        { section: "channels", changes: 6 },
        { section: "linkifiers", changes: 2 },
      ],
    });
  });

  test("drift does not count them", async () => {
    const drift = driftOf(await planOf({ only: ["channel:team-a"], needs: "take" }));
    expect(drift.differences.map(({ address }) => address)).toEqual(["channel:team-a"]);
  });
});

test("a part uses the current name of a group whose rename it leaves out", async () => {
  const plan = await planOf({ only: ["channel:general"] });
  const [change] = plan.changes;
  expect(change?.fields.find(({ field }) => field === "can_send_message_group")?.after).toBe("watch");
  expect(plan.calls).toHaveLength(1);
});

test("only named objects are removed, and guards count only those", async () => {
  const plan = await planOf({ only: ["channel:attic"] });
  expect(plan.guards.find(({ name }) => name === "removals")?.fact.about).toMatchObject({ amount: 1 });
  expect(must(await planned({ only: ["channel:team-b"] })).plan.guards.some(({ violated }) => violated)).toBe(false);
});

test("a part that needs something that it leaves out says so in its errors, even if no kind declares the need", async () => {
  const yaml = "version: 1\nchannels:\n  hall: {privacy: public}\ndefault_channels: [hall]\n";
  const found = await planned({ only: ["default_channels"] }, yaml);
  expect(found.ok ? [] : found.diagnostics.map(({ code }) => code)).toEqual(["targets/needs"]);
});

test("reports begin with what was left out", async () => {
  const plan = await planOf({ only: ["channel:team-b"], except: ["channel:team-a"] });
  const said =
    "only channel:team-b · without channel:team-a · left out: 10 changes (2 user groups, 6 channels, 2 linkifiers)";
  const style = { ...PLAIN, width: 200 };
  expect(renderPlan(plan, { style }).split("\n")[2]).toBe(`Partial      ${said}`);
  expect(renderPlan({ ...plan, changes: [], calls: [] }, { style }).split("\n")[0]).toBe(`Partial      ${said}`);
  const origin = { mine: [], earlier: plan.changes, adopted: [] };
  const markdown = renderPlanMarkdown({ plan, origin, notCompared: "", budget: 60_000, elsewhere: "" });
  expect(markdown).toContain(`**Partial:** ${said.replaceAll(/channel:[\w-]+/g, "`$&`")}.`);
});

test("a saved plan of a part says so, and is planned again as the same part", async () => {
  const { plan, inputs, origin } = must(await planned({ only: ["channel:team-b"] }));
  const text = await planFileText(plan, { inputs, origin });
  const opened = await readSavedPlan(text, "realm.plan");
  expect(addresses(opened.plan)).toEqual(["channel:team-b"]);
  const { targets: _, ...others } = inputs;
  await expect(readSavedPlan(await planFileText(plan, { inputs: others, origin }), "realm.plan")).rejects.toMatchObject(
    {
      diagnostics: [{ code: "plan-file/not-its-own" }],
    },
  );
});
