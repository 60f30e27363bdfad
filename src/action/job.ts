import type { Stop } from "../apply/options.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import type { Clock } from "../zulip/clock.ts";
import type { Deadline } from "../zulip/connection.ts";
import type { Concealment } from "./conceal.ts";
import type { GithubEvent } from "./event.ts";
import type { Files } from "./files.ts";
import type { Annotation, GitHub } from "./github.ts";
import type { Inputs } from "./inputs.ts";

/** One run of the Action: what it was asked, what happened, and the few ways in which it may speak. */
export interface Job {
  readonly inputs: Inputs;
  readonly event: GithubEvent;
  readonly env: { readonly [name: string]: string | undefined };
  /** Absolute paths: the checkout, and where files for later steps go. */
  readonly workspace: string;
  readonly temporary: string;
  /** Of the checkout; what is uploaded is read of it again. */
  readonly files: Files & { readonly readUpload: ReadUpload };
  readonly clock: Clock;
  /** The time of the whole step; undefined: as long as it takes. */
  readonly deadline: Deadline | undefined;
  /** From now on a cancelled run, and one whose time is over, ends what it has begun. Without it, it just ends. */
  listenForCancel(): { readonly stop: Stop; done(): void };
  /** Everything that is said goes through it; texts that are put together from plans are redacted before. */
  readonly conceal: Concealment;
  /** @throws Failure without a token */
  github(): GitHub;
  /** A line of the log, made of what was redacted before. Never a workflow command, whatever is in it. */
  say(text: string): void;
  annotate(annotation: Annotation): void;
  setOutput(name: string, value: string | number): void;
  /** Markdown for the page of the run. */
  summarise(markdown: string): Promise<void>;
  /** A file for later steps, in {@link Job.temporary}; its path. */
  write(name: string, text: string): Promise<string>;
}

/** What GitHub takes: characters of a comment or an issue, and bytes of a summary; a margin for markers and footers. */
export const COMMENT_BUDGET = 63_000;
export const SUMMARY_BUDGET = 300_000;
/** What of either is for rules that do not hold. */
export const RULES_BUDGET = 8_000;
