import { REQUEST_WORDS } from "../kinds/known-words.ts";
import type { SnapshotRequest, ZulipReader } from "../model/api.ts";
import { configurationFiles } from "./configuration-files.ts";
import { STANDARD_INPUT } from "./io.ts";

type Files = Parameters<typeof configurationFiles>[0];

/** What is always read, whatever a configuration says. */
const PLAIN: SnapshotRequest = { invites: false, subscribers: false };

/**
 * The reader itself, whose first answer may be under way already. What a plan asks for depends on its configuration, but one without any word that asks
 * for more, and that includes nothing, asks for what is always read: also if it has errors, since a plan reports what the server says beside them. So
 * the request need not wait until all kinds are loaded, which takes longer than most servers do.
 */
export async function readingAhead(io: Files, file: string, reader: ZulipReader): Promise<ZulipReader> {
  if (file === STANDARD_INPUT || !(await isPlain(io, file))) return reader;
  const answer = reader.snapshot(PLAIN);
  // Whoever asks for it hears of what goes wrong; perhaps nobody asks.
  answer.catch(() => {});
  let isTaken = false;
  return {
    snapshot(request, signal) {
      if (isTaken || signal !== undefined || request.invites || request.subscribers)
        return reader.snapshot(request, signal);
      isTaken = true;
      return answer;
    },
  };
}

async function isPlain(io: Files, file: string): Promise<boolean> {
  try {
    const content = await configurationFiles(io, file).readFile(file);
    const text = typeof content === "string" ? content : Buffer.from(content).toString("utf8");
    return ![...REQUEST_WORDS, "include"].some((word) => text.includes(word));
  } catch {
    // Said by whoever reads it next.
    return false;
  }
}
