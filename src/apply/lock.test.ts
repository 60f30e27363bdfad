import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { failureOf } from "../../test/support/apply/failure.ts";
import { isLocked, lockRoot, takeLock } from "./lock.ts";

const realm = "https://chat.example.org";
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "realmctl-lock-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const files = (): string[] => readdirSync(join(directory, readdirSync(directory)[0] ?? ""));

/** The open files of this process, where the system lists them. */
const DESCRIPTORS = "/proc/self/fd";

test("a second run is refused while the first holds it, and can start afterwards", () => {
  const first = takeLock(directory, realm, 0);
  expect(() => takeLock(directory, realm, 0)).toThrow(
    /^another realmctl \(process \d+\) has been applying to https:\/\/chat/,
  );
  first.release();
  takeLock(directory, realm, 0).release();
  expect(files()).toEqual([]);
});

test("asking whether a run is active takes no lock", () => {
  expect(isLocked(directory, realm)).toBe(false);
  const lock = takeLock(directory, realm, 0);
  expect(isLocked(directory, realm)).toBe(true);
  expect(isLocked(directory, "https://other.example.org")).toBe(false);
  expect(isLocked(directory, realm, () => false)).toBe(false);
  lock.release();
  expect(isLocked(directory, realm)).toBe(false);
});

test.runIf(existsSync(DESCRIPTORS))("looking at a lock leaves no file open", () => {
  const lock = takeLock(directory, realm, 0);
  const open = () => readdirSync(DESCRIPTORS).length;
  const before = open();
  for (let n = 0; n < 5; n += 1) isLocked(directory, realm);
  expect(open()).toBe(before);
  lock.release();
});

test("another realm is another lock", () => {
  takeLock(directory, realm, 0);
  expect(() => takeLock(directory, "https://other.example.org", 0)).not.toThrow();
});

test("a lock whose process no longer exists is taken over", () => {
  takeLock(directory, realm, 0);
  takeLock(directory, realm, 0, () => false).release();
  expect(files()).toEqual([]);
});

test("a lock with this process's own id that it did not take belongs to an earlier process, as in a restarted container", () => {
  takeLock(directory, realm, 0).release();
  const first = takeLock(directory, realm, 0);
  const [name = ""] = files();
  const path = join(directory, readdirSync(directory)[0] ?? "", name);
  const left = readFileSync(path);
  first.release();
  writeFileSync(path, left);
  takeLock(directory, realm, 0).release();
  expect(files()).toEqual([]);
});

/** A machine under load needs more time. */
const LONG = { timeout: 20_000 };

test.runIf(process.platform === "linux")(
  "a killed process whose exit code was not read yet holds no lock",
  async () => {
    // `exec` gives the child to a program that never waits for it. The child is killed only then: a shell would
    // read its exit code.
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const [line] = await once(parent.stdout, "data");
      const pid = Number(String(line));
      await vi.waitUntil(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8") === "sleep\n", LONG);
      process.kill(pid, "SIGKILL");
      await vi.waitUntil(() => /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8")), LONG);
      takeLock(directory, realm, 0);
      const [name = ""] = files();
      const path = join(directory, readdirSync(directory)[0] ?? "", name);
      writeFileSync(path, JSON.stringify({ pid, host: hostname(), since: "2026-11-21T12:00:00.000Z" }));
      expect(() => takeLock(directory, realm, 0)).not.toThrow();
    } finally {
      parent.kill("SIGKILL");
    }
  },
);

test("an unreadable lock belongs to nobody", () => {
  takeLock(directory, realm, 0);
  const [name = ""] = files();
  writeFileSync(join(directory, readdirSync(directory)[0] ?? "", name), "");
  expect(() => takeLock(directory, realm, 0)).not.toThrow();
});

test("a lock of another machine counts: its process cannot be checked", () => {
  takeLock(directory, realm, 0);
  const [name = ""] = files();
  const path = join(directory, readdirSync(directory)[0] ?? "", name);
  writeFileSync(path, JSON.stringify({ pid: 1, host: "elsewhere.example.org", since: "2026-11-21T12:00:00.000Z" }));
  expect(() => takeLock(directory, realm, 0, () => false)).toThrow("on elsewhere.example.org");
});

test("a run that releases its lock leaves the lock of a run that took over", () => {
  const first = takeLock(directory, realm, 0);
  const [name = ""] = files();
  const path = join(directory, readdirSync(directory)[0] ?? "", name);
  writeFileSync(path, JSON.stringify({ pid: process.pid + 1, host: "here", since: "now" }));
  first.release();
  expect(files()).toEqual([name]);
});

describe("what another run may do while a lock is examined", () => {
  const holderOf = (pid: number): string => JSON.stringify({ pid, host: hostname(), since: "now" });

  test("a lock that is held stays in its place", () => {
    const path = lockPath();
    takeLock(directory, realm, 0);
    const seen: boolean[] = [];
    const isAlive = () => seen.push(existsSync(path)) > 0;
    expect(failureOf(() => takeLock(directory, realm, 0, isAlive))?.code).toBe("apply/locked");
    expect(seen).toEqual([true]);
  });

  test("a stale lock was replaced by another run's lock, which is put back", () => {
    takeLock(directory, realm, 0);
    const names = files();
    const answers = [false, true];
    const isAlive = () => answers.shift() ?? true;
    expect(failureOf(() => takeLock(directory, realm, 0, isAlive))?.code).toBe("apply/locked");
    expect(files()).toEqual(names);
    expect(isLocked(directory, realm)).toBe(true);
  });

  test.each([
    { fact: "named", text: holderOf(process.ppid), pid: process.ppid },
    { fact: "not readable yet", text: "", pid: process.pid },
  ])("it created its lock first, $fact", ({ text, pid }) => {
    const path = lockPath();
    takeLock(directory, realm, 0);
    const isAlive = () => {
      if (!existsSync(path)) writeFileSync(path, text);
      return false;
    };
    expect(failureOf(() => takeLock(directory, realm, 0, isAlive))).toMatchObject({
      code: "apply/locked",
      fact: { process: pid },
    });
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("it released its lock", () => {
    const path = lockPath();
    writeFileSync(path, holderOf(process.ppid));
    const isAlive = () => {
      rmSync(path);
      return false;
    };
    takeLock(directory, realm, 0, isAlive).release();
    expect(files()).toEqual([]);
  });

  test("the directory disappeared", () => {
    const path = lockPath();
    writeFileSync(path, holderOf(process.ppid));
    const isAlive = () => {
      rmSync(dirname(path), { recursive: true });
      return false;
    };
    expect(failureOf(() => takeLock(directory, realm, 0, isAlive))).toMatchObject({
      code: "apply/no-lock",
      fact: { lock: path, why: { code: "ENOENT", words: expect.stringContaining("open") } },
    });
  });
});

test("a file instead of the directory is a clear error", () => {
  const file = join(directory, "file");
  writeFileSync(file, "");
  expect(failureOf(() => takeLock(file, realm, 0))).toMatchObject({
    code: "apply/no-lock",
    fact: { lock: expect.stringMatching(/[/\\][0-9a-f]{16}\.lock$/), why: { code: "ENOTDIR" } },
  });
});

test("a lock that somebody removed is released without an error", () => {
  const path = lockPath();
  const lock = takeLock(directory, realm, 0);
  rmSync(path);
  lock.release();
  expect(files()).toEqual([]);
});

describe("the process of another run", () => {
  afterEach(() => vi.restoreAllMocks());
  const answering = (answer: () => true): void => {
    vi.spyOn(process, "kill").mockImplementation(answer);
  };
  const failing = (code: string) => (): true => {
    throw Object.assign(new Error(code), { code });
  };
  test.each([
    { fact: "runs", answer: (): true => true, is: true },
    { fact: "runs under another account", answer: failing("EPERM"), is: true },
    { fact: "no longer exists", answer: failing("ESRCH"), is: false },
  ])("$fact", ({ answer, is }) => {
    const path = lockPath();
    // Larger than any process id on Linux: there is no entry in /proc.
    writeFileSync(path, JSON.stringify({ pid: 2 ** 30, host: hostname(), since: "now" }));
    answering(answer);
    expect(isLocked(directory, realm)).toBe(is);
  });
});

const onUnix = test.runIf(process.getuid !== undefined);

/** The path of the realm's lock, after it was taken and released. */
function lockPath(): string {
  const lock = takeLock(directory, realm, 0);
  const folder = join(directory, readdirSync(directory)[0] ?? "");
  const [name = ""] = readdirSync(folder);
  lock.release();
  return join(folder, name);
}

describe("files that another account may have created", () => {
  onUnix.each([
    ["a directory that others can write to", (folder: string) => chmodSync(folder, 0o777), "can be entered"],
    ["one that others can read", (folder: string) => chmodSync(folder, 0o755), "can be entered"],
    [
      "a link to a directory",
      (folder: string) => {
        renameSync(folder, `${folder}-elsewhere`);
        symlinkSync(`${folder}-elsewhere`, folder);
      },
      "is not a directory",
    ],
    [
      "a directory of somebody else",
      () => {
        const mine = process.getuid?.() ?? 0;
        renameSync(join(directory, `realmctl-${mine}`), join(directory, `realmctl-${mine + 1}`));
        vi.spyOn(process, "getuid").mockReturnValue(mine + 1);
      },
      "belongs to another account",
    ],
  ] as const)("%s is refused, and nothing is written", (_, prepare, why) => {
    const path = lockPath();
    try {
      prepare(dirname(path));
      expect(() => takeLock(directory, realm, 0)).toThrow(why);
      expect(isLocked(directory, realm)).toBe(false);
    } finally {
      vi.restoreAllMocks();
    }
    const folders = readdirSync(directory).map((name) => readdirSync(join(directory, name)));
    expect(folders.flat()).toEqual([]);
  });

  onUnix("a link in the place of the lock is not followed, neither to read nor to write", () => {
    const path = lockPath();
    const victim = join(directory, "victim");
    writeFileSync(victim, JSON.stringify({ pid: process.ppid, host: hostname(), since: "now" }));
    const before = readFileSync(victim, "utf8");
    symlinkSync(victim, path);
    expect(isLocked(directory, realm)).toBe(false);
    const lock = takeLock(directory, realm, 0);
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    lock.release();
    expect(readFileSync(victim, "utf8")).toBe(before);
  });

  onUnix("names of files that are made are not guessed", () => {
    const path = lockPath();
    const victim = join(directory, "victim");
    writeFileSync(victim, "before");
    symlinkSync(victim, `${path}.${process.pid}.new`);
    takeLock(directory, realm, 0).release();
    expect(readFileSync(victim, "utf8")).toBe("before");
  });

  onUnix("a lock in a directory that others can write to says nothing", () => {
    const path = lockPath();
    const lock = takeLock(directory, realm, 0);
    expect(isLocked(directory, realm)).toBe(true);
    chmodSync(dirname(path), 0o777);
    expect(isLocked(directory, realm)).toBe(false);
    lock.release();
  });

  test.each([{ pid: process.ppid, since: "now" }, { pid: process.ppid, host: hostname() }, [process.ppid], null])(
    "%s is no lock",
    (text) => {
      const path = lockPath();
      writeFileSync(path, JSON.stringify(text));
      expect(isLocked(directory, realm, () => true)).toBe(false);
    },
  );

  test.each([0, -1, 1.5, Number.NaN, "1", 1e300])("process %s does not exist", (pid) => {
    const path = lockPath();
    writeFileSync(path, JSON.stringify({ pid, host: hostname(), since: "now" }));
    expect(isLocked(directory, realm)).toBe(false);
    expect(() => takeLock(directory, realm, 0)).not.toThrow();
  });

  test("a file with the size of no lock is not a lock", () => {
    const path = lockPath();
    writeFileSync(path, JSON.stringify({ pid: process.ppid, host: hostname(), since: "x".repeat(5000) }));
    expect(() => takeLock(directory, realm, 0)).not.toThrow();
  });
});

describe("the directory of locks", () => {
  onUnix.each([
    ["the runtime directory of the account", 0o700, true],
    ["not in one that others can enter", 0o755, false],
  ])("%s", (_, mode, isTaken) => {
    chmodSync(directory, mode);
    const env = { XDG_RUNTIME_DIR: directory, TMPDIR: "/elsewhere" };
    expect(lockRoot(env)).toBe(isTaken ? directory : "/elsewhere");
  });

  onUnix.each([
    ["a relative path", "runtime"],
    ["one that is not there", "/nowhere/at/all"],
  ])("%s is no runtime directory", (_, XDG_RUNTIME_DIR) =>
    expect(lockRoot({ XDG_RUNTIME_DIR, TMPDIR: directory })).not.toBe(XDG_RUNTIME_DIR),
  );

  onUnix("where nothing names one: that of the account's session, else the system's for temporary files", () => {
    const env = { TMPDIR: "/elsewhere" };
    expect(lockRoot(env, directory)).toBe("/elsewhere");
    const own = join(directory, `${process.getuid?.()}`);
    mkdirSync(own, { mode: 0o700 });
    expect(lockRoot(env, directory)).toBe(own);
    expect(lockRoot({ ...env, XDG_RUNTIME_DIR: relative(process.cwd(), own) }, directory)).toBe(own);
    expect(lockRoot({}, join(directory, "none"))).toBe(tmpdir());
  });

  test("without user ids, the account's directory for temporary files is used", () => {
    const getuid = Object.getOwnPropertyDescriptor(process, "getuid");
    Object.defineProperty(process, "getuid", { value: undefined, configurable: true });
    try {
      expect(lockRoot({ TMPDIR: directory })).toBe(directory);
      const lock = takeLock(directory, realm, 0);
      expect(readdirSync(directory)).toEqual(["realmctl-user"]);
      lock.release();
    } finally {
      if (getuid !== undefined) Object.defineProperty(process, "getuid", getuid);
    }
  });
});
