import { Command, Option } from "commander";
import { kinds } from "../kinds/registry.ts";
import { EXIT } from "../model/diagnostic.ts";
import { withSession } from "./connect.ts";
import { type ConnectionFlags, withConnectionFlags } from "./flags.ts";
import { limitsOf } from "./init/limits.ts";
import type { Io } from "./io.ts";
import { styleFor } from "./terminal.ts";

interface WhoamiFlags extends ConnectionFlags {
  readonly format: "text" | "json";
}

/** Checks the credentials, and says what their account may manage. Changes nothing. */
export function whoamiCommand(io: Io): Command {
  return withConnectionFlags(new Command("whoami"))
    .description(
      "Show which account acts, in which organization, and what it may manage there. Checks the credentials; changes nothing.",
    )
    .addOption(new Option("--format <format>", "of the output").choices(["text", "json"]).default("text"))
    .action(async (flags: WhoamiFlags) => {
      const snapshot = await withSession(io, flags, ({ reader }) =>
        reader.snapshot({ invites: false, subscribers: false }),
      );
      const limits = limitsOf(snapshot, kinds);
      const limited = new Set(limits.flatMap(({ sections, isPartial }) => (isPartial ? [] : sections)));
      const sections = kinds.map(({ section }) => section).filter((section) => !limited.has(section));
      const { renderWhoami, whoamiJson } = await import("../report/whoami.ts");
      const reach = { snapshot, sections, limits };
      io.out.write(flags.format === "json" ? whoamiJson(reach) : renderWhoami(reach, styleFor(io, io.out, flags)));
      io.setExitCode(EXIT.done);
    });
}
