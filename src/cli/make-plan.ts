import type { SnapshotRequest, ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Checked, warning } from "../model/diagnostic.ts";
import type { Targets } from "../model/targets.ts";
import { type Planned, type PlanOptions, planRealm } from "../workflow/workflow.ts";
import { valueOrFailure } from "./checked.ts";
import { configurationFiles } from "./configuration-files.ts";
import { closingAfter } from "./connect.ts";
import type { ConnectionFlags } from "./flags.ts";
import type { GuardFlags } from "./guard-flags.ts";
import type { Io } from "./io.ts";
import { snapshotReader } from "./snapshot-reader.ts";
import { type TargetFlags, targetsOf } from "./target-flags.ts";

export interface MadePlan {
  readonly planned: Planned;
  /** What reading cost. */
  readonly requests: number;
  readonly seconds: number;
  /** Ends when the session is closed. Work with the plan need not wait for it, but the end of the command must. */
  readonly closed: Promise<void>;
}

/** What a plan is for, where nothing is to be sent. */
export type PlannedHow = Pick<PlanOptions, "leavesUnread" | "comparesOnly">;

/**
 * Plans a file against the server, or against a snapshot.
 * @param reads what else to read of a server than the file needs
 * @throws Failure with every error of the file
 */
export async function makePlan(
  io: Io,
  file: string,
  flags: ConnectionFlags & GuardFlags & TargetFlags & { readonly snapshot?: string },
  reads: Partial<SnapshotRequest> = {},
  needs: Targets["needs"] = "refuse",
  how: PlannedHow = {},
): Promise<MadePlan> {
  if (flags.snapshot !== undefined) {
    return {
      planned: await planWith(io, file, snapshotReader(io, flags.snapshot), flags, needs, how),
      requests: 0,
      seconds: 0,
      closed: Promise.resolve(),
    };
  }
  const { value, closed } = await closingAfter(io, flags, async ({ reader, requests }) => {
    const startedAt = io.now();
    const wider: ZulipReader = {
      snapshot: (request, signal) => reader.snapshot({ ...request, ...reads }, signal),
    };
    const planned = await planWith(
      io,
      file,
      wider,
      flags,
      needs,
      defined({ comparesOnly: how.comparesOnly || undefined }),
    );
    return { planned, requests: requests(), seconds: (io.now() - startedAt) / 1000 };
  });
  return { ...value, closed };
}

export async function planWith(
  io: Io,
  file: string,
  reader: ZulipReader,
  { policy, allow = [], ...flags }: GuardFlags & TargetFlags = {},
  needs: Targets["needs"] = "refuse",
  how: PlannedHow = {},
): Promise<Planned> {
  const targets = targetsOf(flags, needs);
  const planned = await planRealm({
    ...configurationFiles(io, file, policy),
    reader,
    allow,
    ...how,
    ...defined({ policyFile: policy, targets }),
  });
  return valueOrFailure(targets === undefined ? planned : withWholeFile(planned));
}

/** Whoever asked for a part may wonder why an error elsewhere counts. */
function withWholeFile(planned: Checked<Planned>): Checked<Planned> {
  if (planned.ok || planned.diagnostics.some(({ code }) => code.startsWith("targets/"))) return planned;
  return { ok: false, diagnostics: [...planned.diagnostics, warning("targets/whole-file", {})] };
}
