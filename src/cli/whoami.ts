import type { Command } from "commander";
import { realmOfFile } from "../config/realm-of.ts";
import { kinds } from "../kinds/registry.ts";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { newerSettings } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { otherRealm } from "../plan/other-realm.ts";
import { valueOrFailure } from "./checked.ts";
import { configurationFiles } from "./configuration-files.ts";
import { withSession } from "./connect.ts";
import { CONNECTION, type ConnectionFlags, MANY } from "./flags.ts";
import { limitsOf } from "./init/limits.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";
import { overOrganizations } from "./organizations/run.ts";
import { styleFor } from "./terminal.ts";

const WHOAMI = [
  ...CONNECTION,
  ...MANY,
  option("--format <format>", "the output format", { choices: ["text", "json"], default: "text" }),
];
type WhoamiFlags = FlagsOf<typeof WHOAMI> & ConnectionFlags;

/** Checks the credentials, and says what their account may manage. Changes nothing. */
export function whoamiCommand(io: Io): Command {
  return commandOf("whoami", WHOAMI)
    .description(
      "Show which account acts, in which organization, and what it may manage there. Checks the credentials; changes nothing.",
    )
    .argument("[files...]", "check the credentials for the organizations of these files, or of a directory of them")
    .action((paths: readonly string[], flags: WhoamiFlags) =>
      paths.length === 0
        ? withoutFile(io, flags)
        : overOrganizations(io, {
            command: "whoami",
            paths,
            flags,
            forOne: [],
            talks: true,
            async one(own, file, its) {
              const realm = valueOrFailure(await realmOfFile(configurationFiles(own, file)));
              await showAccount(own, its, (snapshot) => otherRealm(defined({ realm }), snapshot));
              return undefined;
            },
          }),
    );
}

/** Checks the account of the command line or the environment, without `realm.yaml`, which may not exist yet. */
async function withoutFile(io: Io, flags: WhoamiFlags): Promise<void> {
  if (flags.shard !== undefined) {
    const shard = `${flags.shard.part}/${flags.shard.of}`;
    throw new Failure(EXIT.errors, error("organizations/shard-of-one", { shard }));
  }
  const isMuted = flags.quiet === true && flags.format === "text";
  await showAccount(isMuted ? { ...io, out: { ...io.out, write: () => {} } } : io, flags, () => undefined);
}

async function showAccount(
  io: Io,
  flags: WhoamiFlags,
  refusal: (snapshot: Snapshot) => ReturnType<typeof otherRealm>,
): Promise<void> {
  const snapshot = await withSession(io, flags, ({ reader }) =>
    reader.snapshot({ invites: false, subscribers: false }),
  );
  const refused = refusal(snapshot);
  if (refused !== undefined) throw new Failure(EXIT.errors, refused);
  const limits = limitsOf(snapshot, kinds);
  const limited = new Set(limits.flatMap(({ sections, isPartial }) => (isPartial ? [] : sections)));
  const sections = kinds.map(({ section }) => section).filter((section) => !limited.has(section));
  const { renderWhoami, whoamiJson } = await import("../report/whoami.ts");
  const reach = { snapshot, sections, limits, newer: newerSettings(kinds, new Realm(snapshot)) };
  io.out.write(flags.format === "json" ? whoamiJson(reach) : renderWhoami(reach, styleFor(io, io.out, flags)));
  io.setExitCode(EXIT.done);
}
