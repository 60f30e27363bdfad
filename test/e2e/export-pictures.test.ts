import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fetchPictures, picturesIn } from "../../src/export/check.ts";
import { exportRealm } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { omissionText } from "../../src/report/words/export.ts";
import { PNG } from "../support/pictures.ts";
import { realmOf } from "../support/realm.ts";
import { worldOfTest, worldOfTests } from "./world.ts";

const realm = realmOf({
  emoji: { forge: "ada@acme.example", smile: "ben@acme.example", aux: "ben@acme.example" },
  settings: {
    icon_source: "U",
    icon_url: "/user_avatars/2/realm/icon.png?version=3",
    night_logo_source: "U",
    night_logo_url: "/user_avatars/2/realm/night_logo.png?version=2",
  },
});
const world = worldOfTests({ from: realm });

const at = (name: string): string => join(world.directory, name);
const ALL = ["branding/icon.png", "branding/night-logo.png", "emoji/forge.png", "emoji/smile.png", "emoji/id-603.png"];

test.each([
  { command: "export --out realm.yaml", file: "realm.yaml", directory: "" },
  { command: "export --out-dir acme --split kind", file: "acme/realm.yaml", directory: "acme" },
])("$command puts pictures beside the file, and a plan of the file is empty", async ({ command, file, directory }) => {
  const { code, err } = await world.realmctl(command);
  expect({ code, err }).toMatchObject({ code: EXIT.done });
  for (const name of ALL) expect(readFileSync(at(join(directory, name))).equals(PNG), name).toBe(true);
  const text = [file, "acme/emoji.yaml", "acme/settings.yaml"]
    .flatMap((name) => (existsSync(at(name)) ? [world.read(name)] : []))
    .join("\n");
  expect(text).toContain("  forge: emoji/forge.png\n");
  expect(text).toContain("  smile:\n    image: emoji/smile.png\n    overrides_builtin: true\n");
  expect(text).toContain("  aux: emoji/id-603.png\n");
  expect(text).toContain("  icon:\n    image: branding/icon.png\n    version: "); // what drift compares
  const plan = await world.realmctl(`plan ${file} --detailed-exit-code`);
  expect(plan.code, plan.out + plan.err).toBe(EXIT.done);
  // On another organization, it creates what exists here.
  const empty = await worldOfTest({ from: realmOf({}) });
  cpSync(world.directory, empty.directory, { recursive: true });
  empty.file(file, world.read(file).replace(/^realm: .*$/m, ""));
  const made = await empty.realmctl(`apply ${file} --yes`);
  expect(made.code, made.out + made.err).toBe(EXIT.done);
  expect(
    Object.values(empty.sandbox.state().emoji)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["aux", "forge", "smile"]);
  expect(empty.sandbox.state().realm.icon_source).toBe("U");
});

test("somebody else's picture file is not replaced, unless the option says so", async () => {
  mkdirSync(at("emoji"));
  world.file("emoji/forge.png", "mine");
  const refused = await world.realmctl("export --out realm.yaml");
  expect(refused.code).toBe(EXIT.errors);
  expect(refused.err).toContain("emoji/forge.png exists already");
  expect([world.read("emoji/forge.png"), existsSync(at("realm.yaml")), existsSync(at("branding"))]).toEqual([
    "mine",
    false,
    false,
  ]);
  expect((await world.realmctl("export --out realm.yaml --force")).code).toBe(EXIT.done);
  expect(readFileSync(at("emoji/forge.png")).equals(PNG)).toBe(true);
});

test("standard output cannot hold pictures, and the message says so", async () => {
  const { code, out } = await world.realmctl("export --kinds settings,emoji");
  expect(code).toBe(EXIT.done);
  expect(out).toContain(
    "# 3 pictures are not fetched: realmctl export --out realm.yaml puts them beside the file\nemoji:",
  );
  expect(out).toContain("# 2 pictures are not fetched");
  world.file("realm.yaml", out);
  expect((await world.realmctl("plan --detailed-exit-code")).code).toBe(EXIT.done);
});

test("a file that is not a picture, or is hosted elsewhere, is left out with the reason", async () => {
  const sections = ["settings", "emoji"];
  const bad = realmOf({
    emoji: { forge: "ada@acme.example" },
    settings: { icon_source: "U", icon_url: "https://files.example.org/icon.png?version=3" },
  });
  const pictures = await fetchPictures(picturesIn(bad, kinds, sections), async (address) =>
    address.startsWith("https:")
      ? { unfetched: { why: "elsewhere", host: "files.example.org" } }
      : { bytes: Buffer.from("<svg/>") },
  );
  const { files, omitted } = await exportRealm({ snapshot: bad, kinds, sections, pictures });
  expect(omitted).toMatchObject([
    { section: "settings", field: "icon", reason: { is: "not-fetched", picture: { why: "elsewhere" } } },
    { section: "emoji", name: "forge", field: "image", reason: { is: "not-fetched", picture: { why: "no-picture" } } },
  ]);
  expect(omitted.map(({ reason }) => omissionText(reason))).toEqual([
    expect.stringContaining("--pictures-from"),
    expect.stringContaining("is not a PNG"),
  ]);
  expect(files.get("realm.yaml")).toContain(
    "  # image is left out: the server's file is not a PNG, JPEG, GIF or WebP\n  forge: {}\n",
  );
});

test("at most as many pictures are fetched as one file can name", async () => {
  const wanted = Array.from({ length: 1010 }, (_, n) => ({ key: `${n}`, field: "image", url: `/${n}`, file: `${n}` }));
  let asked = 0;
  const few = await fetchPictures(wanted, async () => {
    asked += 1;
    return { bytes: PNG };
  });
  expect([asked, few.size]).toEqual([1000, 1010]);
  const heavy = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024 - PNG.length)]);
  let bytes = 0;
  await fetchPictures(wanted, async () => {
    bytes += heavy.length;
    return { bytes: heavy };
  });
  expect(bytes).toBeLessThanOrEqual(256 * 1024 * 1024);
});
