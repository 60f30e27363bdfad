import { openedBySetting } from "./joining.ts";
import type { PlanAccess } from "./of-plan.ts";
import { type AccessChannel, isPrivate } from "./state.ts";

/** Private channels with the groups that they admit. They are looked up: each of thousands of groups and invitations asks which ones it opens. */
class OpenedChannels {
  private readonly names: readonly string[];
  private readonly byName: ReadonlyMap<string, number>;
  private readonly byGroup = new Map<string, number[]>();

  constructor(channels: readonly AccessChannel[]) {
    this.names = channels.map(({ name }) => name);
    this.byName = new Map(this.names.map((name, position) => [name, position]));
    for (const [position, channel] of channels.entries())
      for (const group of openedBySetting(channel)) {
        const list = this.byGroup.get(group);
        if (list === undefined) this.byGroup.set(group, [position]);
        else list.push(position);
      }
  }

  /** The names of those that admit one of these groups, or have one of these names, in the order of the channels. */
  of(groups: Iterable<string>, named: readonly string[] = []): readonly string[] {
    const found = new Set(named.flatMap((name) => this.byName.get(name) ?? []));
    for (const group of groups) for (const position of this.byGroup.get(group) ?? []) found.add(position);
    return [...found].sort((a, b) => a - b).flatMap((position) => this.names[position] ?? []);
  }
}

interface Opened {
  readonly before: OpenedChannels;
  readonly after: OpenedChannels;
  readonly existing: OpenedChannels;
}

const known = new WeakMap<PlanAccess, Opened>();

/**
 * Channels that a plan leaves private: as they are before it, as they are after it, and those of them that exist already, as they are after it.
 * Computed once for a plan.
 */
export function openedIn(access: PlanAccess): Opened {
  const made = known.get(access);
  if (made !== undefined) return made;
  const staysPrivate = (channel: AccessChannel): boolean => {
    const then = access.after.channel(channel.name) ?? channel;
    return !then.archived && isPrivate(then) && isPrivate(channel);
  };
  const before = [...access.before.channels()].filter(staysPrivate);
  const opened = {
    before: new OpenedChannels(before),
    after: new OpenedChannels([...access.after.channels()].filter(staysPrivate)),
    existing: new OpenedChannels(before.flatMap(({ name }) => access.after.channel(name) ?? [])),
  };
  known.set(access, opened);
  return opened;
}
