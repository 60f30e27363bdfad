import type { Command } from "commander";
import { realmOfFile } from "../config/header.ts";
import { kinds } from "../kinds/registry.ts";
import { defined } from "../model/defined.ts";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { newerSettings } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { otherRealm } from "../plan/other-realm.ts";
import { Context, valueOrFailure } from "./context.ts";
import { CONNECTION, type ConnectionFlags, MANY } from "./flags.ts";
import { limitsOf } from "./init/limits.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";
import { ofOne, overOrganizations } from "./organizations/run.ts";

const WHOAMI = [
  ...CONNECTION,
  ...MANY,
  option("--format <format>", "the output format", { choices: ["text", "json"], default: "text" }),
];
type WhoamiFlags = FlagsOf<typeof WHOAMI> & ConnectionFlags;

export function whoamiCommand(io: Io): Command {
  return commandOf("whoami", WHOAMI)
    .description(
      "Show which account acts, in which organization, and what it may manage there. Checks the credentials; changes nothing.",
    )
    .argument("[files...]", "check the credentials for the organizations of these files, or of a directory of them")
    .action((paths: readonly string[], flags: WhoamiFlags) =>
      paths.length === 0
        ? // The account of the command line or the environment, without `realm.yaml`, which may not exist yet.
          showAccount(ofOne(new Context(io, flags)), () => undefined)
        : overOrganizations(new Context(io, flags), {
            command: "whoami",
            paths,
            forOne: [],
            talks: true,
            async one(context) {
              const realm = valueOrFailure(await realmOfFile(context.files()));
              await showAccount(context, (snapshot) => otherRealm(defined({ realm }), snapshot));
              return undefined;
            },
          }),
    );
}

async function showAccount(
  context: Context<WhoamiFlags>,
  refusal: (snapshot: Snapshot) => ReturnType<typeof otherRealm>,
): Promise<void> {
  const { io, flags } = context;
  const snapshot = await context.session(({ reader }) => reader.snapshot({ invites: false, subscribers: false }));
  const refused = refusal(snapshot);
  if (refused !== undefined) throw new Failure(EXIT.errors, refused);
  const limits = limitsOf(snapshot, kinds);
  const limited = new Set(limits.flatMap(({ sections, isPartial }) => (isPartial ? [] : sections)));
  const sections = kinds.map(({ section }) => section).filter((section) => !limited.has(section));
  const { renderWhoami, whoamiJson } = await import("../report/whoami.ts");
  const reach = { snapshot, sections, limits, newer: newerSettings(kinds, new Realm(snapshot)) };
  io.out.write(flags.format === "json" ? whoamiJson(reach) : renderWhoami(reach, context.style));
  io.setExitCode(EXIT.done);
}
