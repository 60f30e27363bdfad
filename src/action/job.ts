import type { Stop } from "../apply/options.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import type { Clock } from "../zulip/clock.ts";
import type { Deadline } from "../zulip/connection.ts";
import type { Concealment } from "./conceal.ts";
import type { Files } from "./files.ts";
import type { Annotation, GitHub } from "./github.ts";
import type { GithubEvent, Inputs } from "./inputs.ts";

/** One run of the Action: its inputs, its event, and the few ways in which it can report. */
export interface Job {
  readonly inputs: Inputs;
  readonly event: GithubEvent;
  readonly env: { readonly [name: string]: string | undefined };
  /** Absolute paths: the checkout, and the directory of files for later steps. */
  readonly workspace: string;
  readonly temporary: string;
  /** Files of the checkout; what is uploaded is read from them again. */
  readonly files: Files & { readonly readUpload: ReadUpload };
  readonly clock: Clock;
  /** The limit for the whole step; undefined means no limit. */
  readonly deadline: Deadline | undefined;
  /** After this call, a run that is cancelled or out of time finishes the current call. Without it, the run just ends. */
  listenForCancel(): { readonly stop: Stop; done(): void };
  /** All output passes through it; texts made from plans are redacted before. */
  readonly conceal: Concealment;
  /** @throws Failure without a token */
  github(): GitHub;
  /** A line of the log, made from redacted texts. It is never a workflow command, whatever it contains. */
  say(text: string): void;
  annotate(annotation: Annotation): void;
  setOutput(name: string, value: string | number): void;
  /** Markdown for the page of the run. */
  summarise(markdown: string): Promise<void>;
  /** Writes a file for later steps into {@link Job.temporary}, and returns its path. */
  write(name: string, text: string): Promise<string>;
}

/** GitHub's limits: characters of a comment or an issue, and bytes of a summary, less a margin for markers and footers. */
export const COMMENT_BUDGET = 63_000;
export const SUMMARY_BUDGET = 300_000;
/** The share of either limit that is reserved for broken rules. */
export const RULES_BUDGET = 8_000;
