import { expect, test } from "vitest";
import type { WireCall } from "../src/model/journal.ts";
import { betweenRequests } from "./support/between-requests.ts";
import { realmOf } from "./support/realm.ts";
import { must, planAgainst, World } from "./support/world.ts";

const PLAYGROUND = { language: "Rust", name: "Play", url_template: "https://old.example.org/{code}" };
const live = realmOf({
  settings: { default_language: "en", default_code_block_language: "Rust" },
  playgrounds: [PLAYGROUND],
  user_defaults: {},
});
const GONE = "playgrounds: [{language: Rust, name: Play, absent: true}]\n";
const realm = (params: WireCall["params"]): WireCall => ({ operation: "update-realm", path: {}, params });

test.each<{ what: string; file: string; theirs: WireCall; kept: readonly [field: string, value: unknown] }>([
  {
    what: "the organization's language",
    file: "settings: {default_language: de}\n",
    theirs: realm({ default_language: "fr" }),
    kept: ["default_language", "fr"],
  },
  {
    what: "the default language of code blocks",
    file: "settings: {default_code_block_language: Go}\n",
    theirs: realm({ default_code_block_language: "C" }),
    kept: ["default_code_block_language", "C"],
  },
  {
    what: "the language of a playground that the file keeps",
    file: `settings: {default_code_block_language: Rust}\n${GONE}`,
    theirs: realm({ default_code_block_language: "C" }),
    kept: ["default_code_block_language", "C"],
  },
  {
    what: "a right, which the server compares by itself",
    file: "settings: {permissions: {can_create_groups: role:moderators}}\n",
    theirs: realm({ can_create_groups: { new: 11 } }),
    kept: ["can_create_groups", 11],
  },
])(
  "$what, set by somebody else since the plan was made, is a conflict: nothing is sent",
  async ({ file, theirs, kept }) => {
    const yaml = `version: 1\n${file}`;
    const plan = must(await planAgainst(yaml, live));
    const world = new World(live);
    await world.as("kofi@acme.example").writer.send(theirs);
    const before = world.writes;
    const result = await world.apply(plan, yaml);
    expect(result.outcome).toBe("conflict");
    expect(result.conflicts.map(({ kind, field }) => `${kind} ${field}`)).toEqual([`settings ${kept[0]}`]);
    expect(world.writes).toBe(before);
    expect(world.sandbox.state().realm[kept[0]]).toEqual(kept[1]);
  },
);

/** Removing the playground makes the server take the language back; the plan's next call expects exactly that. */
test.each([
  { what: "nobody", theirs: undefined, outcome: "applied", language: "Go" },
  { what: "somebody else", theirs: "C", outcome: "conflict", language: "C" },
])(
  "a later call expects the result of an earlier one: $what sets it in between",
  async ({ theirs, outcome, language }) => {
    const yaml = `version: 1\nsettings: {default_code_block_language: Go}\n${GONE}`;
    const plan = must(await planAgainst(yaml, live));
    const later = plan.calls.find(({ operation }) => operation === "update-realm");
    expect(later?.expects).toEqual([
      { address: "settings:organization", field: "default_code_block_language", value: "" },
    ]);
    const world = new World(live);
    let isTold = false;
    const { onSend, clock } = betweenRequests(async (sent) => {
      if (sent !== 1) return;
      isTold = true;
      if (theirs !== undefined)
        await world.as("kofi@acme.example").writer.send(realm({ default_code_block_language: theirs }));
    });
    const result = await world.apply(plan, yaml, onSend, undefined, clock);
    expect(isTold).toBe(true);
    expect(result.calls.map(({ state }) => state)).toEqual(["done", outcome === "applied" ? "done" : "conflict"]);
    expect(world.sandbox.state().realm.default_code_block_language).toBe(language);
  },
);
