import type { Path, Span } from "../../model/diagnostic.ts";
import type { DecodeContext } from "../../model/kind.ts";
import { byText } from "../../model/realm.ts";
import { didYouMean } from "../../model/suggest.ts";
import { channelsIn } from "../channels-by-name.ts";
import { foldCase, strip } from "../names.ts";
import { resolveGroup, warnOfSlip } from "../references.ts";

/** Channels by the names that they have or get; what cannot be found is reported and left out. Sorted, each once. */
export function resolveChannels(names: readonly string[], context: DecodeContext): readonly string[] {
  const found = names.flatMap((name, index) => resolveChannel(name, index, context) ?? []);
  return [...new Set(found)].sort(byText);
}

function resolveChannel(written: string, index: number, context: DecodeContext): string | undefined {
  const { realm } = context;
  const name = strip(written);
  const key = foldCase(name);
  const declared = context.declaredNames?.("channel") ?? [];
  if (context.declares("channel", key)) return context.declaredName?.("channel", key) ?? name;
  const leaves = context.putAwayAt?.("channel", key);
  if (leaves !== undefined) {
    return putAway(name, ["channels", index], leaves, context);
  }
  if (realm === undefined) {
    warnOfSlip("channel", name, ["channels", index], context);
    return name;
  }
  const { byKey, active } = channelsIn(realm);
  const channel = byKey.get(key);
  const renamed = channel === undefined ? undefined : context.renamedTo?.("channel", key, channel.stream_id);
  if (channel !== undefined && renamed !== undefined) {
    context.problem(["channels", index], {
      code: "reference/renamed",
      message: `this file renames the channel "${channel.name}" to "${renamed}"`,
      hint: `write "${renamed}" here too`,
    });
    return undefined;
  }
  if (channel !== undefined && !channel.is_archived) return channel.name;
  if (channel !== undefined) {
    context.problem(["channels", index], {
      code: "invites/archived-channel",
      message: `the channel "${channel.name}" is archived`,
      hint: "nobody can be invited to it: take it out, or bring it back under channels (archived: false)",
    });
    return undefined;
  }
  const bare = name.replace(/^#/, "");
  const meant = active.includes(bare) ? bare : didYouMean(name, [...declared, ...active], context.patience);
  context.problem(["channels", index], {
    code: "invites/unknown-channel",
    message: `there is no channel "${name}" here`,
    hint: meant === undefined ? "make it under channels, or take it out" : `did you mean "${meant}"?`,
  });
  return undefined;
}

/** Invitations go out last: what the same file puts away is gone by then. */
function putAway(name: string, path: Path, at: Span, context: DecodeContext): undefined {
  context.problem(path, {
    code: "invites/put-away",
    message: `this same file puts ${name} away, and nobody can be invited to it then`,
    hint: "take it out of the invitation, or leave it in use",
    notes: [{ at, message: "put away here" }],
  });
}

/** Groups that people can be made members of: not the roles, which `invite_as` gives. Sorted, each once. */
export function resolveGroups(names: readonly string[], context: DecodeContext): readonly string[] {
  const found = names.flatMap((name, index) => {
    const leaves = context.putAwayAt?.("user_group", name);
    if (leaves !== undefined) return putAway(name, ["groups", index], leaves, context) ?? [];
    if (!name.startsWith("role:")) return resolveGroup(name, ["groups", index], context) ?? [];
    context.problem(["groups", index], {
      code: "invites/system-group",
      message: `${name} is a role, and nobody can be made a member of that`,
      hint: "invite_as says which role people join with",
    });
    return [];
  });
  return [...new Set(found)].sort(byText);
}
