import { Command } from "commander";
import { expect, test } from "vitest";
import { EXIT, Failure } from "../model/diagnostic.ts";
import type { CommandEntry } from "./commands.ts";
import type { ProcessIo } from "./io.ts";
import { EXIT_BUG, run } from "./run.ts";

interface Ran {
  code: number | undefined;
  out: string;
  err: string;
}

async function ran(argv: readonly string[], act: () => Promise<void>, env: ProcessIo["env"] = {}): Promise<Ran> {
  const result: Ran = { code: undefined, out: "", err: "" };
  const output = (add: (text: string) => void) => ({ write: add, isTTY: false, columns: undefined });
  const commands: CommandEntry[] = [
    {
      name: "act",
      summary: "does it",
      load: async () => () =>
        new Command("act").option("--now", "at once").option("--format <format>", "how").action(act),
    },
    {
      name: "other",
      summary: "must not be loaded",
      load: () => {
        throw new Error("loaded without need");
      },
    },
  ];
  const io: ProcessIo = {
    argv,
    env,
    cwd: "/",
    out: output((text) => {
      result.out += text;
    }),
    err: output((text) => {
      result.err += text;
    }),
    inputIsTTY: false,
    readFile: async () => "",
    writeFile: async () => {},
    list: async () => [],
    now: () => 0,
    random: () => 0,
    alarm: () => () => {},
    sleep: async () => {},
    ask: async () => undefined,
    setExitCode: (code) => {
      result.code = code;
    },
    onInterrupt: () => () => {},
  };
  await run(io, commands);
  return result;
}

const nothing = async (): Promise<void> => {};

test("a failure is its diagnostics and its exit code", async () => {
  const { code, out, err } = await ran(["act"], async () => {
    throw new Failure(EXIT.notAllowed, { code: "some/thing", severity: "error", message: "no right to do it" });
  });
  expect({ code, out }).toEqual({ code: EXIT.notAllowed, out: "" });
  expect(err).toContain("error[some/thing]: no right to do it");
  expect(err).not.toContain("    at ");
});

test("a program that asked for JSON gets the failure as JSON too", async () => {
  const fail = async () => {
    throw new Failure(EXIT.unreachable, { code: "some/thing", severity: "error", message: "nobody there" });
  };
  const { code, out, err } = await ran(["act", "--format", "json"], fail);
  expect(code).toBe(EXIT.unreachable);
  expect(JSON.parse(out)).toMatchObject({
    format: "realmctl.diagnostics",
    exit_code: 7,
    diagnostics: [{ code: "some/thing" }],
  });
  expect(err).toContain("nobody there");
});

test("a bug is said to be one, in short, with a code of its own", async () => {
  const bug = async () => {
    throw new TypeError("x is not a function");
  };
  const { code, err } = await ran(["act"], bug);
  expect(code).toBe(EXIT_BUG);
  expect(err).toMatch(/^realmctl dev has a bug: TypeError: x is not a function\nPlease report it/);
  expect(err).not.toContain("    at ");
  expect((await ran(["act"], bug, { REALMCTL_DEBUG: "1" })).err).toContain("    at ");
});

test.each([
  { argv: ["acta"], says: "unknown command 'acta'\n(Did you mean act?)" },
  { argv: ["act", "--nwo"], says: "unknown option '--nwo'\n(Did you mean --now?)" },
  { argv: ["act", "extra"], says: "too many arguments" },
  { argv: ["--nope"], says: "unknown option '--nope'" },
  { argv: [], says: "Usage: realmctl" },
])("$argv is a mistake", async ({ argv, says }) => {
  const { code, out, err } = await ran(argv, nothing);
  expect({ code, out }).toEqual({ code: EXIT.mistakes, out: "" });
  expect(err).toContain(says);
});

test.each([
  { argv: ["--help"], says: "act" },
  { argv: ["help"], says: "act" },
  { argv: ["help", "act"], says: "--now" },
  { argv: ["act", "--help"], says: "--now" },
])("$argv is an answer", async ({ argv, says }) => {
  const { code, out, err } = await ran(argv, nothing);
  expect({ code, err }).toEqual({ code: EXIT.done, err: "" });
  expect(out).toContain(says);
});

test("a command that sets no exit code ended well", async () => {
  expect(await ran(["act"], nothing)).toEqual({ code: undefined, out: "", err: "" });
});
