import { expect, test } from "vitest";
import { whyUnreadable, whyUnwritable } from "./unreadable.ts";

const failed = (code: string) => Object.assign(new Error(`${code}: something, open '/tmp/x'`), { code });

test.each([
  { code: "ENOENT", read: "there is no such file", written: "its directory is not there, or takes no files" },
  { code: "EACCES", read: "you may not read it", written: "you may not write there" },
  { code: "EISDIR", read: "it is a directory", written: "it is a directory" },
  { code: "ENOSPC", read: "ENOSPC: something, open '/tmp/x'", written: "there is no room left" },
  {
    code: "ENOTDIR",
    read: "a part of its path is a file, not a directory",
    written: "a part of its path is a file, not a directory",
  },
])("$code", ({ code, read, written }) => {
  expect([whyUnreadable(failed(code)), whyUnwritable(failed(code))]).toEqual([read, written]);
});
