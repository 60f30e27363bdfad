import { type NotJson, notJsonText } from "../not-json.ts";
import { diagnostic } from "./definition.ts";
import { type FormCause, formCause } from "./form-cause.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, say } from "./words.ts";

const MEBIBYTE = 1024 * 1024;
const TAKE_ONE = "take one with: realmctl snapshot --out FILE";

/** Errors in snapshots, and of exports. */
export const snapshots = {
  "snapshot/syntax": diagnostic<{ reason: NotJson }>({
    says: ({ reason }) => `the file is not JSON: ${notJsonText(reason)}`,
    help: TAKE_ONE,
    means: "The snapshot is not JSON: it is damaged or cut off.",
    out: "Make it again with `realmctl snapshot`.",
  }),
  /** No file can express the reading, whatever is left out of it. @property reason the first remaining error */
  "export/not-possible": diagnostic<{ reason: Quoted }>({
    says: ({ reason }) => `what was read cannot be written as a file: ${reason.quoted}`,
    help: "take a new snapshot: this one was edited or damaged, or the server's answer contradicts itself",
    means:
      "What was read cannot be written as a file: two objects have the same name, the organization has no address, or something else that cannot happen on a server.",
    out: "Take a new snapshot. If the organization was read just now, please report it with the message.",
  }),
  /** The exported file would be too large to be read again. */
  "export/too-large": diagnostic<{
    /** Absent if the limit is that of all files together. */
    file?: Word;
    bytes: number;
    most_bytes: number;
    has_subscribers: boolean;
    is_split: boolean;
  }>({
    says: ({ file, bytes, most_bytes, has_subscribers, is_split }) => {
      const [has, most] = [Math.ceil(bytes / MEBIBYTE), most_bytes / MEBIBYTE];
      const smaller = has_subscribers ? "leave out --subscribers" : "write fewer sections: --kinds";
      return file === undefined
        ? say(`the files would have ${has} MB together, and realmctl reads ${most} MB`, smaller)
        : say(
            `${file} would have ${has} MB, and realmctl reads files of up to ${most} MB`,
            is_split ? smaller : `write several files (--out-dir DIRECTORY --split kind), or ${smaller}`,
          );
    },
    means:
      "What the export would write is larger than what realmctl reads: 32 MB in one file, 64 MB in a file and all that it includes. A million subscribers take 35 MB.",
    out: "Write several files with `--out-dir` and `--split kind`, or leave out `--subscribers`. If that is not enough, write fewer sections with `--kinds`.",
  }),
  "snapshot/format": diagnostic({
    says: "the file is not a snapshot of realmctl",
    help: TAKE_ONE,
    means: "The file is JSON, but not a snapshot.",
    out: "Name a file that `realmctl snapshot` wrote.",
  }),
  "snapshot/version": diagnostic<{ found: Quoted; reads: number; is_newer: boolean }>({
    says: ({ found, reads }) => `the snapshot has version ${bare(found)}; this realmctl reads version ${reads}`,
    help: ({ is_newer }) => (is_newer ? "use the realmctl that wrote it" : "take a new snapshot"),
    means: "The snapshot was written by another version of realmctl.",
    out: "Make it again with this one.",
  }),
  /** @property part absent for the snapshot as a whole */
  "snapshot/field": diagnostic<{ part?: Word; cause: FormCause }>({
    says: (fact) => formCause(fact, "the snapshot"),
    help: "realmctl writes snapshots: take a new one (realmctl snapshot --out FILE) instead of editing it",
    means: "The snapshot has something at this place that snapshots do not have.",
    out: "Make it again with `realmctl snapshot`.",
  }),
};
