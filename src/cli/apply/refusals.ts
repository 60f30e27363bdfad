import { EXIT, error, Failure } from "../../model/diagnostic.ts";
import { refuseIdle } from "../options.ts";
import { refuseTargetsOf, targetsOf } from "../target-flags.ts";
import { valueWords } from "../value-flags.ts";
import type { ApplyFlags } from "./flags.ts";

/** @throws Failure when the command names two sources of what to apply */
export function refuseContradiction(file: string | undefined, { plan, undo }: ApplyFlags): void {
  const given = [
    // With --undo, the file is not applied: its guard rails apply.
    file === undefined || (plan === undefined && undo !== undefined) ? "" : "a file",
    plan === undefined ? "" : "--plan",
    undo === undefined ? "" : "--undo",
  ];
  const sources = given.filter((source) => source !== "");
  if (sources.length > 1) throw new Failure(EXIT.errors, error("apply/two-sources", { sources }));
}

/** @throws Failure if options exclude each other */
export function refuseUnfit(flags: ApplyFlags): void {
  const { plan, undo, checksum, verifyWith, foreignJournal, onConflict, yes } = flags;
  targetsOf(flags);
  if (plan !== undefined) refuseTargetsOf("--plan", flags);
  const [option] = valueWords(flags);
  // The plan has the values that it was made with.
  if (plan !== undefined && option !== undefined) refuseIdle("apply", option, "--plan");
  if (undo !== undefined) refuseTargetsOf("--undo", flags);
  if (verifyWith !== undefined && plan === undefined)
    throw new Failure(EXIT.errors, error("apply/verify-without-plan", {}));
  if (checksum !== undefined && plan === undefined)
    throw new Failure(EXIT.errors, error("apply/checksum-without-plan", {}));
  if (foreignJournal === true && undo === undefined)
    throw new Failure(EXIT.errors, error("apply/foreign-without-undo", {}));
  if (onConflict !== "replan") return;
  if (yes === true) throw new Failure(EXIT.errors, error("apply/replan-unseen", {}));
  if (plan !== undefined) throw new Failure(EXIT.errors, error("apply/replan-saved", {}));
}
