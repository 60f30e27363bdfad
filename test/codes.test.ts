import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { takeLock } from "../src/apply/lock.ts";
import { MOST_PLAN_BYTES, parsePlanFile } from "../src/apply/plan-file.ts";
import { MOST_FILES } from "../src/cli/organizations/files.ts";
import { fixturePath } from "../src/cli/sandbox.ts";
import { refuseUnreadable } from "../src/cli/write-files.ts";
import { MOST_INPUT_BYTES } from "../src/disk/read.ts";
import { CODES } from "../src/explain/explain.ts";
import { EXIT, Failure } from "../src/model/diagnostic.ts";
import { snapshotText } from "../src/zulip/snapshot.ts";
import { type Transport, TransportError } from "../src/zulip/transport.ts";
import { runCommandLine } from "./support/cli/command-line.ts";
import { temporaryDirectory } from "./support/directory.ts";
import { realmOf } from "./support/realm.ts";
import { TEST_KEY } from "./support/zulip/scripted.ts";

const realm = "version: 1\nrealm: https://acme.example.org\n";

/*
 * Errors that no file alone can show and that no other test is about. Each is caused, if possible, by the command line that a person would type. The
 * last test checks that some test meets every code in the catalogue.
 */

interface Case {
  readonly code: string;
  readonly argv: string;
  readonly files?: { readonly [path: string]: string };
  readonly overlay?: Parameters<typeof realmOf>[0];
}

test.each<Case>([
  {
    code: "access/ambiguous",
    argv: "access crew --snapshot s.json",
    overlay: { channels: [{ name: "crew" }], user_groups: [{ name: "crew" }] },
  },
  {
    code: "adopt/by-hand",
    argv: "adopt --snapshot s.json --all --yes",
    // An entry cannot leave out what a merged alias adds.
    files: { "realm.yaml": `${realm}domains:\n  gone.example: &gone {absent: true}\n  b.example: {<<: *gone}\n` },
    overlay: { domains: [{ domain: "b.example", allow_subdomains: true }] },
  },
  {
    code: "fmt/not-safe",
    argv: "fmt realm.plan",
    files: { "realm.plan": '{"format": "realmctl.plan", "version": 5}' },
  },
  {
    code: "policy/missing",
    argv: "plan --snapshot s.json --policy p.yaml",
    files: { "realm.yaml": realm, "p.yaml": "version: 1\n" },
  },
  {
    code: "profile_fields/name-taken",
    argv: "plan --snapshot s.json",
    files: { "realm.yaml": `${realm}profile_fields:\n  - {id: 501, name: Team, type: short_text}\n` },
    overlay: {
      profile_fields: [
        { name: "Group", type: "short_text" },
        { name: "Team", type: "short_text" },
      ],
    },
  },
  {
    code: "user_groups/limited-plan",
    argv: "plan --snapshot s.json",
    files: { "realm.yaml": `${realm}user_groups:\n  crew: {description: New}\n` },
    overlay: { settings: { zulip_plan_is_not_limited: false } },
  },
])("$code: realmctl $argv", async ({ code, argv, files = {}, overlay = {} }) => {
  const snapshot = snapshotText(realmOf(overlay));
  const ran = await runCommandLine(argv.split(" "), { files: { "s.json": snapshot, ...files } });
  // What stops everything is on stderr; what is about one object is in the plan.
  expect(ran.err + ran.out).toContain(`error[${code}]`);
  expect(ran.exitCode).toBe(1);
});

test("export/not-possible: no file can say what the snapshot has", async () => {
  const snapshot = snapshotText(realmOf({})).replaceAll("https://acme.example.org", "ftp://acme.example.org");
  const ran = await runCommandLine(["export", "--snapshot", "s.json"], { files: { "s.json": snapshot } });
  expect(ran.err).toContain("error[export/not-possible]");
});

test("zulip/stopped: nobody waits for the answer any more", async () => {
  const env = { ZULIP_SITE: "https://acme.example.org", ZULIP_EMAIL: "ada@acme.example", ZULIP_API_KEY: TEST_KEY };
  const transport: Transport = async () => {
    throw new TransportError("aborted", { is: "stopped" }, false);
  };
  const ran = await runCommandLine(["plan"], { env, transport, files: { "realm.yaml": realm } });
  expect(ran.err).toContain("error[zulip/stopped]");
  expect(ran.exitCode).toBe(EXIT.unreachable);
});

test("organizations/too-many: organizations are counted before any of them is read", async () => {
  const names = Array.from({ length: MOST_FILES + 1 }, (_, at) => `o${at}.yaml`);
  const files = Object.fromEntries(names.map((name) => [name, realm]));
  const ran = await runCommandLine(["plan", ...names], { files });
  expect(ran.err).toContain("error[organizations/too-many]");
});

test.runIf(process.platform !== "win32")("sandbox/data: the file of the sandbox's data cannot be written", async () => {
  const recorded = readFileSync(new URL("../fixtures/acme-realm.json", import.meta.url), "utf8");
  const argv = ["sandbox", "--from", "r.json", "--port", "0", "--data", "/dev/null/data.json"];
  const ran = await runCommandLine(argv, { files: { "r.json": recorded } });
  expect(ran.err).toContain("error[sandbox/data]");
  expect(ran.exitCode).toBe(EXIT.errors);
});

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error.diagnostics[0]?.code;
    throw error;
  }
  return undefined;
};

test("plan-file/too-large: a text of this size is not parsed", () => {
  expect(codeOf(() => parsePlanFile(" ".repeat(MOST_PLAN_BYTES + 1), "big.plan"))).toBe("plan-file/too-large");
});

test("output/too-large: what no command would read again is not written", () => {
  const output = { file: "big.plan", format: "plan" } as const;
  expect(codeOf(() => refuseUnreadable(output, MOST_INPUT_BYTES + 1))).toBe("output/too-large");
  expect(codeOf(() => refuseUnreadable(output, MOST_INPUT_BYTES))).toBeUndefined();
});

test("sandbox/no-fixture: an installation that lacks its files", () => {
  expect(codeOf(() => fixturePath("not-packed.json"))).toBe("sandbox/no-fixture");
});

test.runIf(process.getuid !== undefined)("apply/lock-not-own: a lock directory that others may write to", () => {
  const directory = temporaryDirectory("lock-");
  const locks = join(directory, `realmctl-${process.getuid?.()}`);
  mkdirSync(locks);
  chmodSync(locks, 0o777);
  expect(codeOf(() => takeLock(directory, "https://acme.example.org", 0))).toBe("apply/lock-not-own");
});

describe("every code of the catalogue is produced in some test, which names it", () => {
  const root = join(import.meta.dirname, "..");
  /** Tests that invent the facts of diagnostics, or read the pages. */
  const made = /^src\/(?:report|explain)\/|^test\/(?:docs|documentation|generated-docs|security-doc)/;
  const texts = ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter(
        (name) =>
          /\.test\.ts$|\/wrong-answers\.ts$|\/invalid\/.*\.txt$|\/cases\/.*\.txt$/.test(name) && !made.test(name),
      )
      .map((name) => readFileSync(join(root, name), "utf8")),
  );
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(/[a-z][a-z_-]*\/[a-z][a-z0-9_-]*/g)].map(([code]) => code)),
  );

  test("there are many", () => expect(CODES.length).toBeGreaterThan(250));

  test("none is missing", () => expect(CODES.filter((code) => !named.has(code))).toEqual([]));
});
