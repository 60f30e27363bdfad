import { clean } from "../../model/clean.ts";
import type { OmissionReason } from "../../model/shown-picture.ts";
import { count, listNames } from "../../model/words.ts";
import { momentText, realmName } from "../layout.ts";
import { codeText } from "../markdown-text.ts";
import { dotted, type Style, unglued, wrap } from "../style.ts";
import { omissionText } from "../words/export.ts";

/** Messages about files that commands write. */

/** An exported organization, as far as a summary describes it. */
export interface ExportSummary {
  readonly profiles: readonly { readonly name: string; readonly members: { readonly size: number } }[];
  readonly omitted: readonly {
    readonly section: string;
    readonly name: string;
    readonly field?: string;
    readonly reason: OmissionReason;
  }[];
}

const sharedProfiles = ({ profiles }: ExportSummary): readonly string[] =>
  profiles.map(({ name, members }) => `${members.size} channels share the profile ${JSON.stringify(name)}`);

const leftOut = ({ omitted }: ExportSummary): readonly string[] =>
  omitted.map(
    ({ section, name, field, reason }) =>
      `${field === undefined ? "" : `${field} of `}${section} ${JSON.stringify(name)}: ${omissionText(reason)}`,
  );

const line = (style: Style, parts: readonly string[]): string => `${clean(unglued(dotted(style, parts)))}\n`;

/** What `export` wrote. @param files undefined: to the standard output */
export function exportedLines(
  exported: ExportSummary,
  nouns: readonly string[],
  files: readonly string[] | undefined,
  style: Style,
): readonly string[] {
  const profiles = sharedProfiles(exported);
  return [
    line(style, [...(files === undefined ? [] : [`Wrote ${listNames(files, 4)}`]), ...nouns]),
    ...(profiles.length === 0 ? [] : [line(style, profiles)]),
    ...leftOut(exported).map((text) => line(style, [`Left out: ${text}`])),
  ];
}

/** Others than administrators see only the invitations that they sent, so an empty list is no statement about the organization. */
export const OWN_INVITATIONS =
  "Only this account's own invitations: the server shows those of others to administrators.\n";

/** What `init` wrote into one file. */
export const wroteFile = (file: string, text: string, nouns: readonly string[], style: Style): string =>
  line(style, [`Wrote ${file}`, count(text.split("\n").length - 1, "line"), ...nouns]);

/** The parts of the organization that `init` shares among channels, and those that it leaves out. */
export const exportNotes = (exported: ExportSummary): readonly string[] =>
  [...sharedProfiles(exported), ...leftOut(exported).map((text) => `left out: ${text}`)].map(
    (text) => `${clean(`  ${text}`)}\n`,
  );

export function wrotePictures(number: number, there: readonly string[]): readonly string[] {
  return [
    ...(number > 0 ? [`Wrote ${count(number, "picture", "pictures")} beside it\n`] : []),
    ...(there.length > 0 ? [`${clean(`  not changed: ${listNames(there)}`)}\n`] : []),
  ];
}

/** What a user has to do by hand about an existing job file. */
export type JobsFileFact =
  | { readonly kind: "include-missing"; readonly line: string }
  | { readonly kind: "of-other-files"; readonly files: readonly string[]; readonly file: string };

export function staysAsItIs(path: string, fact: JobsFileFact | undefined): string {
  return `${clean(`${path} already exists and was not changed.${jobsFileText(fact)}`)}\n`;
}

function jobsFileText(fact: JobsFileFact | undefined): string {
  if (fact === undefined) return "";
  if (fact.kind === "include-missing") return ` Add to it: ${fact.line}`;
  return ` It is for ${listNames(fact.files)}, not ${fact.file}: write one for ${fact.file} beside it, under another name (docs/ci.md).`;
}

export const writeThis = (file: string, isThere: boolean): string =>
  isThere ? `${file} already exists. Change it as shown?` : `Write ${file}?`;

/** What a user has to enter at the host by hand. */
export const secretsOfEnvironments = (end: string): string =>
  `  the workflows need ZULIP_EMAIL and ZULIP_API_KEY in the environments zulip-read${end} and zulip-write${end}: docs/production.md\n`;
export const secretsOfJobs = ({ email, key }: { readonly email: string; readonly key: string }): string =>
  `  the jobs need ${email} and ${key}; the top of the file and docs/ci.md say what else they need\n`;

/** What `fmt` did, or would do. */
export function layoutSummary(files: number, changed: number, check: boolean): string {
  if (changed === 0) return `${count(files, "file has", "files have")} the standard layout.\n`;
  return check
    ? `${count(changed, "file has", "files have")} another layout: run realmctl fmt.\n`
    : `${count(changed, "file was", "files were")} formatted.\n`;
}

export const planSaved = (file: string, checksum: string, isSigned: boolean): string =>
  `Saved as ${clean(file)}, checksum ${checksum}${isSigned ? ", signed" : ""}\n`;
export const signedBy = (signer: string): string => `Signed by ${clean(signer)}.\n`;
export const carriesSignature = (method: string): string =>
  `It carries a signature (${method}), which only realmctl apply --verify-with KEY checks.\n`;

/** Beside all changes of a saved plan as Markdown. */
export const asSaved = (command: string): string => `As saved; apply with ${command}.`;
export const JSON_FORMAT = "`--format json`";

/** Beside the changes of a plan in a comment on a merge request. */
export const ALL_CHANGES =
  "This request asks for some of these changes; the others were needed before. They are not told apart here.";
export const JOBS_LOG = "the job's log";
export const SHOWN_BY = "option `--show-private-names`";

/** In the place of a plan. */
export const cannotPlanNow = (file: string): string =>
  `❌ **realmctl** cannot plan ${codeText(file)} as this request has it now: see ${JOBS_LOG}.`;
export const commentKept = (fate: string): string => `The comment: ${fate}\n`;

/** What a snapshot holds. */
export function snapshotContents(
  file: string,
  realm: { readonly name: string; readonly url: string },
  featureLevel: number,
  counts: { readonly channels: number; readonly groups: number; readonly accounts: number },
): string {
  const amounts = [
    count(counts.channels, "channel", "channels"),
    count(counts.groups, "group", "groups"),
    count(counts.accounts, "account", "accounts"),
  ];
  return `${clean(`${file}: ${realm.name} (${realm.url}, feature level ${featureLevel}): ${amounts.join(", ")}`)}\n`;
}

/** What a valid file declares, and what it was checked against. */
export interface ValidFile {
  readonly file: string;
  /** The declared objects: "9 channels", "2 linkifiers". */
  readonly contents: readonly string[];
  /** The reading; undefined if the file was validated alone. */
  readonly against?: { readonly url: string; readonly takenAt: string };
}

export function validText({ file, contents, against }: ValidFile, style: Style): string {
  const held =
    against === undefined
      ? "Names of groups and people were not checked: that needs --live or --snapshot."
      : `Checked against ${realmName(against.url)}, read ${momentText(against.takenAt)}.`;
  const has = contents.length === 0 ? "it has no section" : dotted(style, contents);
  return `${wrap(`${clean(file)} is valid: ${has}. ${held}`, style.width).join("\n")}\n`;
}
