import type { Command } from "commander";
import { channelAddress } from "../access/scope.ts";
import { type Adoptable, type Adopted, type AdoptOptions, adopt, adoptable } from "../adopt/adopt.ts";
import { sharedFiles } from "../adopt/shared-files.ts";
import { kinds } from "../kinds/registry.ts";
import { kindOf, nameIn } from "../model/address.ts";
import { clean } from "../model/clean.ts";
import { commandLine } from "../model/command-line.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { EXIT, error, Failure, failure } from "../model/diagnostic.ts";
import { quote, quoteAll } from "../model/diagnostics/values.ts";
import { isList } from "../model/json.ts";
import { SINGLETON } from "../model/kind.ts";
import { isRightName, otherRights, RIGHT_SCOPES } from "../model/permission-settings.ts";
import type { Address, Change } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { didYouMean } from "../model/suggest.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import {
  alsoPartOf,
  calledNow,
  differenceLabel,
  NOTHING_WRITTEN,
  noLongerProtected,
  nothingToTake,
  notInFile,
  notSettled,
  notTaken,
  WHAT_TO_TAKE,
  writeThese,
  wroteThese,
} from "../report/commands/adopt.ts";
import { changeName, objectName } from "../report/layout.ts";
import { unseenText } from "../report/words/unseen.ts";
import { snapshotFor } from "../workflow/reading.ts";
import { connectionWords, fileWords, valued } from "./command-words.ts";
import { Context, valueOrFailure } from "./context.ts";
import { diffText } from "./diff-text.ts";
import { CONNECTION, type ConnectionFlags, VALUES } from "./flags.ts";
import type { Io } from "./io.ts";
import { collectNames, commandOf, type FlagsOf, option } from "./options.ts";
import { refuseMissing } from "./organizations/run.ts";
import { promptsOf } from "./prompts.ts";
import { editFiles } from "./write-files.ts";

const ADOPT = [
  ...CONNECTION,
  ...VALUES,
  option("--file <file>", "the organization as it should be", { default: "realm.yaml" }),
  option("--snapshot <file>", "take from what `realmctl snapshot` wrote; needs no server"),
  option("--all", "everything that differs from the file"),
  option("--field <field>", "only this field of objects that are in the file; can be given again", {
    parse: collectNames,
    isRepeatable: true,
  }),
  option("--yes", "write without asking"),
  option("--dry-run", "only show what would be written"),
];
type AdoptFlags = FlagsOf<typeof ADOPT> & ConnectionFlags;

export function adoptCommand(io: Io): Command {
  return commandOf("adopt", ADOPT)
    .description(
      "Take the server's values into the file. Only the lines that must change do; comments stay. Changes nothing on the server.",
    )
    .argument("[addresses...]", "what to take: channel:incidents, user_group:staff, … (drift shows them), or a section")
    .action(async (addresses: readonly string[], flags: AdoptFlags) => {
      const context = new Context(io, flags, flags.file);
      refuseFile(addresses);
      if (flags.all === true && addresses.length > 0)
        throw failure("adopt/what", { cause: "all-and-named", named: quoteAll(addresses) });
      const fields = flags.field ?? [];
      // Only a server can tell whether it has a right that this version does not know.
      refuseUnknownFields(fields.filter((field) => !isRightName(field)));
      const options = { ...context.files(), kinds, snapshot: await read(context) };
      refuseUnknownFields(fields, options.snapshot);
      const choice = await beforeWriting(() => choose(context, addresses, options));
      if (choice === "cancelled") return cancel(io);
      const result =
        choice === "nothing"
          ? undefined
          : await adopt({ ...options, ...defined({ choice: choice === "all" ? undefined : choice }) });
      if (
        result === undefined ||
        [result.files, result.left, result.unsettled ?? []].every(({ length }) => length === 0)
      ) {
        io.out.write(nothingToTake(flags.file, flags.field ?? []));
        return io.setExitCode(EXIT.done);
      }
      await finish(context, result);
    });
}

/** Refuses a file name as an argument, since other commands take one. An object with such a name needs its kind: channel:notes.yaml. */
function refuseFile(addresses: readonly string[]): void {
  const file = addresses.find((address) => /^[^:]*\.ya?ml$/i.test(address));
  if (file === undefined) return;
  throw failure("adopt/what", { cause: "file", file });
}

/** Refuses fields that no object has: they would never differ, and the command would say "nothing to take". */
function refuseUnknownFields(fields: readonly string[], snapshot?: Snapshot): void {
  const others = snapshot === undefined ? [] : RIGHT_SCOPES.flatMap((scope) => otherRights(scope, snapshot));
  const known = [...new Set(["name", ...kinds.flatMap((kind) => Object.keys(kind.file.fields)), ...others])];
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, known);
  throw failure("adopt/unknown-field", { field: quote(unknown), ...defined({ meant }) });
}

async function read(context: Context<AdoptFlags>): Promise<Snapshot> {
  const files = { ...context.files(), kinds };
  await refuseMissing(context.io, context.file, context.file === "realm.yaml");
  return context.filesFirst(() =>
    context.reading(async (reader) => valueOrFailure(await snapshotFor({ ...files, reader }))),
  );
}

type Chosen = NonNullable<AdoptOptions["choice"]> | "all" | "nothing" | "cancelled";

async function choose(
  { io, flags }: Context<AdoptFlags>,
  addresses: readonly string[],
  options: AdoptOptions,
): Promise<Chosen> {
  const fields = flags.field ?? [];
  const all = await adoptable({ ...options, choice: { addresses: [], fields } });
  if (addresses.length > 0) return { addresses: addresses.flatMap((written) => addressesIn(written, all)), fields };
  // Fields that a section leaves out are taken only by name.
  const known = { ...all, unmanaged: all.unmanaged.filter(({ isPart }) => isPart !== true) };
  // A section that the file does not have is not managed: only its name brings it in.
  if (fields.length > 0 && !known.changes.some((change) => change.fields.some(({ field }) => fields.includes(field)))) {
    const leavesOut = all.unmanaged.filter(
      ({ isPart, fields: out = [] }) => isPart === true && out.some((field) => fields.includes(field)),
    );
    if (leavesOut.length > 0) return { addresses: leavesOut.map(({ address }) => address), fields };
  }
  // Also if nothing differs: a drift may find something else.
  if (flags.all === true && fields.length === 0) return "all";
  if (known.changes.length === 0 && known.unmanaged.length === 0) return "nothing";
  if (fields.length > 0) return { addresses: fieldsOf(known), fields };
  const [first] = known.changes;
  if (first === undefined && flags.yes === true) return "nothing";
  const prompts = await promptsOf(io);
  if (prompts === undefined) {
    // What the file does not mention is taken only by name, so there is nothing to ask.
    if (first === undefined) return "nothing";
    const about = { differ: known.changes.length, file: flags.file, example: quote(shortAddress(first.address)) };
    throw failure("adopt/what", { cause: "nobody-to-ask", ...about });
  }
  const choices = [
    ...known.changes.map((change) => ({ value: change.address, label: differenceLabel(change) })),
    ...known.unmanaged.map(({ address, section, name }) => ({
      value: address,
      label: notInFile(name === SINGLETON ? section : objectName(kindOf(address), name)),
    })),
  ];
  const picked = await prompts.several(
    WHAT_TO_TAKE,
    choices,
    known.changes.map(({ address }) => address),
  );
  if (picked === undefined) return "cancelled";
  return { addresses: choices.flatMap(({ value }) => (picked.includes(value) ? [value] : [])), fields };
}

/** Objects of the file and of the server that have different fields. */
function fieldsOf({ changes }: Adoptable): readonly Address[] {
  return changes.flatMap(({ action, address }) => (action === "update" ? [address] : []));
}

/** The object of an address, or those objects of a section or of a pattern that differ. @throws Failure if there is none */
function addressesIn(written: string, all: Adoptable): readonly Address[] {
  const section = kinds.find((kind) => kind.section === written && kind.shape !== "singleton");
  const pattern = section === undefined ? written : `${section.name}:*`;
  const known = all.changes.map(({ address }) => address);
  const isName = known.some((address) => address === written);
  const differ = isName ? [] : known.filter((address) => matchesWildcard(pattern, address));
  return differ.length > 0 ? differ : [addressIn(written, all)];
}

/** @throws Failure if it neither differs nor is unmanaged */
function addressIn(written: string, { changes, unmanaged }: Adoptable): Address {
  const known: readonly Address[] = [
    ...changes.flatMap(({ kind, address, was }): Address[] => [
      address,
      ...(was === undefined ? [] : [`${kind}:${was}` as const]),
    ]),
    ...unmanaged.map(({ address }) => address),
  ];
  const wanted = written.startsWith("#") ? channelAddress(written.slice(1)) : written;
  const found = known.find((address) => address === wanted);
  if (found !== undefined) return found;
  // The short form of drift: "settings", or a name that only one object has.
  const section = unmanaged.find((item) => item.fields !== undefined && item.section === written);
  if (section !== undefined) return section.address;
  const shown = changes.find((change) => change.singleton === true && changeName(change) === written);
  const [named, ...more] = known.filter((address) => nameIn(address) === written);
  const meantAlone = shown?.address ?? (more.length === 0 ? named : undefined);
  if (meantAlone !== undefined) return meantAlone;
  const guess = defined({ meant: whenDefined(meantAddress(wanted, known), quote) });
  // Fields that a section leaves out differ from nothing.
  const parts = new Set(unmanaged.flatMap(({ address, isPart }) => (isPart === true ? [address] : [])));
  const differ = known.filter((address) => !parts.has(address));
  const ways = named === undefined ? {} : { ways: quoteAll([named, ...more]) };
  const fact = { written: quote(written), known: quoteAll(differ.map(shortAddress)), ...guess, ...ways };
  throw failure("adopt/unknown-address", fact);
}

/** The address as drift shows it: for a singleton, only the section. */
function shortAddress(address: Address): string {
  return address.endsWith(`:${SINGLETON}`)
    ? (kinds.find((kind) => kind.shape === "singleton" && address === `${kind.name}:${SINGLETON}`)?.section ?? address)
    : address;
}

/** The most similar address. The kind, which all addresses share, is not compared. */
function meantAddress(written: string, known: readonly Address[]): string | undefined {
  const prefix = written.slice(0, written.indexOf(":") + 1);
  const sameKind = known.filter((address) => address.startsWith(prefix));
  if (prefix === "" || sameKind.length === 0) return didYouMean(written, known.map(shortAddress));
  const names = sameKind.map((address) => address.slice(prefix.length));
  return whenDefined(didYouMean(written.slice(prefix.length), names), (name) => `${prefix}${name}`);
}

/** Whether nothing is left of it but names that this account does not see: one line says that of all of them. */
function isOnlyUnseen({ address, fields }: Change, { open, reasons, why }: Adopted): boolean {
  const names = open?.get(address) ?? [];
  const unseen = new Set(names.flatMap(({ unresolved }) => (unresolved?.isUnseen === true ? [unresolved.field] : [])));
  return (
    unseen.size > 0 &&
    names.every(({ unresolved }) => unresolved?.isUnseen === true) &&
    fields.every(({ field }) => unseen.has(field)) &&
    why?.has(address) !== true &&
    (reasons?.get(address) ?? []).every((reason) => reason.why === "addresses-unseen")
  );
}

async function finish(context: Context<AdoptFlags>, adopted: Adopted): Promise<void> {
  const { io, flags, style } = context;
  const { files, reasons, open, why, unsettled = [], seenBy, renamed = [], unprotected = [] } = adopted;
  for (const { section, name, to } of renamed) {
    const kind = kinds.find((one) => one.section === section)?.name ?? section;
    io.out.write(calledNow(objectName(kind, name), to));
  }
  for (const { file, before, after } of files) io.out.write(`${diffText(file, before, after, style)}\n`);
  for (const pattern of unprotected) io.err.write(noLongerProtected(pattern));
  const left = adopted.left.filter((change) => !isOnlyUnseen(change, adopted));
  for (const change of left)
    io.err.write(
      notTaken(change, {
        reasons: reasons?.get(change.address) ?? [],
        order: orderOf(change),
        open: open?.get(change.address) ?? [],
        breaks: why?.get(change.address),
      }),
    );
  for (const finding of unsettled) io.err.write(notSettled(finding));
  if (seenBy?.extra?.unseen !== undefined) io.err.write(`${clean(unseenText(seenBy))}\n`);
  const main = flags.file.replaceAll("\\", "/");
  const included = files.flatMap(({ file }) => (file === main ? [] : [file]));
  const shared = await sharedFiles({ ...context.files(), file: main }, included);
  for (const { file, by } of shared) {
    const refused = error("adopt/shared-file", { file, by });
    if (flags.yes === true && flags.dryRun !== true)
      await beforeWriting(async () => {
        throw new Failure(EXIT.errors, refused);
      });
    io.err.write(alsoPartOf(refused));
  }
  if (flags.dryRun !== true && files.length > 0) {
    if (
      !(await beforeWriting(() =>
        confirmed(
          io,
          files.map(({ file }) => file),
          flags,
        ),
      ))
    )
      return cancel(io);
    await editFiles(io, new Map(files.map(({ file, after }) => [file, after])));
    const command = commandLine([
      "plan",
      ...fileWords(flags.file, flags),
      ...valued("--snapshot", flags.snapshot),
      ...connectionWords(flags),
    ]);
    io.out.write(
      wroteThese(
        files.map(({ file }) => file),
        command,
      ),
    );
  }
  io.setExitCode(left.length + unsettled.length > 0 ? EXIT.changesPending : EXIT.done);
}

/** Names in the server's order. */
function orderOf({ fields }: Change): readonly string[] {
  const [order] = fields;
  return order !== undefined && isList(order.before) ? order.before.map(String) : [];
}

async function confirmed(io: Io, files: readonly string[], { yes }: AdoptFlags): Promise<boolean> {
  if (yes === true) return true;
  const prompts = await promptsOf(io);
  if (prompts === undefined) throw failure("adopt/nobody-to-ask", {});
  return (await prompts.yes(writeThese(files))) === true;
}

/** Work after the organization was read: requests were sent, but none that changes anything. */
async function beforeWriting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof Failure) thrown.ending ??= "nothing-changed-or-written";
    throw thrown;
  }
}

function cancel(io: Io): void {
  io.err.write(NOTHING_WRITTEN);
  io.setExitCode(EXIT.appliedInPart);
}
