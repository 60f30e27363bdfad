import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { type Ran, worldOfTests } from "./world.ts";

/** Everybody who has an invitation link can join by it: it is shown once, to the person who asked for it, and written nowhere. */
const world = worldOfTests();
beforeEach(() => {
  world.file("realm.yaml", FILE);
});

const FILE = `version: 1
invite_links:
  - {expires_on: never}
  - {expires_on: never, invite_as: guest}
`;

/** The server's links, each with its secret. */
const links = (): readonly string[] =>
  world.sandbox.state().invites.flatMap(({ link_url }) => (typeof link_url === "string" ? [link_url] : []));
const secretOf = (link: string): string => link.split("/").filter(Boolean).at(-1) ?? link;

/** Everything that a run leaves behind in its directory. */
function left(directory = world.directory): string {
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .map((path) => (statSync(path).isDirectory() ? left(path) : readFileSync(path, "utf8")))
    .join("\n");
}

const times = (text: string, part: string): number => text.split(part).length - 1;

async function ran(line: string, code: number = EXIT.done): Promise<Ran> {
  const result = await world.realmctl(line);
  expect({ line, code: result.code, err: result.err }).toMatchObject({ line, code });
  return result;
}

test.each([
  "apply --yes --show-links",
  "apply --yes --show-links --format json",
  "apply saved.plan --yes --show-links",
])("%s shows each link once, with its purpose, separate from its output", async (line) => {
  await ran("plan --out saved.plan");
  const { out, err } = await ran(line);
  expect(links().length).toBe(2);
  for (const link of links()) expect([times(err, link), times(out, secretOf(link))]).toEqual([1, 0]);
  expect(err.match(/^Invitation link for the role \w+, shown only this once: /gm)).toEqual([
    "Invitation link for the role member, shown only this once: ",
    "Invitation link for the role guest, shown only this once: ",
  ]);
  for (const link of links()) expect(left()).not.toContain(secretOf(link));
});

test("links are never shown without the option: neither by this run nor by later readings", async () => {
  await ran("plan --out saved.plan");
  const texts: string[] = [];
  for (const line of [
    "apply --yes --verbose",
    "plan --format json",
    "show saved.plan --format markdown",
    "drift",
    "drift --format json",
    "show saved.plan --all",
    "snapshot --invites --out snap.json",
    "export --kinds invite_links",
    "export --snapshot snap.json --kinds invite_links --out out.yaml",
  ]) {
    const { out, err } = await ran(line);
    texts.push(out, err);
  }
  const [journal] = world.journals();
  texts.push((await ran(`apply --undo .realmctl/${journal} --yes --show-links --format json`)).out, left());
  expect(links().length).toBe(2);
  for (const link of links()) expect(texts.join("\n")).not.toContain(secretOf(link));
});

test("a second run creates no link and shows none", async () => {
  const { out, err } = await ran("apply --yes --show-links", EXIT.done);
  const [first] = links();
  expect(times(err + out, first ?? "none")).toBe(1);
  // Nothing is created again, and so nothing is shown again.
  const again = await ran("apply --yes --show-links");
  for (const link of links()) expect(again.out + again.err).not.toContain(secretOf(link));
});
