import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listDirectory, readRegular, writeInOneStep } from "./disk.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "realmctl-disk-"));
  mkdirSync(join(directory, "root"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
const onUnix = describe.runIf(process.platform !== "win32");

onUnix("what is read", () => {
  test.each([
    { what: "a pipe", make: (path: string) => execFileSync("mkfifo", [path]), why: "it is a pipe, not a file" },
    { what: "a device without end", make: (path: string) => symlinkSync("/dev/zero", path), why: "it is a device" },
    { what: "a directory", make: (path: string) => mkdirSync(path), why: "it is a directory" },
    {
      what: "more than is read",
      make: (path: string) => {
        writeFileSync(path, "");
        truncateSync(path, 3 * 1024 * 1024 * 1024);
      },
      why: "it has 3,072 MB, and at most 256 MB are read",
    },
    {
      what: "UTF-16",
      make: (path: string) => writeFileSync(path, Buffer.from("\ufeffversion: 1\n", "utf16le")),
      why: "it is UTF-16: save it as UTF-8",
    },
    { what: "a link that leads nowhere", make: (path: string) => symlinkSync("gone", path), why: "ENOENT" },
  ])("$what is refused before anything of it is read", async ({ make, why }) => {
    make(at("root/file"));
    await expect(readRegular(at("root/file"))).rejects.toThrow(why);
  });

  test.each([
    { link: "../secret.yaml", root: "root", isRead: false },
    { link: "../root-too/file", root: "root", isRead: false },
    { link: "/etc/hostname", root: "root", isRead: false },
    { link: "real.yaml", root: "root", isRead: true },
    { link: "below/real.yaml", root: "root", isRead: true },
    { link: ".git/config", root: "root", isRead: false },
    { link: "../secret.yaml", root: ".", isRead: true },
  ])("a link to $link below $root: $isRead", async ({ link, root, isRead }) => {
    for (const folder of ["root/below", "root/.git", "root-too"]) mkdirSync(at(folder));
    for (const file of ["secret.yaml", "root/real.yaml", "root/below/real.yaml", "root/.git/config", "root-too/file"])
      writeFileSync(at(file), "text");
    symlinkSync(link, at("root/link"));
    const reading = readRegular(at("root/link"), { below: at(root) });
    if (isRead) expect(await reading).toBe("text");
    else await expect(reading).rejects.toThrow(/leads out of its directory|part of \.git/);
  });

  test("a directory that a link leads out to is not listed", async () => {
    mkdirSync(at("elsewhere"));
    symlinkSync(at("elsewhere"), at("root/link"));
    await expect(listDirectory(at("root/link"), { below: at("root") })).rejects.toThrow("leads out");
    expect(await listDirectory(at("root"), { below: at("root") })).toEqual(["link"]);
  });

  test("a size is a limit, the last byte included", async () => {
    writeFileSync(at("root/file"), "12345");
    expect(await readRegular(at("root/file"), { mostBytes: 5 })).toBe("12345");
    await expect(readRegular(at("root/file"), { mostBytes: 4 })).rejects.toMatchObject({ code: "EFBIG" });
  });
});

onUnix("the rights of what is written", () => {
  test.each([
    { before: 0o600, private: false, after: 0o600 },
    { before: 0o640, private: false, after: 0o640 },
    { before: 0o755, private: false, after: 0o755 },
    { before: 0o644, private: true, after: 0o600 },
    { before: 0o600, private: true, after: 0o600 },
    { before: undefined, private: true, after: 0o600 },
    { before: undefined, private: false, after: 0o666 & ~process.umask() },
  ])("$before, private $private: $after", async ({ before, private: isPrivate, after }) => {
    const path = at("root/file");
    if (before !== undefined) {
      writeFileSync(path, "before");
      chmodSync(path, before);
    }
    await writeInOneStep(path, "after", { private: isPrivate });
    expect(statSync(path).mode & 0o777).toBe(after);
    expect(readFileSync(path, "utf8")).toBe("after");
    expect(readdirSync(at("root"))).toEqual(["file"]);
  });

  test.each([
    ["a file", (path: string) => writeFileSync(path, "theirs")],
    ["a link that leads nowhere", (path: string) => symlinkSync("gone", path)],
  ])("what is to be new is not put over %s that came in between", async (_, make) => {
    make(at("root/file"));
    const before = lstatSync(at("root/file")).ino;
    await expect(writeInOneStep(at("root/file"), "ours", { isNew: true })).rejects.toMatchObject({ code: "EEXIST" });
    expect(lstatSync(at("root/file")).ino).toBe(before);
    expect(readdirSync(at("root"))).toEqual(["file"]);
  });
});
