import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { sandboxClient } from "./sandbox-client.ts";

/** The realms recorded on real servers, newest level first: path below the recordings. */
export const RECORDED = ["realm.json", "level-384/realm.json"] as const;

/** A recorded realm as its owner reads it. */
export async function recordedSnapshot(name: (typeof RECORDED)[number]): Promise<Snapshot> {
  const text = readFileSync(join(import.meta.dirname, "../recordings", name), "utf8");
  const sandbox = createSandbox({ from: JSON.parse(text) });
  return sandboxClient(sandbox, "owner").reader.snapshot({ invites: false, subscribers: true });
}
