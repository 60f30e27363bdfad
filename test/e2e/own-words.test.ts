import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import { worldOfTest, worldOfTests } from "./world.ts";

/** Words that confused a newcomer. */
const world = worldOfTests({
  from: realmOf({
    invites: [],
    links: [{}],
    emoji: { anvil: "ada@acme.example" },
    channels: [{ name: "general" }],
    subscribers: { general: ["ada@acme.example"] },
  }),
});

const said = async (file: string, line = "validate"): Promise<string> => {
  world.file("realm.yaml", `version: 1\n${file}`);
  const { out, err } = await world.realmctl(line);
  return `${out}${err}`.replaceAll(/\s+/g, " ");
};

test("export writes to a device without replacing it", async () => {
  const { code, err } = await world.realmctl("export --out /dev/null");
  expect(err).toContain("Wrote /dev/null");
  expect(code).toBe(EXIT.done);
});

test("links in their own section are not reported as left out", async () => {
  const both = await world.realmctl("export --kinds invites,invite_links");
  expect(both.out).toContain("invite_links:\n");
  expect(both.out).not.toMatch(/links? not listed/);
  const one = await world.realmctl("export --kinds invites");
  expect(one.out).toContain("1 invitation link not listed: they are in a separate section, invite_links");
});

test("a file says which command wrote it", async () => {
  expect((await world.realmctl("init --yes --no-workflows")).code).toBe(EXIT.done);
  expect(world.read("realm.yaml")).toContain("as realmctl init found it on");
});

test("two links of which one has a wrong role are one error", async () => {
  const text = await said("invite_links:\n  - {expires_on: never, invite_as: gest}\n  - {expires_on: never}\n");
  expect(text).toContain('invite_as cannot be "gest"');
  expect(text).toContain("1 error.");
  // If another field is wrong, the name stays as it is.
  const alike = await said("invite_links:\n  - {expires_on: never, channels: general}\n  - {expires_on: never}\n");
  expect(alike).toContain("is declared twice");
});

test.each([["user_groups:\n  staff: {subgroups: {groups: [leads]}}\n", "[leads]"]])(
  "a map instead of a list gets an error with advice: %s",
  async (file, list) => {
    expect(await said(file)).toContain("must be a list, not a map");
    expect(await said(file)).toContain(`write a list: ${list}`);
  },
);

test("ignored objects cannot be watched", async () => {
  const text = await said("manage: {channels: {policy: ignore, unset: default}}\nchannels: {}\n");
  expect(text).toContain("channels cannot have policy: ignore and unset: default: what is ignored is not watched");
});

test.each([
  ["add@acme.example", "ada@acme.example"],
  ["farah@acme.exmaple", "farah@acme.example"],
  ["ben@somewhere.org", "ben@acme.example"],
  // Everybody here has this domain, so it makes no two addresses similar.
  ["karl@acme.example", undefined],
  ["nobody@elsewhere.net", undefined],
])("%s means %s", async (written, meant) => {
  const text = await said(`people:\n  ${written}: {role: owner}\n`, "plan");
  if (meant === undefined) expect(text).not.toContain("did you mean");
  else expect(text).toContain(`did you mean "${meant}"?`);
});

test.each([
  ["settings:\n  message_retention_days: unlimited\n", "settings", { message_retention_days: 30 }, {}, true],
  ["settings:\n  message_retention_days: 7\n", "settings", { message_retention_days: 30 }, {}, false],
  [
    "channels:\n  general: {message_retention_days: realm_default}\n",
    "#general",
    {},
    { message_retention_days: 30 },
    true,
  ],
  // The organization's own address is even shorter.
  [
    "channels:\n  general: {message_retention_days: realm_default}\n",
    "#general",
    { message_retention_days: 7 },
    { message_retention_days: 30 },
    false,
  ],
])("drift says first that a shorter retention deletes messages: %j", async (file, name, settings, fields, isSaid) => {
  const own = await worldOfTest({ from: realmOf({ settings, channels: [{ name: "general", ...fields }] }) });
  own.file("realm.yaml", `version: 1\n${file}`);
  const { code, out } = await own.realmctl("drift");
  expect(code).toBe(EXIT.changesPending);
  expect(out.includes(`! ${name}  deletes messages that the file keeps`), out).toBe(isSaid);
  const json: { readonly differences: readonly { readonly deletes_messages?: true }[] } = JSON.parse(
    (await own.realmctl("drift --format json")).out,
  );
  expect(json.differences[0]?.deletes_messages === true).toBe(isSaid);
});
