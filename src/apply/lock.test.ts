import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeLock } from "./lock.ts";

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

test("another realm is another lock", () => {
  takeLock(directory, realm, 0);
  expect(() => takeLock(directory, "https://other.example.org", 0)).not.toThrow();
});

test("a lock whose process is gone is taken over", () => {
  takeLock(directory, realm, 0);
  takeLock(directory, realm, 0, () => false).release();
  expect(files()).toEqual([]);
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
