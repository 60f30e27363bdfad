import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { plannedCases } from "../../test/support/cases.ts";
import { realmOf } from "../../test/support/realm.ts";
import { must, planAgainst } from "../../test/support/world.ts";
import type { Checked } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import { keyOf, liveObjects, type ResourceKind } from "../model/kind.ts";
import type { Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { counted, pluralOf } from "../report/object-names.ts";
import { kinds } from "./registry.ts";

/** A folder's name is its kind's, with dashes. */
const folderOf = ({ name }: ResourceKind): string => name.replaceAll("_", "-");

test("every folder is a kind of the registry, and every kind has its folder", () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(import.meta.dirname, entry.name, "kind.ts")))
    .map(({ name }) => name);
  expect(folders.sort()).toEqual(kinds.map(folderOf).sort());
});

test("names and sections are unique", () => {
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
  expect(new Set(kinds.map(({ section }) => section)).size).toBe(kinds.length);
});

test.each(kinds.map((kind) => [folderOf(kind)]))(
  "%s imports no other kind, and nothing that reads or writes",
  (folder) => {
    const directory = join(import.meta.dirname, folder);
    expect(existsSync(directory), `the kind's folder is its name with dashes: src/kinds/${folder}/`).toBe(true);
    const sources = readdirSync(directory).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    expect(sources).toContain("kind.ts");
    for (const source of sources) {
      const text = readFileSync(join(directory, source), "utf8");
      for (const [, from = ""] of text.matchAll(/from "([^"]+)"/g))
        expect(`${source}: ${from}`).toMatch(
          /: (\.\/|\.\.\/[a-z-]+\.ts$|\.\.\/\.\.\/(access|model)\/|zod$|re2js$|url-template$)/,
        );
    }
  },
);

/** One object of each kind, at least. */
const everything = realmOf({
  feature_level: 478,
  channels: [
    { name: "general", folder_id: 1 },
    { name: "closed", invite_only: true },
    { name: "gone", is_archived: true },
  ],
  default_channels: ["general"],
  subscribers: { general: ["ada@acme.example"], closed: ["ada@acme.example"] },
  linkifiers: [{ pattern: "#(?P<id>[0-9]+)", url_template: "https://x.example.org/{id}" }],
  domains: [{ domain: "acme.example", allow_subdomains: false }],
  navigation_views: [{ fragment: "inbox", is_pinned: true, name: null }],
  profile_fields: [
    { name: "Site", type: "select", field_data: { "0": { text: "Leeds", order: "1" } } },
    { name: "GitHub username", type: "external_account", field_data: { subtype: "github" } },
  ],
  emoji: { forge: "ada@acme.example", smile: "ada@acme.example" },
  playgrounds: [{ language: "Rust", name: "Rust playground", url_template: "https://x.example.org/?code={code}" }],
  settings: { emails_restricted_to_domains: false, message_content_edit_limit_seconds: null },
  user_defaults: { enter_sends: true },
  invites: [{ email: "grace@acme.example" }],
  links: [{ expires_in_days: null }],
});
const realm = new Realm(everything);

/** A file with one section. */
const file = (section: string, value: unknown, policy?: string): string =>
  JSON.stringify({ version: 1, [section]: value, ...(policy === undefined ? {} : { manage: { [section]: policy } }) });

const cases = await plannedCases();

describe.each(kinds.map((kind) => ({ name: kind.name, kind })))("$name", ({ kind }) => {
  const own = cases.filter(({ name }) => name.startsWith(`${folderOf(kind)}/`));
  const plans = own.flatMap(({ plan }) => (plan.ok ? [plan.value] : []));
  const refusals = own.flatMap(({ plan }) =>
    plan.ok ? plan.warnings.filter(({ unresolved }) => unresolved?.isHeld === true) : plan.diagnostics,
  );
  const changes = plans.flatMap((plan) => plan.changes.filter((change) => change.kind === kind.name));
  const isSingleton = kind.shape === "singleton";
  const empty = kind.shape === "list" ? [] : {};
  const live = liveObjects(kind, realm) ?? [];
  const lacks = (what: string): string => `src/kinds/${folderOf(kind)}/cases/ has no case with ${what}`;

  test("the schema describes every field", () => {
    const undescribed = fieldsOf(z.toJSONSchema(kind.file.schema(), { io: "input", unrepresentable: "any" })).filter(
      ([, schema]) => !isObject(schema) || typeof schema.description !== "string" || schema.description === "",
    );
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  test("a feature level is given only if some supported server lacks the field", () => {
    for (const { level } of Object.values(kind.file.fields)) if (level !== undefined) expect(level).toBeGreaterThan(0);
  });

  test("cases: create, change each field, remove, unchanged, unmanaged", () => {
    // In a partial section nothing is created, and objects that it does not list do not matter; a singleton is neither created nor removed.
    const actions = changes.map(({ action }) => action);
    const made = kind.isPartial === true ? ["remove"] : ["create", "remove"];
    expect([...new Set(actions)].sort(), lacks(isSingleton ? "an update" : made.join(" or "))).toEqual(
      isSingleton ? ["update"] : expect.arrayContaining(made),
    );
    if (kind.isPartial === true)
      expect(plans.flatMap(({ unmanaged }) => unmanaged).some(({ section }) => section === kind.section)).toBe(false);
    const changed = new Set(changes.flatMap(({ fields }) => fields.map(({ field }) => field)));
    const unchanged = Object.keys(kind.file.fields).filter((field) => !changed.has(field));
    expect(unchanged, lacks("a change of each of these fields")).toEqual([]);
    const calm = plans.some((plan) => plan.changes.length === 0 && (plan.matches[kind.section] ?? 0) > 0);
    expect(calm, lacks("objects and no change")).toBe(true);
    expect(
      kind.isPartial === true ||
        plans.some((plan) => plan.unmanaged.some((item) => item.section === kind.section && item.names.length > 0)),
      lacks("an object that the file does not name (policy-additive)"),
    ).toBe(true);
  });

  test("cases: reorder, if order has a meaning; rename, if names can change", () => {
    if (kind.diff?.ordered !== undefined)
      expect(
        changes.map(({ action }) => action),
        lacks("a reorder"),
      ).toContain("reorder");
    const renames = fieldsOf(z.toJSONSchema(kind.file.schema(), { io: "input", unrepresentable: "any" })).some(
      ([name]) => name === "was",
    );
    if (renames)
      expect(
        changes.some(({ was }) => was !== undefined),
        lacks("a rename (was:)"),
      ).toBe(true);
  });

  test("cases: not allowed; too old server, if anything needs a level", () => {
    // Everybody may change their own navigation views.
    const isRefused = refusals.some(({ code }) => /not-allowed|bot/.test(code));
    if (kind.name !== "navigation_view") expect(isRefused, lacks("an account that may not do it")).toBe(true);
    const levels = [kind.live.level, ...Object.values(kind.file.fields).map(({ level }) => level)];
    if (levels.some((level) => level !== undefined && level > 320))
      expect(
        refusals.map(({ code }) => code),
        lacks("a server that is too old"),
      ).toContain("plan/server-too-old");
  });

  test("every plan and refusal can be stored as JSON", () => {
    for (const { plan } of own) expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  test("every error has a code in the usual form", () => {
    for (const { code } of refusals) expect(code).toMatch(/^[a-z_]+\/[a-z-]+$/);
  });

  test("the test organization has an object of the kind", () => {
    const active = live.filter(({ inactive }) => !inactive);
    expect(active, `add an object of this kind to "everything" in src/kinds/contract.test.ts`).not.toEqual([]);
  });

  test("reports can derive its nouns from its name and its section", () => {
    const [one, many] = [kind.name, kind.section].map((word) => word.replaceAll("_", " "));
    const hint = "a plural that does not end in s needs a line in IRREGULAR of src/report/object-names.ts";
    if (isSingleton)
      expect([one, kind.name.endsWith("s")], "the name of a singleton is a plural").toEqual([many, true]);
    else expect([pluralOf(kind.name), counted(kind.section, 1)], hint).toEqual([many, `1 ${one}`]);
  });

  test("an exported object has no difference", async () => {
    if (kind.yaml?.item === undefined) return;
    const items = live.map((object) => [object.name, kind.yaml?.item?.(object, realm)] as const);
    const list = items.map(([, item]) => item);
    const section = kind.shape === "map" ? Object.fromEntries(items) : isSingleton ? list[0] : list;
    const policy = kind.isPartial === true ? "additive" : "exact";
    expect(must(await planAgainst(file(kind.section, section, policy), everything)).changes).toEqual([]);
  });

  test.each(["additive", "ignore"])("%s removes nothing", async (policy) => {
    const plan = must(await planAgainst(file(kind.section, empty, policy), everything));
    expect(plan.changes).toEqual([]);
    if (kind.isPartial === true) return;
    expect(plan.unmanaged.find(({ section }) => section === kind.section)?.names.length).toBe(
      isSingleton ? Object.keys(live[0]?.fields ?? {}).length : live.filter(({ inactive }) => !inactive).length,
    );
  });

  test("exact removes undeclared objects, or says why it cannot", async () => {
    const planned: Checked<Plan> = await planAgainst(file(kind.section, empty, "exact"), everything);
    if (!planned.ok) {
      for (const { code } of planned.diagnostics)
        expect(code).toMatch(kind.isPartial === true ? /^config\/partial-section$/ : /in-use|last/);
      return;
    }
    const refused = planned.value.warnings.filter(({ unresolved }) => unresolved?.isHeld === true);
    for (const { code } of refused) expect(code).toMatch(/in-use|last/);
    expect(planned.value.changes.map(({ action }) => action)).toEqual(
      live
        .filter(({ inactive }) => !inactive)
        .slice(refused.length)
        .map(() => (isSingleton ? "update" : "remove")),
    );
  });

  test("the schema accepts absent: true, except for singletons", () => {
    const names = fieldsOf(z.toJSONSchema(kind.file.schema(), { io: "input", unrepresentable: "any" })).map(
      ([name]) => name,
    );
    if (isSingleton) expect(names).not.toContain("absent");
    else expect(names).toContain(kind.isPartial === true ? kind.inactivity?.field : "absent");
  });

  test("a name is found by its key, in any spelling", () => {
    for (const { key, name } of live) expect(keyOf(kind, name)).toBe(key);
  });
});

/** Properties of a schema, including those of its alternatives. */
function fieldsOf(schema: unknown): readonly (readonly [string, unknown])[] {
  if (!isObject(schema)) return [];
  const own = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const nested = own.flatMap(([, inner]) => fieldsOf(inner));
  return [...own, ...nested, ...branches.flatMap(fieldsOf)];
}
