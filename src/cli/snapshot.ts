import { Command } from "commander";
import { EXIT } from "../model/diagnostic.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { clean, cleanJson, count } from "../report/style.ts";
import { snapshotText } from "../zulip/snapshot-file.ts";
import { afterSending } from "./after-sending.ts";
import { withSession } from "./connect.ts";
import { type ConnectionFlags, withConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { unwritable } from "./write-files.ts";

interface SnapshotFlags extends ConnectionFlags {
  readonly out?: string;
  readonly invites?: boolean;
  readonly subscribers?: boolean;
}

/** Writes down the whole organization as it is now. Changes nothing. */
export function snapshotCommand(io: Io): Command {
  return withConnectionFlags(new Command("snapshot"))
    .description(
      "Write the whole organization as it is now into a file: to plan without a server, to rehearse, to compare. Holds no keys and no invitation links.",
    )
    .option("--out <file>", "where to (default: standard output)")
    .option("--invites", "pending invitations too; the key of a person is needed")
    .option("--subscribers", "who is subscribed to which channel too")
    .action(async (flags: SnapshotFlags) => {
      const { invites = false, subscribers = false } = flags;
      const exitCode = await withSession(io, flags, ({ reader }) =>
        afterSending(io, flags, "Nothing was changed or written.", async () => {
          await show(io, await reader.snapshot({ invites, subscribers }), flags.out);
          return EXIT.done;
        }),
      );
      io.setExitCode(exitCode);
    });
}

async function show(io: Io, snapshot: Snapshot, out: string | undefined): Promise<void> {
  const text = snapshotText(snapshot);
  if (out === undefined) io.out.write(io.out.isTTY ? cleanJson(text) : text);
  else {
    await save(io, out, text);
    io.err.write(`${clean(out)}: ${contents(snapshot)}\n`);
  }
}

async function save(io: Io, file: string, text: string): Promise<void> {
  try {
    await io.writeFile(file, text);
  } catch (error) {
    throw unwritable(`${file} cannot be written`, error, "snapshot/not-written");
  }
}

function contents({ realm, server, channels, user_groups, users }: Snapshot): string {
  const amounts = [
    count(channels.length, "channel", "channels"),
    count(user_groups.length, "group", "groups"),
    count(users.length, "account", "accounts"),
  ];
  return clean(`${realm.name} (${realm.url}, feature level ${server.feature_level}): ${amounts.join(", ")}`);
}
