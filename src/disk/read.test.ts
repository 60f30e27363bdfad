import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { directoryOnDisk } from "../../test/support/disk.ts";
import { listDirectory, MOST_INPUT_BYTES, readRegular, readRegularSync } from "./read.ts";

const at = directoryOnDisk();
const onUnix = describe.runIf(process.platform !== "win32");

onUnix("what is read", () => {
  test.each([
    { what: "a pipe", make: (path: string) => execFileSync("mkfifo", [path]), why: { why: { is: "pipe" } } },
    {
      what: "a device without end",
      make: (path: string) => symlinkSync("/dev/zero", path),
      why: { why: { is: "device" } },
    },
    {
      what: "a directory",
      make: (path: string) => mkdirSync(path),
      why: { why: { is: "directory" }, code: "EISDIR" },
    },
    {
      what: "a file that is too large",
      make: (path: string) => {
        writeFileSync(path, "");
        truncateSync(path, 3 * 1024 * 1024 * 1024);
      },
      why: { why: { is: "too-large", size_bytes: 3 * 2 ** 30, most_bytes: 2 ** 28 } },
    },
    {
      what: "UTF-16",
      make: (path: string) => writeFileSync(path, Buffer.from("\ufeffversion: 1\n", "utf16le")),
      why: { why: { is: "utf-16" } },
    },
    { what: "a link to a missing target", make: (path: string) => symlinkSync("gone", path), why: { code: "ENOENT" } },
  ])("$what is refused before any of it is read", async ({ make, why }) => {
    make(at("root/file"));
    await expect(readRegular(at("root/file"))).rejects.toMatchObject(why);
    expect(() => readRegularSync(at("root/file"), MOST_INPUT_BYTES)).toThrow(expect.objectContaining(why));
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
    else
      await expect(reading).rejects.toMatchObject({
        why: { is: link === ".git/config" ? "in-git" : "link-outside" },
      });
  });

  test("a directory that a link leads out to is not listed", async () => {
    mkdirSync(at("elsewhere"));
    symlinkSync(at("elsewhere"), at("root/link"));
    await expect(listDirectory(at("root/link"), { below: at("root") })).rejects.toMatchObject({
      why: { is: "link-outside" },
    });
    expect(await listDirectory(at("root"), { below: at("root") })).toEqual(["link"]);
  });

  test("a size is a limit that includes the last byte", async () => {
    writeFileSync(at("root/file"), "12345");
    expect(await readRegular(at("root/file"), { mostBytes: 5 })).toBe("12345");
    await expect(readRegular(at("root/file"), { mostBytes: 4 })).rejects.toMatchObject({ code: "EFBIG" });
    expect(readRegularSync(at("root/file"), 5)).toBe("12345");
    expect(() => readRegularSync(at("root/file"), 4)).toThrow(expect.objectContaining({ code: "EFBIG" }));
  });
});

/** The files with their own way of reading: the demo's, in a directory that it has just created, and the system's list of processes. */
const OWN_READERS = ["src/apply/lock.ts", "src/cli/demo.ts", "src/disk/read.ts"];

test("no other code opens a file for reading, so these rules are enough", () => {
  const root = new URL("../../src/", import.meta.url);
  const reading = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|(^|\/)test(ing|-)/.test(name))
    .filter((name) => {
      const imports = readFileSync(new URL(name, root), "utf8").matchAll(
        /import \{([^}]*)\} from "node:fs(\/promises)?"/g,
      );
      return [...imports].some(([, names = ""]) => /\b(readFile|readFileSync|readSync|createReadStream)\b/.test(names));
    })
    .map((name) => `src/${name}`);
  expect(reading.sort()).toEqual(OWN_READERS);
});
