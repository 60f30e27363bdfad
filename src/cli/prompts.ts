import { defined } from "../model/defined.ts";
import type { Io, Prompts } from "./io.ts";

/** The functions that ask; undefined if nobody can answer. */
export async function promptsOf(io: Io): Promise<Prompts | undefined> {
  if (io.prompts !== undefined) return io.prompts;
  if (!io.inputIsTTY) return undefined;
  const clack = await import("@clack/prompts");
  const output = process.stderr;
  return {
    text: async (message, initialValue) =>
      answerOf(await clack.text({ message, output, ...defined({ initialValue }) })),
    secret: async (message) => answerOf(await clack.password({ message, output })),
    yes: async (message) => answerOf(await clack.confirm({ message, output })),
    choose: async (message, choices) => answerOf(await clack.select({ message, output, options: [...choices] })),
    several: async (message, choices, initial) =>
      answerOf(
        await clack.multiselect({
          message,
          output,
          required: false,
          options: [...choices],
          initialValues: [...initial],
        }),
      ),
  };
}

/** Clack answers with a symbol when somebody cancels. */
function answerOf<T>(answer: T): Exclude<T, symbol> | undefined {
  return isAnswer(answer) ? answer : undefined;
}
const isAnswer = <T>(answer: T): answer is Exclude<T, symbol> => typeof answer !== "symbol";

/** Somebody at the terminal said no, or cancelled. */
export class Cancelled extends Error {}

/** @throws Cancelled */
export async function answer<T>(asked: Promise<T | undefined>): Promise<T> {
  const given = await asked;
  if (given === undefined) throw new Cancelled();
  return given;
}
