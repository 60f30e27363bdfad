import { dirname, join } from "node:path";
import type { Command } from "commander";
import { fetchPictures, pictureFilesOf, picturesIn } from "../export/check.ts";
import { defaultSections, type Exported, exportRealm } from "../export/export.ts";
import { kinds } from "../kinds/registry.ts";
import { clean } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import { EXIT, failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { newerSettings } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import type { FetchedPictures } from "../model/shown-picture.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { didYouMean } from "../model/suggest.ts";
import { count, listNames } from "../model/words.ts";
import { isReadOnRequest } from "../plan/requests.ts";
import { exportedLines, OWN_INVITATIONS } from "../report/commands/files.ts";
import { newerLines } from "../report/words/newer.ts";
import { unexportedText } from "../report/words/unseen.ts";
import { fetchPicture } from "../zulip/pictures.ts";
import { Context } from "./context.ts";
import { CONNECTION, type ConnectionFlags, PICTURES_FROM, SCHEMA } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";
import { existing, isDevice, refuseOtherEnding, schemaPath, writeFiles } from "./write-files.ts";

const WRITTEN_ON_REQUEST = kinds.filter(({ yaml }) => yaml?.onRequest === true).map(({ section }) => section);

const EXPORT = [
  ...CONNECTION,
  option("--snapshot <file>", "export from what `realmctl snapshot` wrote; needs no server"),
  option("--out <file>", "where to write it (default: standard output)"),
  option("--out-dir <directory>", "several files, joined by realm.yaml in this directory"),
  option(
    "--kinds <sections>",
    `only these, separated by commas: channels,linkifiers (default: all except ${listNames(WRITTEN_ON_REQUEST)})`,
  ),
  option("--policy <policy>", "what plan does with objects that the file does not mention", {
    choices: ["additive", "exact", "ignore"],
    default: "additive",
  }),
  option("--split <how>", "kind: a file for each section; folder: and one for each channel folder", {
    choices: ["none", "kind", "folder"],
    default: "none",
  }),
  PICTURES_FROM,
  option(
    "--unset <meaning>",
    "the meaning of a field that the file leaves out; default: it must have the value that the server gives to new objects, and drift watches it",
    { choices: ["leave", "default"], default: "leave" },
  ),
  option("--complete", "every field, including those with the value that new objects have"),
  option(
    "--subscribers",
    "also who is subscribed to each public channel (the subscribers of private channels are always written)",
  ),
  option(
    "--inactive",
    "also the other archived channels, and deactivated groups (archived private channels are always written, since they can be read)",
  ),
  SCHEMA,
  option("--force", "replace existing files"),
];
type ExportFlags = FlagsOf<typeof EXPORT> & ConnectionFlags;

export function exportCommand(io: Io): Command {
  return commandOf("export", EXPORT)
    .description(
      "Write the organization as it is now to a YAML file that you can edit and apply. Changes nothing on the server.",
    )
    .action((flags: ExportFlags) => runExport(new Context(io, flags)));
}

async function runExport(context: Context<ExportFlags>): Promise<void> {
  const { io, flags } = context;
  checkFlags(flags);
  if (flags.out !== undefined && (await existing(io, [flags.out])).length === 0)
    refuseOtherEnding(flags.out, "configuration");
  const sections = flags.kinds === undefined ? undefined : sectionsNamed(flags.kinds);
  const directory = flags.outDir;
  const { snapshot, pictures } = await read(context, sections);
  if (sections !== undefined) refuseUnread(sections, snapshot);
  const schema =
    flags.schema ?? (await schemaPath(io, directory === undefined ? flags.out : join(directory, "realm.yaml")));
  const exported = await exportRealm({
    snapshot,
    kinds,
    sections: sections ?? defaultSections(snapshot, kinds),
    policies: Object.fromEntries(kinds.map(({ section }) => [section, flags.policy])),
    unset: flags.unset === "default",
    complete: flags.complete === true,
    subscribers: flags.subscribers === true,
    inactive: flags.inactive === true,
    split: flags.split,
    ...defined({ pictures, schema }),
  });
  const files = placed(exported.files, flags.out, directory);
  if (files === undefined) io.out.write([...exported.files.values()].join(""));
  else {
    const beside = besideThem(pictures, files, directory ?? dirname(flags.out ?? ""));
    if (flags.force !== true) refuse(await existing(io, [...files.keys(), ...beside.keys()]));
    // The file that includes the others is written after them.
    await writeFiles(io, new Map<string, string | Uint8Array>([...beside, ...files]));
  }
  for (const line of exportedLines(exported, nounsOf(exported), files && [...files.keys()], context.errStyle))
    io.err.write(line);
  const realm = new Realm(snapshot);
  const exportedKinds = kinds.filter(({ section }) => (sections ?? defaultSections(snapshot, kinds)).includes(section));
  const unseen = exportedKinds.flatMap((kind) => (kind.shape === "singleton" ? [] : (kind.live.unseen?.(realm) ?? [])));
  if (unseen.length > 0) io.err.write(`${clean(unexportedText(snapshot.account, unseen))}\n`);
  if (hasInvitations(sections) && !realm.isAdmin) io.err.write(OWN_INVITATIONS);
  for (const line of newerLines(newerSettings(kinds, realm), snapshot.server.feature_level)) io.err.write(line);
  io.setExitCode(EXIT.done);
}

function checkFlags({ out, outDir, split }: ExportFlags): void {
  if (out !== undefined && outDir !== undefined) throw failure("export/where", { cause: "both" });
  if (split !== "none" && outDir === undefined) throw failure("export/where", { cause: "split", split: split ?? "" });
}

/** @throws Failure for an unknown section, or one that cannot be written */
export function sectionsNamed(list: string): readonly string[] {
  const known = kinds.filter((kind) => kind.yaml?.item !== undefined).map(({ section }) => section);
  const named = list.split(",").map((name) => name.trim().replaceAll("-", "_"));
  for (const name of named) {
    if (known.includes(name)) continue;
    const meant = didYouMean(name, known);
    const fact = { section: quote(name), sections: known, ...defined({ meant }) };
    throw failure("export/unknown-section", fact);
  }
  return known.filter((section) => named.includes(section));
}

/** @throws Failure if a requested section is not in the snapshot */
export function refuseUnread(sections: readonly string[], snapshot: Snapshot): void {
  const realm = new Realm(snapshot);
  for (const kind of kinds) {
    const { section } = kind;
    const { level } = kind.live;
    if (!sections.includes(section) || kind.live.read(realm) !== undefined) continue;
    const needs_level = level !== undefined && level > realm.level ? level : undefined;
    const fact = { section, is_on_request: isReadOnRequest(kind), ...defined({ needs_level }) };
    throw failure("export/not-read", fact);
  }
}

interface Reading {
  readonly snapshot: Snapshot;
  /** The pictures, for an export to files; the standard output has no place for them. */
  readonly pictures?: FetchedPictures;
}

async function read(context: Context<ExportFlags>, sections: readonly string[] | undefined): Promise<Reading> {
  const { io, flags } = context;
  const wanted = {
    invites: hasInvitations(sections),
    // The lists of a large organization are long, and the server needs time for them: they are read only for sections that have them.
    subscribers: kinds.some(
      ({ section, yaml }) => yaml?.asked !== undefined && (sections === undefined || sections.includes(section)),
    ),
  };
  if (flags.snapshot !== undefined) return { snapshot: await context.snapshotIn(flags.snapshot).snapshot(wanted) };
  return context.session(async ({ reader, connection }) => {
    const snapshot = await reader.snapshot(wanted);
    const hasPlace = flags.outDir !== undefined || (flags.out !== undefined && !(await isDevice(io, flags.out)));
    if (!hasPlace) return { snapshot };
    const shown = picturesIn(snapshot, kinds, sections ?? defaultSections(snapshot, kinds));
    const others = flags.picturesFrom ?? [];
    const pictures = await fetchPictures(shown, (address, mostBytes) =>
      fetchPicture(connection, address, { mostBytes, others }),
    );
    return { snapshot, pictures };
  });
}

/** Pictures that the files name, in the directory of the main one. */
export function besideThem(
  pictures: FetchedPictures | undefined,
  files: ReadonlyMap<string, string>,
  directory: string,
): ReadonlyMap<string, Uint8Array> {
  const texts = [...files.values()];
  return new Map(
    [...pictureFilesOf(pictures ?? new Map())]
      .filter(([path]) => texts.some((text) => text.includes(path)))
      .map(([path, { bytes }]) => [join(directory, path), bytes]),
  );
}

function placed(
  files: Exported["files"],
  out: string | undefined,
  directory: string | undefined,
): ReadonlyMap<string, string> | undefined {
  if (directory !== undefined) return new Map([...files].map(([path, text]) => [join(directory, path), text]));
  return out === undefined ? undefined : new Map([...files.values()].map((text) => [out, text]));
}

function refuse(there: readonly string[]): void {
  if (there.length === 0) return;
  throw failure("export/exists", { files: there });
}

/** The exported objects: "9 channels", "2 linkifiers". */
export function nounsOf({ counts }: Exported): readonly string[] {
  return kinds.flatMap((kind) => {
    const number = counts.get(kind.section);
    if (number === undefined) return [];
    return [kind.shape === "singleton" ? kind.noun[1] : count(number, ...kind.noun)];
  });
}

/** Whether one of the sections is about invitations, which only an own request shows. */
const hasInvitations = (sections: readonly string[] | undefined): boolean =>
  kinds.some((kind) => sections?.includes(kind.section) === true && isReadOnRequest(kind));
