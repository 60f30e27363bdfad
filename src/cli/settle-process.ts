import { setFlagsFromString } from "node:v8";

/**
 * What makes a short process smaller; nothing that a command does hangs on it. Measured in bench/README.md. Before anything is compiled:
 * compiled code is only kept for the same options.
 * @param command the first word of the command line
 */
export function settleProcess(command: string | undefined): void {
  // New objects get 1 MB, not the up to 16 MB that V8 makes of it twice over: 25 to 50 MB less, in the same time. A server that runs for
  // hours is no short process.
  if (command !== "sandbox") setFlagsFromString("--semi-space-growth-factor=1");
  // undici's HTTP parser is WebAssembly, which V8 begins to optimise during the first answer: 33 MB and 80 ms of processor, for a
  // process that is done before it could gain anything. The budget is what must be executed before that.
  setFlagsFromString("--wasm-tiering-budget=1000000000");
}
