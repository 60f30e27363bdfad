import { REQUEST_WORDS } from "../kinds/known-words.ts";
import type { SnapshotRequest, ZulipReader } from "../model/api.ts";
import type { Targets } from "../model/plan-schema.ts";
import type { Planned } from "../workflow/workflow.ts";
import { configurationFiles } from "./configuration-files.ts";
import { closingAfter, type Session } from "./connect.ts";
import type { Context } from "./context.ts";
import { type ConnectionFlags, type GuardFlags, type TargetFlags, targetsOf } from "./flags.ts";
import { STANDARD_INPUT } from "./io.ts";
import type { PlannedHow } from "./plan-with.ts";

export interface MadePlan {
  readonly planned: Planned;
  /** The number of requests of the reading. */
  readonly requests: number;
  readonly seconds: number;
  /** Ends when the session is closed. Work with the plan need not wait for it, but the end of the command must. */
  readonly closed: Promise<void>;
}

/**
 * Plans a file against the server, or against a snapshot. All that planning needs is loaded while the server works out its answer.
 * @param reads what else to read from a server
 * @param then is called with the plan while the session is open; never for a snapshot
 * @throws Failure with every error of the file
 */
export async function makePlan(
  context: Context<ConnectionFlags & GuardFlags & TargetFlags & { readonly snapshot?: string }>,
  reads: Partial<SnapshotRequest> = {},
  needs: Targets["needs"] = "refuse",
  how: PlannedHow = {},
  then?: (session: Session, planned: Planned) => Promise<void>,
): Promise<MadePlan> {
  const { io, file, flags } = context;
  // The targets are checked before anything is sent.
  targetsOf(flags, needs);
  if (flags.snapshot !== undefined) {
    const { planWith } = await import("./plan-with.ts");
    return {
      planned: await planWith(context, context.snapshotIn(flags.snapshot), needs, how),
      requests: 0,
      seconds: 0,
      closed: Promise.resolve(),
    };
  }
  const planned = async (session: Session): Promise<Omit<MadePlan, "closed">> => {
    const { reader, requests } = session;
    const startedAt = io.now();
    const wider: ZulipReader = {
      async snapshot(request, signal) {
        const { readerWith } = await import("../workflow/reading.ts");
        return readerWith(reader, reads).snapshot(request, signal);
      },
    };
    const ahead = await readingAhead(io, file, wider);
    const { planWith } = await import("./plan-with.ts");
    // What a snapshot may lack, a server has.
    const { leavesUnread: _, ...live } = how;
    const planned = await planWith(context, ahead, needs, live);
    await then?.(session, planned);
    return { planned, requests: requests(), seconds: (io.now() - startedAt) / 1000 };
  };
  const { value, closed } = await context.filesFirst(() => closingAfter(context, planned));
  return { ...value, closed };
}

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
