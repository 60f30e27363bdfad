import type { SnapshotFacts } from "../../../model/diagnostics/snapshots.ts";
import { notJsonText } from "../not-json.ts";
import { formCause } from "./form-cause.ts";
import { bare, say, type WordsOf } from "./words.ts";

const MEBIBYTE = 1024 * 1024;
const TAKE_ONE = "take one with: realmctl snapshot --out FILE";

export const snapshotWords: WordsOf<SnapshotFacts> = {
  "snapshot/syntax": ({ reason }) => say(`the file is not JSON: ${notJsonText(reason)}`, TAKE_ONE),
  "export/not-possible": ({ reason }) =>
    say(
      `what was read cannot be written as a file: ${reason.quoted}`,
      "take a new snapshot: this one was edited or damaged, or the server's answer contradicts itself",
    ),
  "export/too-large": ({ file, bytes, most_bytes, has_subscribers, is_split }) => {
    const [has, most] = [Math.ceil(bytes / MEBIBYTE), most_bytes / MEBIBYTE];
    const smaller = has_subscribers ? "leave out --subscribers" : "write fewer sections: --kinds";
    return file === undefined
      ? say(`the files would have ${has} MB together, and realmctl reads ${most} MB`, smaller)
      : say(
          `${file} would have ${has} MB, and realmctl reads files of up to ${most} MB`,
          is_split ? smaller : `write several files (--out-dir DIRECTORY --split kind), or ${smaller}`,
        );
  },
  "snapshot/format": () => say("the file is not a snapshot of realmctl", TAKE_ONE),
  "snapshot/version": ({ found, reads, is_newer }) =>
    say(
      `the snapshot has version ${bare(found)}; this realmctl reads version ${reads}`,
      is_newer ? "use the realmctl that wrote it" : "take a new snapshot",
    ),
  "snapshot/field": (fact) =>
    say(
      formCause(fact, "the snapshot"),
      "realmctl writes snapshots: take a new one (realmctl snapshot --out FILE) instead of editing it",
    ),
};
