import { addTo } from "../model/indexed.ts";
import { oncePer } from "../model/lazy.ts";
import type { AccessDifference } from "./difference.ts";
import { groupsIn, openedBySetting } from "./joining.ts";
import { type AccessChannel, isPrivate, opensAnew } from "./state.ts";

/** Private channels by the groups that they admit. An index, since each of thousands of groups and invitations asks which channels it opens. */
class OpenedChannels {
  private readonly names: readonly string[];
  private readonly byName: ReadonlyMap<string, number>;
  private readonly byGroup = new Map<string, number[]>();

  /** @param groupsOf the groups that a channel admits */
  constructor(
    channels: readonly AccessChannel[],
    groupsOf: (channel: AccessChannel) => readonly string[] = openedBySetting,
  ) {
    this.names = channels.map(({ name }) => name);
    this.byName = new Map(this.names.map((name, position) => [name, position]));
    for (const [position, channel] of channels.entries())
      for (const group of groupsOf(channel)) addTo(this.byGroup, group, position);
  }

  /** The names of the channels that admit one of these groups, in the order of the channels. */
  of(groups: Iterable<string>): readonly string[] {
    const found = new Set<number>();
    for (const group of groups) for (const position of this.byGroup.get(group) ?? []) found.add(position);
    return this.ordered(found);
  }
  /** Those of these channels that are among them, in their order. */
  named(names: readonly string[]): readonly string[] {
    return this.ordered(new Set(names.flatMap((name) => this.byName.get(name) ?? [])));
  }
  private ordered(positions: ReadonlySet<number>): readonly string[] {
    return [...positions].sort((a, b) => a - b).flatMap((position) => this.names[position] ?? []);
  }
}

/**
 * The channels that a plan leaves private: before the plan, after it, and those of the latter that exist already, also if the plan makes them private.
 * Computed once for a plan. Archived ones are among them: whom they admit can subscribe, and then read them. One that the plan takes out of the archive, or
 * whose history it shares, opens nothing before it: what it opens counts then.
 */
export const openedIn = oncePer(({ before, after }: AccessDifference) => {
  const existing = [...before.channels()].flatMap((channel) => {
    const then = after.channel(channel.name);
    return then !== undefined && isPrivate(then) ? [{ channel, then }] : [];
  });
  return {
    before: new OpenedChannels(
      existing.flatMap(({ channel, then }) => (isPrivate(channel) && !opensAnew(channel, then) ? [channel] : [])),
    ),
    after: new OpenedChannels([...after.channels()].filter(isPrivate)),
    existing: new OpenedChannels(existing.map(({ then }) => then)),
  };
});

const administratorsIn = ({ settings }: AccessChannel): readonly string[] =>
  groupsIn(settings.get("can_administer_channel_group"));

/** The channels that a plan finds, by the groups whose members administer them: before the plan, and after it. */
export const administeredIn = oncePer(({ before, after }: AccessDifference) => {
  const existing = [...before.channels()];
  return {
    before: new OpenedChannels(existing, administratorsIn),
    after: new OpenedChannels(
      existing.flatMap(({ name }) => after.channel(name) ?? []),
      administratorsIn,
    ),
  };
});
