import { describe, expect, test } from "vitest";
import { NotReadable, unreadable } from "../unreadable.ts";
import { wayToRead, whyUnreadable, whyUnwritable } from "./unreadable.ts";

const failed = (code: string) => unreadable(Object.assign(new Error(`${code}: something, open '/tmp/x'`), { code }));

test.each([
  { code: "ENOENT", read: "there is no such file", written: "its directory does not exist" },
  { code: "EACCES", read: "you may not read it", written: "you may not write there" },
  { code: "EISDIR", read: "it is a directory", written: "it is a directory" },
  { code: "ENOSPC", read: "ENOSPC: something, open '/tmp/x'", written: "there is no space left" },
  {
    code: "ENOTDIR",
    read: "a part of its path is a file, not a directory",
    written: "a part of its path is a file, not a directory",
  },
])("$code", ({ code, read, written }) => {
  expect([whyUnreadable(failed(code)), whyUnwritable(failed(code))]).toEqual([read, written]);
});

describe("a file that is not a regular file", () => {
  test.each(["pipe", "socket", "device"] as const)("a %s: only the command line can name the standard input", (is) => {
    const why = unreadable(new NotReadable({ is }));
    expect(whyUnreadable(why)).toBe(`it is a ${is}, not a file`);
    expect(wayToRead(why, "x", "on-command-line")).toContain("standard input");
    expect(wayToRead(why, "x", "in-file")).toBe(`save the output of the ${is} as a file, and name that file`);
  });

  test("sizes are rounded up, with commas", () => {
    const why = unreadable(new NotReadable({ is: "too-large", size_bytes: 3 * 2 ** 30 - 1, most_bytes: 2 ** 28 }));
    expect(whyUnreadable(why)).toBe("it has 3,072 MB, and at most 256 MB are read");
  });
});
