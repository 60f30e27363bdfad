import type { Diagnostic, WordedDiagnostic } from "../../model/diagnostic.ts";
import type { DeclaredObject, PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { foldCase } from "../names.ts";
import { accountThatRuns, problem } from "../problems.ts";

const isPrivate = (privacy: unknown): boolean => typeof privacy === "string" && privacy.startsWith("private");

/** A default channel that the same file makes private or archives: both places are shown. */
export function checkDefaultsInFile(
  declared: readonly DeclaredObject[],
  section: (name: string) => readonly DeclaredObject[],
): readonly WordedDiagnostic[] {
  const channels = new Map(section("channels").map((channel) => [channel.key, channel]));
  return declared.flatMap((item) => {
    const channel = item.absent ? undefined : channels.get(item.key);
    return channel === undefined ? [] : conflicts(item, channel);
  });
}

function conflicts(item: DeclaredObject, channel: DeclaredObject): readonly WordedDiagnostic[] {
  const notes = [{ at: item.at, message: "made default here" }];
  const hint = "take it out of default_channels";
  if (channel.absent) {
    const at = channel.spans.archived ?? channel.at;
    return [{ ...problem("default_channels/archived", "a default channel cannot be archived", hint, at), notes }];
  }
  if (!isPrivate(channel.fields.privacy)) return [];
  const at = channel.spans.privacy ?? channel.at;
  const message = "a default channel cannot be private";
  return [{ ...problem("default_channels/private", message, `${hint}, or make it public`, at), notes }];
}

export function checkDefaults(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const [first] = changes;
  if (first !== undefined && !context.realm.isAdmin) {
    const message = `${accountThatRuns(context)} may not change default channels`;
    const hint = "it has to be an administrator of the organization";
    problems.push(problem("default_channels/not-allowed", message, hint, first.at));
  }
  for (const change of changes.filter(({ action }) => action === "create")) {
    const key = foldCase(change.name);
    const pair = context.pairs("channels").find(({ live, declared }) => (declared?.key ?? live?.key) === key);
    const after = pair?.change?.fields.find(({ field }) => field === "privacy")?.after ?? pair?.live?.fields.privacy;
    if (!isPrivate(after)) continue;
    const message = `#${change.name} is private, and a default channel cannot be`;
    const hint = "make it public under channels, or take it out of the default channels";
    problems.push(problem("default_channels/private", message, hint, change.at));
  }
  return problems;
}
