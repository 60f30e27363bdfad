import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { directoryOnDisk } from "../../test/support/disk.ts";
import { refuseLinkOut, writeInOneStep } from "./write.ts";

const at = directoryOnDisk();
const onUnix = describe.runIf(process.platform !== "win32");

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
    ["a link to a missing target", (path: string) => symlinkSync("gone", path)],
  ])("a new file does not replace %s that appeared in the meantime", async (_, make) => {
    make(at("root/file"));
    const before = lstatSync(at("root/file")).ino;
    await expect(writeInOneStep(at("root/file"), "ours", { isNew: true })).rejects.toMatchObject({ code: "EEXIST" });
    expect(lstatSync(at("root/file")).ino).toBe(before);
    expect(readdirSync(at("root"))).toEqual(["file"]);
  });
});

onUnix("a link that leads out of the directory", () => {
  const link = (to: string, name: string): void => symlinkSync(to, at(`root/${name}`));

  test.each([
    { what: "is a file", make: () => link("../elsewhere/file", "link"), path: "link", is: "link-outside" },
    { what: "is a directory", make: () => link("../elsewhere", "link"), path: "link", is: "link-outside" },
    { what: "is a parent", make: () => link("../elsewhere", "link"), path: "link/new", is: "link-outside" },
    { what: "is a parent's parent", make: () => link("../elsewhere", "link"), path: "link/new/x", is: "link-outside" },
    { what: "is behind another link", make: () => link("..", "up"), path: "up/elsewhere/file", is: "link-outside" },
    { what: "leads to a device", make: () => link("/dev/null", "link"), path: "link", is: "link-outside" },
    { what: "leads into .git", make: () => link(".git/config", "link"), path: "link", is: "in-git" },
  ])("one that $what is refused", async ({ make, path, is }) => {
    mkdirSync(at("elsewhere"));
    writeFileSync(at("elsewhere/file"), "theirs");
    mkdirSync(at("root/.git"));
    writeFileSync(at("root/.git/config"), "token");
    make();
    await expect(refuseLinkOut(at(`root/${path}`), at("root"))).rejects.toMatchObject({ why: { is } });
  });

  test("a link that stays in the directory, a link to a missing target, and a path that was named directly are allowed", async () => {
    mkdirSync(at("elsewhere"));
    mkdirSync(at("root/.git"));
    mkdirSync(at("root/sub"));
    link("sub", "inside");
    link("../gone", "nowhere");
    symlinkSync("root", at("other"));
    for (const path of ["root/inside/new", "root/nowhere", "root/new/deep", "root/.git/x", "elsewhere/new", "root"])
      await refuseLinkOut(at(path), at("root"));
    await refuseLinkOut(at("other/sub/x"), at("other"));
  });
});
