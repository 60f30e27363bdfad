import type { Command } from "commander";
import { EXIT } from "../model/diagnostic.ts";
import { newerSettings } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { snapshotContents } from "../report/commands/files.ts";
import { cleanJson } from "../report/style.ts";
import { newerLines } from "../report/words/newer.ts";
import { snapshotText } from "../zulip/snapshot.ts";
import { Context } from "./context.ts";
import { CONNECTION, type ConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";
import { type OutputFile, refuseUnfitOutput, writeOutput } from "./write-files.ts";

const SNAPSHOT = [
  ...CONNECTION,
  option("--out <file>", "where to write it (default: standard output)"),
  option("--force", "replace a file that realmctl did not write"),
  option("--invites", "also pending invitations; needs the key of a person"),
  option("--subscribers", "", { isHidden: true }),
  option("--no-subscribers", "leave out who is subscribed to which channel: a smaller file"),
];
type SnapshotFlags = FlagsOf<typeof SNAPSHOT> & ConnectionFlags;

export function snapshotCommand(io: Io): Command {
  return commandOf("snapshot", SNAPSHOT)
    .description(
      "Save the whole organization as it is now as JSON. Use it to plan without a server, to rehearse, and to compare; for a file to edit, use `realmctl export`. It holds no keys and no invitation links.",
    )
    .action(async (flags: SnapshotFlags) => {
      const { invites = false, subscribers = true } = flags;
      const output = outputOf(flags);
      if (output !== undefined) await refuseUnfitOutput(io, output);
      await new Context(io, flags).session(
        async ({ reader }) => show(io, await reader.snapshot({ invites, subscribers }), output),
        { ending: "nothing-changed-or-written" },
      );
      io.setExitCode(EXIT.done);
    });
}

function outputOf({ out, force = false, zuliprc }: SnapshotFlags): OutputFile | undefined {
  const inputs = zuliprc === undefined ? [] : [zuliprc];
  return out === undefined ? undefined : { file: out, format: "snapshot", force, inputs };
}

async function show(io: Io, snapshot: Snapshot, output: OutputFile | undefined): Promise<void> {
  const text = snapshotText(snapshot);
  if (output === undefined) io.out.write(io.out.isTTY ? cleanJson(text) : text);
  else {
    await writeOutput(io, output, text);
    const { realm, server, channels, user_groups, users } = snapshot;
    const counts = { channels: channels.length, groups: user_groups.length, accounts: users.length };
    io.err.write(snapshotContents(output.file, realm, server.feature_level, counts));
    // The kinds are loaded only here, since reading and writing a snapshot needs none.
    const { kinds } = await import("../kinds/registry.ts");
    for (const line of newerLines(newerSettings(kinds, new Realm(snapshot)), server.feature_level)) io.err.write(line);
  }
}
