import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isLocked, takeLock } from "./lock.ts";

const realm = "https://chat.example.org";
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "realmctl-lock-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const files = (): string[] => readdirSync(join(directory, readdirSync(directory)[0] ?? ""));

test("a second run is refused while the first holds it, and goes on afterwards", () => {
  const first = takeLock(directory, realm, 0);
  expect(() => takeLock(directory, realm, 0)).toThrow(
    /^another realmctl \(process \d+\) has been applying to https:\/\/chat/,
  );
  first.release();
  takeLock(directory, realm, 0).release();
  expect(files()).toEqual([]);
});

test("whether a run is at work is told without taking anything", () => {
  expect(isLocked(directory, realm)).toBe(false);
  const lock = takeLock(directory, realm, 0);
  expect(isLocked(directory, realm)).toBe(true);
  expect(isLocked(directory, "https://other.example.org")).toBe(false);
  expect(isLocked(directory, realm, () => false)).toBe(false);
  lock.release();
  expect(isLocked(directory, realm)).toBe(false);
});

test("another realm is another lock", () => {
  takeLock(directory, realm, 0);
  expect(() => takeLock(directory, "https://other.example.org", 0)).not.toThrow();
});

test("a lock whose process is gone is taken over", () => {
  takeLock(directory, realm, 0);
  takeLock(directory, realm, 0, () => false).release();
  expect(files()).toEqual([]);
});

test("a lock with this process's own id that it does not hold is an earlier process's, as in a restarted container", () => {
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

test.runIf(process.platform === "linux")("a killed process that nobody has waited for holds nothing", async () => {
  // `exec` gives the child to a program that never waits for it.
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; kill -9 $!; exec sleep 60"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = await once(parent.stdout, "data");
    const pid = Number(String(line));
    const status = (): string => readFileSync(`/proc/${pid}/status`, "utf8");
    await vi.waitUntil(() => /^State:\s*Z/m.test(status()));
    takeLock(directory, realm, 0);
    const [name = ""] = files();
    const path = join(directory, readdirSync(directory)[0] ?? "", name);
    writeFileSync(path, JSON.stringify({ pid, host: hostname(), since: "2026-11-21T12:00:00.000Z" }));
    expect(() => takeLock(directory, realm, 0)).not.toThrow();
  } finally {
    parent.kill("SIGKILL");
  }
});

test("an unreadable lock is nobody's", () => {
  takeLock(directory, realm, 0);
  const [name = ""] = files();
  writeFileSync(join(directory, readdirSync(directory)[0] ?? "", name), "");
  expect(() => takeLock(directory, realm, 0)).not.toThrow();
});

test("a lock of another machine counts: its process cannot be asked", () => {
  takeLock(directory, realm, 0);
  const [name = ""] = files();
  const path = join(directory, readdirSync(directory)[0] ?? "", name);
  writeFileSync(path, JSON.stringify({ pid: 1, host: "elsewhere.example.org", since: "2026-11-21T12:00:00.000Z" }));
  expect(() => takeLock(directory, realm, 0, () => false)).toThrow("on elsewhere.example.org");
});

test("releasing leaves the lock of whoever took over", () => {
  const first = takeLock(directory, realm, 0);
  const [name = ""] = files();
  const path = join(directory, readdirSync(directory)[0] ?? "", name);
  writeFileSync(path, JSON.stringify({ pid: process.pid + 1, host: "here", since: "now" }));
  first.release();
  expect(files()).toEqual([name]);
});
