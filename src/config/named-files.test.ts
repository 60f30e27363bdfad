import { expect, test } from "vitest";
import * as z from "zod";
import { PLAIN } from "../../test/support/model/plain-kind.ts";
import type { MapKind } from "../model/kind.ts";
import type { RepositoryFile } from "../model/repository-file.ts";
import { fileFacts } from "../source/file-facts.ts";
import { readConfig } from "./read-config.ts";

/** A kind whose items are paths of files. */
const picture: MapKind<string> = {
  ...PLAIN,
  name: "picture",
  section: "pictures",
  noun: ["picture", "pictures"],
  file: {
    schema: () => z.string(),
    fields: { sha256: {} },
    files: (raw) => (typeof raw === "string" ? [[]] : []),
    decode: (_item, _name, context) => {
      const file = context.file?.([]);
      return { absent: false, fields: file === undefined ? {} : { path: file.path, size: file.size_bytes } };
    },
  },
};

async function read(texts: { readonly [path: string]: string }, file = "org/realm.yaml", lookAt?: typeof look) {
  const looked: string[] = [];
  const look = async (path: string): Promise<RepositoryFile> => {
    looked.push(path);
    return fileFacts(path, await textOf(path));
  };
  const textOf = async (path: string): Promise<Buffer> => {
    const text = texts[path];
    if (text === undefined) throw Object.assign(new Error(path), { code: "ENOENT" });
    return Buffer.from(text);
  };
  const result = await readConfig({ file, readFile: textOf, kinds: [picture], lookAt: lookAt ?? look });
  const errors = (result.ok ? result.warnings : result.diagnostics).map(
    ({ code, at }) => `${code} ${at?.file}:${at?.line}:${at?.column}`,
  );
  const fields = result.ok ? result.value.sections.get("pictures")?.map((item) => item.fields) : undefined;
  return { errors, looked, fields };
}
const look = async (path: string): Promise<RepositoryFile> => fileFacts(path, Buffer.from("x"));

test("paths are relative to the file that names them, and each file is read once", async () => {
  const found = await read({
    "org/realm.yaml": "version: 1\ninclude: [more/a.yaml]\npictures:\n  one: more/one.png\n  two: ./two.png\n",
    "org/more/a.yaml": "pictures:\n  three: one.png\n  four: ../two.png\n",
    "org/more/one.png": "1",
    "org/two.png": "22",
  });
  expect(found.errors).toEqual([]);
  expect(found.fields).toEqual([
    { path: "org/more/one.png", size: 1 },
    { path: "org/two.png", size: 2 },
    { path: "org/more/one.png", size: 1 },
    { path: "org/two.png", size: 2 },
  ]);
  expect(found.looked).toEqual(["org/more/one.png", "org/two.png"]);
});

test("a path outside the main file's directory is not read; a missing file is reported where it is named", async () => {
  const found = await read({
    "org/realm.yaml":
      "version: 1\npictures:\n  up: ../secret.png\n  root: /etc/passwd\n  drive: 'C:\\x.png'\n  gone: gone.png\n  again: gone.png\n  dir: .\n",
  });
  expect(found.errors).toEqual([
    "file/outside org/realm.yaml:3:7",
    "file/outside org/realm.yaml:4:9",
    "file/outside org/realm.yaml:5:10",
    "file/cannot-read org/realm.yaml:6:9",
    "file/cannot-read org/realm.yaml:7:10",
    "file/cannot-read org/realm.yaml:8:8",
  ]);
  expect(found.looked).toEqual(["org/gone.png", "org"]);
});

test("sections and entries of the wrong form are left to the check of forms", async () => {
  expect((await read({ "realm.yaml": "version: 1\npictures: [a.png]\n" }, "realm.yaml")).looked).toEqual([]);
  expect((await read({ "realm.yaml": "version: 1\npictures: {a: 3}\n" }, "realm.yaml")).looked).toEqual([]);
});

test("more files than one configuration may name are one error", async () => {
  const lines = Array.from({ length: 1100 }, (_, n) => `  p${n}: p${n}.png\n`).join("");
  const found = await read({ "realm.yaml": `version: 1\npictures:\n${lines}` }, "realm.yaml", look);
  expect(found.errors).toEqual(["file/too-many realm.yaml:1003:10"]);
  const huge = async (path: string) => ({ ...(await look(path)), size_bytes: 100 * 1024 * 1024 });
  const heavy = await read({ "realm.yaml": "version: 1\npictures: {a: a, b: b, c: c, d: d}\n" }, "realm.yaml", huge);
  expect(heavy.errors).toEqual(["file/too-many realm.yaml:2:27"]);
});
