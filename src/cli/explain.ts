import type { Command } from "commander";
import { CODES, codesMeant, pageOf, pageText, titleOf } from "../explain/explain.ts";
import { EXIT, failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { OUTPUT } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";

const EXPLAIN = [...OUTPUT, option("--list", "list every code, one per line")];

export function explainCommand(io: Io): Command {
  return commandOf("explain", EXPLAIN)
    .description("Explain a code: the word in brackets after error or warning.")
    .argument("[code]", "such as reference/unknown-group; or only reference, to list its codes")
    .action((code: string | undefined, flags: FlagsOf<typeof EXPLAIN>) => {
      if (flags.list === true || code === undefined) {
        listCodes(CODES, io);
        return;
      }
      // Copied from a terminal it may have its brackets still.
      const written = code.replace(/^(?:error|warning)?\[?/, "").replace(/\]?:?$/, "");
      const page = pageOf(written);
      if (page === undefined) {
        const inFolder = CODES.filter((each) => each.startsWith(`${written.replace(/\/$/, "")}/`));
        if (inFolder.length > 0) {
          listCodes(inFolder, io);
          return;
        }
        throw failure("explain/unknown", { code: quote(written), meant: codesMeant(written) });
      }
      io.out.write(pageText(page));
      io.setExitCode(EXIT.done);
    });
}

function listCodes(codes: readonly string[], io: Io): void {
  const width = Math.max(...codes.map((code) => code.length));
  for (const code of codes) {
    const page = pageOf(code);
    if (page !== undefined) io.out.write(`${code.padEnd(width)}  ${titleOf(page)}\n`);
  }
  io.setExitCode(EXIT.done);
}
