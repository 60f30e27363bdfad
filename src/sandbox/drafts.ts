import type { JsonObject } from "../model/json.ts";
import { accessibleChannel } from "./access.ts";
import { type Call, only } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError, missingArgument, notFound } from "./errors.ts";
import { normalizedContent } from "./messages/posting.ts";
import { checkActive, peopleById } from "./messages/send.ts";
import { truncateTopic } from "./messages/topics.ts";
import {
  checkInCalendar,
  int,
  json,
  list,
  maybe,
  object,
  oneOf,
  optional,
  type Schema,
  string,
  text,
} from "./params.ts";
import type { User } from "./rows/accounts.ts";
import type { Draft } from "./rows/messages.ts";
import { rows } from "./rows/values.ts";
import { type RealmState, settingOf } from "./state.ts";

/** Drafts, which the server keeps for all devices of a person (api.md operation 9, zulip-api.md §16.3). */

const timestamp: Schema<number | null> = (value, path) => {
  if (value === null || (typeof value === "number" && Number.isFinite(value))) return value;
  return int()(value, `${path}["int"]`);
};
const draftData = object(
  {
    type: oneOf("private", "stream", ""),
    to: list(int()),
    topic: string(),
    content: string({ notBlank: true, strip: true }),
    timestamp: maybe(timestamp),
  },
  { closed: true, otherwise: (path) => `Invalid ${path}: Input should be a valid dictionary or instance of DraftData` },
);
type DraftData = ReturnType<typeof draftData>;

/** Whether the account keeps drafts is checked before the parameters. */
function checkSynchronizes({ state, user }: Call): void {
  if (settingOf(state, user, "enable_drafts_synchronization") !== true)
    throw new ApiError("User has disabled synchronizing drafts.");
}

/** The stored form. It keeps the fraction of the time, by which drafts are sorted. @throws ApiError */
function checked(call: Call, sent: DraftData): Omit<Draft, "id" | "user_id"> {
  const content = normalizedContent(sent.content);
  const time = sent.timestamp ?? thisMoment(call);
  if (time < 0) throw new ApiError("Timestamp must not be negative.");
  checkInCalendar(time);
  const stored = { content, timestamp: time };
  if (sent.type === "stream") {
    const topic = truncateTopic(sent.topic);
    if (topic.includes("\0")) throw new ApiError("Topic must not contain null bytes");
    const [channelId, another] = sent.to;
    if (channelId === undefined || another !== undefined)
      throw new ApiError("Must specify exactly 1 channel ID for channel messages");
    accessibleChannel(call, channelId, "content");
    return { ...stored, type: "stream", to: [channelId], topic };
  }
  if (sent.type === "" || sent.to.length === 0) return { ...stored, type: "", to: [], topic: "" };
  const people = peopleById(call, sent.to);
  checkActive(people);
  const others = people.map((user) => user.user_id).filter((id) => id !== call.user.user_id);
  const to = others.length === 0 ? [call.user.user_id] : others.sort((a, b) => a - b);
  return { ...stored, type: "private", to, topic: "" };
}

/** The clock of a test may stand still, but the second of two edits must still have the later time. */
function thisMoment({ state, user, server }: Call): number {
  const now = server.clock.now() / 1000;
  const others = rows(state.drafts).filter((draft) => draft.user_id === user.user_id && draft.timestamp >= now);
  const latest = Math.max(now, ...others.map((draft) => draft.timestamp).filter((time) => time < now + 1));
  return others.length === 0 ? now : latest + MICROSECOND;
}
const MICROSECOND = 0.000001;

const shown = ({ id, type, to, topic, content, timestamp: time }: Draft): JsonObject => ({
  id,
  type,
  to: [...to],
  topic,
  content,
  timestamp: Math.floor(time),
});

/** The user's drafts, the least recently edited first. */
export function shownDrafts(state: RealmState, user: User): JsonObject[] {
  return rows(state.drafts)
    .filter((draft) => draft.user_id === user.user_id)
    .sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
    .map(shown);
}

function ownDraft({ state, user }: Call, id: number): Draft {
  const draft = state.drafts[id];
  if (draft?.user_id !== user.user_id) throw notFound("Draft does not exist");
  return draft;
}

export const draftEndpoints = [
  defineEndpoint("GET /drafts", {
    handler(call) {
      checkSynchronizes(call);
      const drafts = shownDrafts(call.state, call.user);
      return { count: drafts.length, drafts };
    },
  }),
  defineEndpoint("POST /drafts", {
    params: { drafts: optional(text()) },
    handler(call, { drafts: sent }) {
      checkSynchronizes(call);
      if (sent === undefined) throw missingArgument("drafts");
      // The drafts of one call count as edited one after the other.
      const made = json(list(draftData))(sent, "drafts")
        .map((each, index) => ({ each: checked(call, each), later: each.timestamp == null ? index * MICROSECOND : 0 }))
        .map(({ each, later }): Draft => {
          const id = call.ledger.nextId("draft");
          return { id, user_id: call.user.user_id, ...each, timestamp: each.timestamp + later };
        });
      for (const draft of made) call.ledger.put(call.state.drafts, draft.id, draft);
      call.emit(only(call.user.user_id), { type: "drafts", op: "add", drafts: made.map(shown) });
      return { ids: made.map((draft) => draft.id) };
    },
  }),
  defineEndpoint("PATCH /drafts/{draft_id}", {
    params: { draft: optional(text()) },
    handler(call, { draft_id, draft: sent }) {
      checkSynchronizes(call);
      if (sent === undefined) throw missingArgument("draft");
      const data = json(draftData)(sent, "draft");
      const draft = ownDraft(call, draft_id);
      call.ledger.assign(draft, checked(call, data));
      call.emit(only(call.user.user_id), { type: "drafts", op: "update", draft: shown(draft) });
    },
  }),
  defineEndpoint("DELETE /drafts/{draft_id}", {
    handler(call, { draft_id }) {
      checkSynchronizes(call);
      ownDraft(call, draft_id);
      call.ledger.remove(call.state.drafts, draft_id);
      call.emit(only(call.user.user_id), { type: "drafts", op: "remove", draft_id });
    },
  }),
];
