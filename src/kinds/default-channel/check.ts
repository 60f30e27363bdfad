import { type Diagnostic, error } from "../../model/diagnostic.ts";
import { type Quoted, quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { DeclaredObject } from "../../model/objects.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase } from "../names.ts";
import { pairsByKey } from "../pairs.ts";

const isPrivate = (privacy: unknown): boolean => typeof privacy === "string" && privacy.startsWith("private");

/** A default channel that the same file makes private or archives: both places are reported. */
export function checkDefaultsInFile(
  declared: readonly DeclaredObject[],
  section: (name: string) => readonly DeclaredObject[],
): readonly Diagnostic[] {
  const channels = new Map(section("channels").map((channel) => [channel.key, channel]));
  return declared.flatMap((item) => {
    const channel = item.absent ? undefined : channels.get(item.key);
    return channel === undefined ? [] : conflicts(item, channel);
  });
}

function conflicts(item: DeclaredObject, channel: DeclaredObject): readonly Diagnostic[] {
  const notes = [{ at: item.at, note: "default-here" }] as const;
  const fact = { name: channelName(channel.name), by_file: true };
  if (channel.absent)
    return [error("default_channels/archived", fact, channel.spans.of("archived") ?? channel.at, notes)];
  if (!isPrivate(channel.fields.privacy)) return [];
  return [error("default_channels/private", fact, channel.spans.of("privacy") ?? channel.at, notes)];
}

export function checkDefaults(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const [first] = changes;
  if (first !== undefined && !context.realm.isAdmin)
    diagnostics.push(error("default_channels/not-allowed", { account: runningAccount(context.snapshot) }, first.at));
  for (const change of changes.filter(({ action }) => action === "create")) {
    const key = foldCase(change.name);
    const [pair] = pairsByKey(context.pairs("channels"), key);
    const after = fieldIn(pair?.change?.fields, "privacy")?.after ?? pair?.live?.fields.privacy;
    if (!isPrivate(after)) continue;
    const { address, at } = change;
    const fact = { name: channelName(change.name), by_file: false };
    const unresolved = { kind: "channel", isGone: true, in: { address, name: change.name } } as const;
    diagnostics.push({ ...error("default_channels/private", fact, at), unresolved });
  }
  return diagnostics;
}

const channelName = (name: string): Quoted => quote(name, "channel");
