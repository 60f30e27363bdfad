import { Command, Option } from "commander";
import { expect, test } from "vitest";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { EXIT_BUG } from "./context.ts";
import type { ProcessIo } from "./io.ts";
import type { CommandEntry } from "./options.ts";
import { filesIn } from "./process-io.ts";
import { run } from "./run.ts";

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
        new Command("act")
          .option("--now", "at once")
          .addOption(new Option("--later", "not yet").conflicts("now"))
          .option("--format <format>", "how")
          .addOption(new Option("--level <level>", "how far").choices(["a", "b"]))
          .action(act),
    },
    {
      name: "need",
      summary: "needs a file",
      load: async () => () => new Command("need").argument("<file>", "it").action(act),
    },
    {
      name: "other",
      summary: "loaded only to say whose an unknown option is",
      load: async () => {
        if (!argv.some((word) => UNKNOWN_OPTIONS.includes(word))) throw new Error("loaded without need");
        return () => new Command("other").option("--else", "of this command");
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
    ...filesIn("/"),
    readStandardInput: async () => "",
    git: async () => undefined,
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

const UNKNOWN_OPTIONS = ["--nope", "--nwo", "--else"];
const nothing = async (): Promise<void> => {};

test("a failure is its diagnostics and its exit code", async () => {
  const { code, out, err } = await ran(["act"], async () => {
    throw new Failure(
      EXIT.notAllowed,
      error("zulip/guest", { site: "https://chat.example.org", email: quote("gil@example.org") }),
    );
  });
  expect({ code, out }).toEqual({ code: EXIT.notAllowed, out: "" });
  expect(err).toContain("error[zulip/guest]: gil@example.org");
  expect(err).not.toContain("    at ");
});

test("a program that asked for JSON gets the failure as JSON too", async () => {
  const fail = async () => {
    throw new Failure(
      EXIT.unreachable,
      error("zulip/guest", { site: "https://chat.example.org", email: quote("gil@example.org") }),
    );
  };
  const { code, out, err } = await ran(["act", "--format", "json"], fail);
  expect(code).toBe(EXIT.unreachable);
  expect(JSON.parse(out)).toMatchObject({
    format: "realmctl.diagnostics",
    exit_code: 7,
    diagnostics: [{ code: "zulip/guest" }],
  });
  expect(err).toContain("gil@example.org");
});

test("a bug is reported as a bug, briefly, with its own code", async () => {
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
  { argv: ["acta"], says: "error[use/unknown-command]: unknown command 'acta'", way: "did you mean act?" },
  {
    argv: ["realm.yaml", "act"],
    says: "error[use/unknown-command]: unknown command 'realm.yaml'",
    way: "the command comes first: `realmctl act realm.yaml`.",
  },
  { argv: ["act", "--nwo"], says: "error[use/unknown-option]: unknown option '--nwo'", way: "did you mean --now?" },
  {
    argv: ["act", "extra"],
    says: 'error[use/too-many-arguments]: act takes no arguments, and "extra" is left over',
    way: "realmctl act --help",
  },
  { argv: ["act", "--format"], says: "error[use/no-value]: option '--format <format>'", way: "realmctl act --help" },
  { argv: ["act", "--level", "x"], says: "error[use/bad-value]: option '--level <level>'", way: "Allowed choices" },
  { argv: ["act", "--now", "--later"], says: "error[use/conflicting-options]", way: "realmctl act --help" },
  {
    argv: ["need"],
    says: "error[use/missing-argument]: missing required argument 'file'",
    way: "realmctl need --help",
  },
  { argv: ["--nope"], says: "error[use/unknown-option]: unknown option '--nope'", way: "realmctl --help" },
  { argv: ["act", "--else"], says: "error[use/unknown-option]: unknown option '--else'", way: "other" },
  { argv: [], says: "Usage: realmctl", way: "" },
])("$argv is an error", async ({ argv, says, way }) => {
  const { code, out, err } = await ran(argv, nothing);
  expect({ code, out }).toEqual({ code: EXIT.errors, out: "" });
  expect(err).toContain(says);
  expect(err.replaceAll(/\s+/g, " ")).toContain(way);
});

test("an error of the command line is JSON, too, on request", async () => {
  const { code, out } = await ran(["act", "--nwo", "--format", "json"], nothing);
  expect(code).toBe(EXIT.errors);
  expect(JSON.parse(out)).toMatchObject({ exit_code: 1, diagnostics: [{ code: "use/unknown-option" }] });
});

test.each([
  { argv: ["--help"], says: "act" },
  { argv: ["help"], says: "act" },
  { argv: ["help", "act"], says: "--now" },
  { argv: ["act", "--help"], says: "--now" },
])("$argv gets an answer", async ({ argv, says }) => {
  const { code, out, err } = await ran(argv, nothing);
  expect({ code, err }).toEqual({ code: EXIT.done, err: "" });
  expect(out).toContain(says);
});

test("a command that sets no exit code was successful", async () => {
  expect(await ran(["act"], nothing)).toEqual({ code: undefined, out: "", err: "" });
});
