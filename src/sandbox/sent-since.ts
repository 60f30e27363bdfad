import { defined } from "../model/defined.ts";
import { type Quoted, quote } from "../model/diagnostics/values.ts";
import type { Rehearsal } from "../model/rehearsal.ts";
import { rows } from "./rows/values.ts";
import type { RealmState } from "./state.ts";

/** The notices, direct messages and e-mails that an organization has sent since the function was called, with their receivers. */
export function sentSince(state: RealmState): () => Pick<Rehearsal, "notices" | "direct" | "mails"> {
  const invited = new Set(state.invites.map(({ id, is_multiuse }) => `${is_multiuse} ${id}`));
  const known = new Set(rows(state.messages).map(({ id }) => id));
  return () => {
    const sent = rows(state.messages).filter(({ id }) => !known.has(id));
    const notices = new Map<string, { channel: Quoted; messages: number; people: number }>();
    for (const { channel_id, received_by } of sent) {
      const channel = channel_id === null ? undefined : state.channels[channel_id]?.name;
      if (channel === undefined) continue;
      const one = notices.get(channel) ?? { channel: quote(channel, "channel"), messages: 0, people: 0 };
      one.messages += 1;
      one.people = Math.max(one.people, received_by.length);
      notices.set(channel, one);
    }
    const people = new Set(
      sent.flatMap(({ channel_id, to, sender_id }) => (channel_id === null ? to.filter((id) => id !== sender_id) : [])),
    );
    const mails = state.invites.flatMap(({ id, is_multiuse, email }) =>
      is_multiuse || email === null || invited.has(`${is_multiuse} ${id}`) ? [] : [quote(email)],
    );
    return {
      notices: [...notices.values()],
      direct: [...people].map((user_id) => {
        const full_name = state.users[user_id]?.full_name;
        return { user_id, ...defined({ full_name }) };
      }),
      mails,
    };
  };
}
