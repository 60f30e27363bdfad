import { REQUEST_WORDS } from "../kinds/known-words.ts";
import type { SnapshotRequest, ZulipReader } from "../model/api.ts";
import { configurationFiles } from "./configuration-files.ts";
import { STANDARD_INPUT } from "./io.ts";

type Files = Parameters<typeof configurationFiles>[0];

/** The request for the parts that are always read. */
const PLAIN: SnapshotRequest = { invites: false, subscribers: false };

/**
 * A reader whose first request may have been sent already. The request of a plan depends on its configuration. But a configuration without words that
 * need more, and without includes, needs only what is always read, even if it has errors, since a plan also reports the server's errors. So the
 * request need not wait until all kinds are loaded, which takes longer than the answer of most servers.
 */
export async function readingAhead(io: Files, file: string, reader: ZulipReader): Promise<ZulipReader> {
  if (file === STANDARD_INPUT || !(await isPlain(io, file))) return reader;
  const answer = reader.snapshot(PLAIN);
  // A caller that uses the answer sees its error. If nobody does, the error is ignored.
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
    // Reported by the next reader.
    return false;
  }
}
