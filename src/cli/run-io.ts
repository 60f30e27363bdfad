import { normalize, resolve } from "node:path";
import type { ReadRules } from "../disk/read.ts";
import { defined } from "../model/defined.ts";
import { READING_STANDARD_INPUT } from "../report/commands/process.ts";
import { type Io, type Output, type ProcessIo, STANDARD_INPUT } from "./io.ts";

/** What is written for a text to one of the outputs. */
type Written = (text: string, to: "out" | "err") => string;

/** The process as one run uses it. Remembers which files were read, so that no output replaces an input and no message quotes other files. */
export function runIo(process: ProcessIo, written?: Written): Io {
  return {
    ...process,
    invocation: { advised: {} },
    startedAt: process.startedAt ?? process.now(),
    ...observedOutputs(process, written),
    // Spreading would freeze values that are read each time.
    get inputIsTTY() {
      return process.inputIsTTY;
    },
    ...rememberedInputs(process),
  };
}

/** Both outputs, and when something was last written to one of them. */
function observedOutputs(process: ProcessIo, written: Written = (text) => text): Pick<Io, "out" | "err" | "writtenAt"> {
  let writtenAt = process.now();
  const observed = (to: "out" | "err"): Output => ({
    write(text) {
      writtenAt = process.now();
      process[to].write(written(text, to));
    },
    // A getter, since the width of a terminal can change.
    get isTTY() {
      return process[to].isTTY;
    },
    get columns() {
      return process[to].columns;
    },
  });
  return { out: observed("out"), err: observed("err"), writtenAt: () => writtenAt };
}

/** Reading files and the standard input, and what was read so far. */
function rememberedInputs(
  process: ProcessIo,
): Pick<Io, "readFile" | "readBytes" | "wasRead" | "isSameFile" | "quotable"> {
  const inputs = new Set<string>();
  const texts = new Map<string, string>();
  let standardInput: Promise<string> | undefined;
  const identity = async (path: string): Promise<string | undefined> =>
    process.identityOf === undefined ? normalize(resolve(process.cwd, path)) : process.identityOf(path);
  const remember = async (path: string): Promise<void> => {
    const found = await identity(path);
    if (found !== undefined) inputs.add(found);
  };
  const readStandardInput = async (): Promise<string> => {
    if (process.readStandardInput === undefined) throw new Error("there is no standard input here");
    if (process.inputIsTTY) process.err.write(READING_STANDARD_INPUT);
    return process.readStandardInput();
  };
  return {
    async readFile(path, rules, use = "input") {
      if (path === STANDARD_INPUT) {
        standardInput ??= readStandardInput();
        const text = await standardInput;
        if (use === "configuration") texts.set(path, text);
        return text;
      }
      const text = await process.readFile(path, rules);
      if (use !== "look") await remember(path);
      if (use === "configuration") texts.set(path, text);
      return text;
    },
    ...defined({
      readBytes:
        process.readBytes === undefined
          ? undefined
          : async (path: string, rules?: ReadRules) => {
              const bytes = await process.readBytes?.(path, rules);
              if (bytes === undefined) throw new RangeError("the process reads bytes no more");
              await remember(path);
              return bytes;
            },
    }),
    async wasRead(path) {
      const found = await identity(path);
      return found !== undefined && inputs.has(found);
    },
    async isSameFile(one, other) {
      const found = await identity(one);
      return found !== undefined && found === (await identity(other));
    },
    quotable: (path) => texts.get(path),
  };
}
