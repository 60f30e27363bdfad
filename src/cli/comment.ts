import type { Command } from "commander";
import { keepComment, markerOf, placeOf, siteOf } from "../hosts/keep-comment.ts";
import { kinds } from "../kinds/registry.ts";
import { EXIT, Failure } from "../model/diagnostic.ts";
import type { CommentHost } from "../model/diagnostics/hosts.ts";
import { withoutTrailingSlashes } from "../model/texts.ts";
import { ALL_CHANGES, cannotPlanNow, commentKept, JOBS_LOG, SHOWN_BY } from "../report/commands/files.ts";
import { isRedacted, renderPlanMarkdown } from "../report/markdown.ts";
import { NO_REDACTION, redactionOf, redactPlan } from "../report/redact.ts";
import { knownTexts } from "../source/known-texts.ts";
import { readSavedPlan, type SavedPlan } from "../workflow/saved.ts";
import { openTransport } from "./connect.ts";
import { Context } from "./context.ts";
import { OUTPUT, timeOfAnswer } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";

const COMMENT = [
  ...OUTPUT,
  option("--to <host>", "the host of the merge request or pull request", {
    choices: ["gitlab", "forgejo", "gitea"],
    isMandatory: true,
  }),
  option("--failed", "say that the file cannot be planned, so that no older plan stands there (needs ZULIP_SITE)"),
  option(
    "--show-private-names",
    "show names of private channels and people too: if everybody who reads the comment may know them",
  ),
  option(
    "--timeout <time>",
    "how long each answer may take, such as 90s or 5m; a number alone means seconds (default: 30s)",
    { parse: timeOfAnswer },
  ),
];
type CommentFlags = FlagsOf<typeof COMMENT> & { readonly to: CommentHost };

/** The maximum length of a comment. GitLab accepts more, but nobody would read it. */
const MOST_TEXT = 60_000;
const DEFAULT_TIMEOUT_SECONDS = 30;

export function commentCommand(io: Io): Command {
  return commandOf("comment", COMMENT)
    .description(
      "Keep one comment with a saved plan on the job's merge request or pull request: write it, or edit it if it exists. Hides names of private channels, and addresses that are not in the files. Reads the token from REALMCTL_TOKEN.",
    )
    .argument("<file>", "what `realmctl plan --out` wrote; with --failed, the file that was to be planned")
    .action(async (file: string, flags: CommentFlags) => {
      const context = new Context(io, flags, file);
      const saved = flags.failed === true ? undefined : await readSavedPlan(await context.input(file, "plan"), file);
      const event = io.env.GITHUB_EVENT_PATH;
      const text = flags.to === "gitlab" || event === undefined ? undefined : await context.input(event, "event");
      const place = placeOf(flags.to, io.env, text);
      const markers = markersOf(flags.to, io.env, saved, file);
      const said = saved === undefined ? cannotPlanNow(file) : commentText(saved, flags.showPrivateNames === true);
      const { send, close } = await openTransport(io, flags.timeout ?? DEFAULT_TIMEOUT_SECONDS, {
        maxResponseBytes: 16 * 2 ** 20,
      });
      try {
        const fate = await keepComment(send, place, markers, said);
        io.out.write(commentKept(fate));
      } catch (error) {
        if (error instanceof Failure) error.ending ??= "nothing-written";
        throw error;
      } finally {
        await close();
      }
      io.setExitCode(EXIT.done);
    });
}

/** A comment has the marks of the organization's own address and of the one that the job knows: without a plan, only the latter is known. */
function markersOf(host: CommentHost, env: Io["env"], saved: SavedPlan | undefined, file: string): readonly string[] {
  const own = saved === undefined ? [siteOf(host, env)] : [saved.plan.realm.url, env.ZULIP_SITE ?? ""];
  const sites = own.filter((site) => site !== "").map(withoutTrailingSlashes);
  return [...new Set(sites)].map((site) => markerOf(site, saved?.inputs.file ?? file));
}

function commentText({ plan, planned, inputs }: SavedPlan, showsNames: boolean): string {
  const known = knownTexts(inputs.files.map(({ text }) => text));
  const hide = { privateNames: true, invitations: true, people: true, known };
  const redaction = showsNames ? NO_REDACTION : redactionOf([plan], planned.snapshot, hide, kinds);
  const shown = redactPlan(plan, redaction);
  return renderPlanMarkdown({
    plan: shown,
    origin: { mine: [], earlier: shown.changes, adopted: [] },
    notCompared: ALL_CHANGES,
    budget: MOST_TEXT,
    elsewhere: JOBS_LOG,
    shownBy: SHOWN_BY,
    hides: isRedacted(plan, shown),
  });
}
