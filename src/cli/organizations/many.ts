import { defined } from "../../model/defined.ts";
import { EXIT, error, Failure, failIfAny, failure } from "../../model/diagnostic.ts";
import type { OrganizationRow, OrganizationSummary } from "../../model/organizations.ts";
import {
  eventOfOrganization,
  highestOf,
  organizationHeading,
  organizationsEvent,
  renderOrganizations,
} from "../../report/organizations.ts";
import { cleanJson } from "../../report/style.ts";
import { organizationsText } from "../../report/waiting.ts";
import { showWhileWaiting, timeLeft } from "../connect.ts";
import { Context, EXIT_BUG, reportBug, showFailure } from "../context.ts";
import { type Io, type Output, runIo, STANDARD_INPUT } from "../io.ts";
import { inShard, type OrganizationFile, organizationOf, organizationsIn } from "./files.ts";
import { errorCodes, type Flags, NO_COUNTS, type OrganizationOutcome, type Work } from "./work.ts";

/**
 * The default number of organizations at once. Most of the time of one is the wait for its server, so that four would leave the processor idle; with
 * sixteen, answers that take 200 ms arrive as fast as they can be worked on (bench/README.md).
 */
const JOBS = 16;
/** How many characters of output may wait until the output of an earlier organization was shown; then no further one starts. */
const MOST_WAITING = 16_000_000;

/** A command over several organizations: each separately, and a table of them all. */
export async function overMany<F extends Flags>(context: Context<F>, work: Work<F>): Promise<void> {
  const { io, flags, style } = context;
  const { paths, talks, command } = work;
  refuseForOne(flags, work);
  const found = await organizationsIn(io, paths);
  const files = flags.shard === undefined ? found.files : inShard(found.files, flags.shard);
  if (work.isAsked === true) refuseUnaskable(io, flags, files.length);
  const [nameless] = talks ? files.filter(({ realm, causes }) => realm === undefined && causes === undefined) : [];
  if (nameless !== undefined) {
    const plan = files.find(({ file }) => file.endsWith(".plan"))?.file;
    throw failure("organizations/no-realm", { file: nameless.file, ...defined({ plan }) });
  }
  const writer = writerOf(context, work);
  const stop = new AbortController();
  const stopListening = command === "apply" ? io.onInterrupt(() => stop.abort()) : () => {};
  const atWork = new Set<string>();
  let done = 0;
  const isLive = work.isAsked === true;
  const isSilent = isLive || flags.quiet === true;
  const endWaiting = isSilent
    ? () => {}
    : showWhileWaiting(io, () => organizationsText(done, files.length, [...atWork]));
  const limited = new Context(io, { ...flags, isShownLater: !isLive });
  try {
    const jobs = flags.jobs ?? (command === "apply" ? 1 : JOBS);
    const summaries = await resultsInOrder(files, jobs, {
      async work(organization, freed) {
        if (stop.signal.aborted || timeLeft(io, flags)?.leftMs === 0) return notStarted(organization);
        atWork.add(organization.file);
        const to = isLive ? stop : writer.begin?.(organization);
        const outcome = await runOne(limited, work, organization, freed, to);
        atWork.delete(organization.file);
        done += 1;
        return outcome;
      },
      done: (outcome) => writer.one(outcome),
    });
    writer.end(summaries, found.passedOver);
    if (flags.format === "text") io.out.write(renderOrganizations(summaries, { style, passedOver: found.passedOver }));
    io.setExitCode(highestOf(summaries));
  } finally {
    endWaiting();
    stopListening();
  }
}

/** Refuses an apply that cannot ask about each organization: that needs a terminal, and one organization after the other. */
function refuseUnaskable(io: Io, { format, jobs = 1 }: Flags, organizations: number): void {
  const why = !io.inputIsTTY ? "no-terminal" : format !== "text" ? "format" : jobs > 1 ? "jobs" : undefined;
  if (why !== undefined) throw failure("organizations/unasked", { organizations, why });
}

function refuseForOne<F extends Flags>(flags: Flags, { paths, forOne }: Work<F>): void {
  const options = [
    ...forOne,
    flags.site !== undefined && "--site",
    flags.email !== undefined && "--email",
    flags.key !== undefined && "--key",
    paths.includes(STANDARD_INPUT) && "-",
    !["text", "json", "jsonl", "github"].includes(flags.format) && `--format ${flags.format}`,
  ].filter((option) => option !== false);
  failIfAny(
    EXIT.errors,
    options.map((option) => error("organizations/for-one", { option })),
  );
}

interface Outcome {
  readonly summary: OrganizationRow;
  readonly out: string;
  readonly err: string;
}

/**
 * One organization from its file to its output; whatever happens there, the others continue.
 * @param freed called when only the end of its connection is missing: another one may start
 * @param to the stream for its standard output; for one that is asked about, what cancelling its question ends
 */
async function runOne<F extends Flags>(
  { io, flags, style }: Context<F>,
  work: Work<F>,
  organization: OrganizationFile,
  freed: () => void,
  to?: Output | AbortController,
): Promise<Outcome> {
  const { file } = organization;
  const realm = organization.realm ?? null;
  const out: string[] = [];
  const err: string[] = [];
  let exit_code: number = EXIT.done;
  const own = runIo({
    ...io,
    ...(to instanceof AbortController ? asked(io, to) : unasked(io, to ?? captured(io.out, out), err)),
    setExitCode: (code) => {
      exit_code = code;
    },
  });
  if (to instanceof AbortController) io.out.write(organizationHeading({ file, realm }, style));
  let outcome: OrganizationOutcome = NO_COUNTS;
  let codes: readonly string[] = [];
  try {
    failIfAny(EXIT.errors, organization.causes ?? []);
    const wanted = organizationOf(own, organization, true);
    outcome = (await work.one(new Context(own, { ...flags, organization: wanted }, file))) ?? outcome;
    codes = outcome.codes ?? [];
    freed();
    await outcome.closed;
  } catch (thrown) {
    if (thrown instanceof Failure) {
      codes = errorCodes(thrown.diagnostics);
      await showFailure(new Context(own, flags), thrown);
    } else {
      reportBug(own, thrown);
      exit_code = EXIT_BUG;
    }
  }
  if (to instanceof AbortController) io.out.write("\n");
  const { changes, uncompared, risks, guards, isDeclined } = outcome;
  const summary = {
    file,
    realm,
    exit_code,
    started: true,
    changes,
    uncompared,
    risks,
    guards,
    codes: [...new Set(codes)],
  };
  return { summary: isDeclined === true ? { ...summary, isDeclined } : summary, out: out.join(""), err: err.join("") };
}

type OwnIo = Pick<Io, "out" | "err" | "inputIsTTY" | "ask">;

function unasked(io: Io, out: Output, err: string[]): OwnIo {
  // Output that is shown later must not overwrite lines.
  return { out, err: { ...captured(io.err, err), isTTY: false }, inputIsTTY: false, ask: async () => undefined };
}

/** The process for organizations that are asked about: Ctrl-C at a question cancels all of them. */
function asked(io: Io, all: AbortController): OwnIo {
  return {
    out: io.out,
    err: io.err,
    inputIsTTY: io.inputIsTTY,
    async ask(question) {
      if (all.signal.aborted) return undefined;
      const answer = await io.ask(question);
      if (answer === undefined) all.abort();
      return answer;
    },
  };
}

function notStarted({ file, realm: url }: OrganizationFile): Promise<Outcome> {
  const realm = url ?? null;
  const summary = { file, realm, exit_code: EXIT.appliedInPart, started: false, ...NO_COUNTS, codes: [] };
  return Promise.resolve({ summary, out: "", err: "" });
}

function captured({ isTTY, columns }: Output, into: string[]): Output {
  return { isTTY, columns, write: (text) => into.push(text) };
}

interface Steps<Item> {
  /** Does the work for one item. Calls `freed` if another item may start before this one has ended. */
  work(item: Item, freed: () => void): Promise<Outcome>;
  done(outcome: Outcome): void;
}

/** Works on a limited number of items at once. The results are in the order of the items, and only summaries are kept. */
async function resultsInOrder<Item>(
  items: readonly Item[],
  jobs: number,
  { work, done }: Steps<Item>,
): Promise<readonly OrganizationRow[]> {
  const summaries: OrganizationRow[] = [];
  const finished = new Map<number, Outcome>();
  let waiting = 0;
  let running = 0;
  let next = 0;
  const show = (outcome: Outcome): void => {
    done(outcome);
    finished.delete(summaries.length);
    waiting -= lengthOf(outcome);
    summaries.push(outcome.summary);
  };
  await new Promise<void>((resolve, reject) => {
    const start = (index: number, item: Item): void => {
      let isFree = false;
      const freed = (): void => {
        if (isFree) return;
        isFree = true;
        running -= 1;
        startMore();
      };
      const ended = (outcome: Outcome): void => {
        finished.set(index, outcome);
        waiting += lengthOf(outcome);
        for (let first = finished.get(summaries.length); first !== undefined; first = finished.get(summaries.length))
          show(first);
        if (summaries.length === items.length) resolve();
        freed();
        startMore();
      };
      running += 1;
      work(item, freed).then(ended).catch(reject);
    };
    // They start in order, so the one whose output is to come first is always at work: nothing waits for something that waits.
    const startMore = (): void => {
      while (running < jobs && next < items.length && waiting <= MOST_WAITING) {
        const index = next;
        const item = items[index];
        next += 1;
        if (item !== undefined) start(index, item);
      }
    };
    startMore();
    if (items.length === 0) resolve();
  });
  return summaries;
}

const lengthOf = ({ out, err }: Outcome): number => out.length + err.length;

interface Writer {
  /** The stream for the output of one organization. Without it, the output is shown as a whole when its turn comes. */
  begin?(organization: OrganizationFile): Output;
  one(outcome: Outcome): void;
  end(summaries: readonly OrganizationSummary[], passedOver: readonly string[]): void;
}

function writerOf<F extends Flags>(context: Context<F>, { command, isAsked }: Work<F>): Writer {
  const { flags } = context;
  // A person who was asked has already seen the whole output.
  if (isAsked === true) return { one: () => {}, end: () => {} };
  if (flags.format === "json") return jsonWriter(context, command);
  return flags.format === "jsonl" ? eventWriter(context) : textWriter(context);
}

/** A line for each event, as it happens, with the name of its organization. */
function eventWriter({ io, errStyle }: Context): Writer {
  return {
    begin: ({ file, realm = null }) => ({
      isTTY: false,
      columns: undefined,
      write(text) {
        for (const line of text.split("\n")) if (line !== "") io.out.write(eventOfOrganization(line, { file, realm }));
      },
    }),
    one({ summary, err }) {
      if (err !== "") io.err.write(`${organizationHeading(summary, errStyle)}${err}`);
    },
    end: (summaries, passedOver) => io.out.write(organizationsEvent(summaries, { now: io.now(), passedOver })),
  };
}

/** Each organization below a heading; with --quiet only those that failed. */
function textWriter({ io, flags, style, errStyle }: Context<Flags>): Writer {
  return {
    one({ summary, out, err }) {
      const isFine = summary.exit_code === EXIT.done || summary.exit_code === EXIT.changesPending;
      if ((flags.quiet === true && isFine) || !summary.started) return;
      // Annotations are read line by line by a program.
      if (flags.format === "text" && out !== "") io.out.write(organizationHeading(summary, style));
      io.out.write(out);
      if (err !== "" && !(out !== "" && io.out.isTTY && io.err.isTTY))
        io.err.write(organizationHeading(summary, errStyle));
      io.err.write(err);
      if (flags.format === "text" && out !== "") io.out.write("\n");
    },
    end: () => {},
  };
}

/** One document, written as the organizations finish. */
function jsonWriter({ io, errStyle }: Context, command: string): Writer {
  let isFirst = true;
  const head = { format: "realmctl.organizations", version: 1, command };
  io.out.write(`${JSON.stringify(head).slice(0, -1)},"organizations":[`);
  return {
    one({ summary, out, err }) {
      const report: unknown = out === "" ? null : JSON.parse(out);
      io.out.write(`${isFirst ? "" : ","}\n${cleanJson(JSON.stringify({ ...summary, report }))}`);
      isFirst = false;
      if (err !== "") io.err.write(`${organizationHeading(summary, errStyle)}${err}`);
    },
    end(summaries, passed_over) {
      io.out.write(
        `\n],"passed_over":${cleanJson(JSON.stringify(passed_over))},"exit_code":${highestOf(summaries)}}\n`,
      );
    },
  };
}
