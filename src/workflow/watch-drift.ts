import { type Diagnostic, EXIT } from "../model/diagnostic.ts";
import { canonicalJson } from "../model/json.ts";
import { type Change, looksRenamed, type Unmanaged } from "../model/plan.ts";
import type { Drift, Moment } from "../model/result.ts";
import { type FollowPorts, follow, isAway } from "./follow.ts";

/** The functions that the watch needs from its caller. */
export interface WatchPorts extends Omit<FollowPorts, "read" | "judge" | "wakeBy" | "settleMs"> {
  /** Reads file and realm. @throws Failure */
  read(): Promise<Drift>;
  /** Called with the first reading. */
  started(drift: Drift): void;
  changed(moment: Moment): void;
}

/**
 * Follows the realm until the signal fires, and reports every difference from the file.
 * @returns the last reading
 * @throws Failure from the first reading, and later if the server refuses the account
 */
export async function watchDrift(ports: WatchPorts): Promise<Drift | undefined> {
  let known: Drift | undefined;
  await follow({
    ...ports,
    async read() {
      known = report(ports, known, await ports.read());
    },
    judge(failure, isReading, isFirst) {
      if (isFirst) return "end";
      if (isAway(failure)) return "again";
      // The file no longer fits the realm, or somebody is editing it: it may be valid again at the next event.
      return isReading && failure.exitCode === EXIT.errors ? "next" : "end";
    },
  });
  return known;
}

function report(ports: WatchPorts, before: Drift | undefined, now: Drift): Drift {
  if (before === undefined) ports.started(now);
  else {
    const moment = momentBetween(before, now);
    if (moment !== undefined) ports.changed(moment);
  }
  return now;
}

/** The differences between two readings; undefined if there is none that the file mentions. */
function momentBetween(before: Drift, now: Drift): Moment | undefined {
  const old = new Map(before.differences.map((change) => [change.address, wordingOf(change)]));
  const current = new Set(now.differences.map(({ address }) => address));
  const moment: Moment = {
    drift: now,
    appeared: now.differences.filter((change) => old.get(change.address) !== wordingOf(change)),
    ended: before.differences.filter(({ address }) => !current.has(address)),
    unmanagedNew: missing(now.unmanaged, before.unmanaged),
    unmanagedGone: missing(before.unmanaged, now.unmanaged),
    renamed: notAmong(looksRenamed(now.plan), looksRenamed(before.plan)),
    uncomparedNew: notAmong(now.uncompared, before.uncompared),
    uncomparedGone: notAmong(before.uncompared, now.uncompared),
  };
  const { appeared, ended, unmanagedNew, unmanagedGone, renamed, uncomparedNew, uncomparedGone } = moment;
  const news = [appeared, ended, unmanagedNew, unmanagedGone, renamed, uncomparedNew, uncomparedGone];
  return news.every(({ length }) => length === 0) ? undefined : moment;
}

function notAmong(diagnostics: readonly Diagnostic[], others: readonly Diagnostic[]): readonly Diagnostic[] {
  const textOf = ({ code, fact }: Diagnostic): string => JSON.stringify([code, fact]);
  const said = new Set(others.map(textOf));
  return diagnostics.filter((diagnostic) => !said.has(textOf(diagnostic)));
}

/** A text for comparison, without places: a moved line of the file is not a difference of the organization. */
function wordingOf({ action, fields }: Change): string {
  return canonicalJson([action, fields.map(({ field, before, after }) => [field, before, after])]);
}

function missing(from: readonly Unmanaged[], within: readonly Unmanaged[]): readonly Unmanaged[] {
  return from.flatMap((item) => {
    const known = new Set(
      within.find(({ section, policy }) => section === item.section && policy === item.policy)?.names,
    );
    const names = item.names.filter((name) => !known.has(name));
    return names.length === 0 ? [] : [{ ...item, names }];
  });
}
