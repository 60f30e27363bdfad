import { Lines } from "../../../src/apply/journal-lines.ts";
import type { ApplyOptions } from "../../../src/apply/options.ts";
import { defined } from "../../../src/model/defined.ts";
import type { Answer, WireCall } from "../../../src/model/journal.ts";
import type { Json } from "../../../src/model/json.ts";
import type { MapKind } from "../../../src/model/kind.ts";
import { type Call, type Change, type FieldChange, PLAN_VERSION, type Plan } from "../../../src/model/plan.ts";
import type { Snapshot, SnapshotChannel } from "../../../src/model/snapshot.ts";
import { PLAIN } from "../model/plain-kind.ts";

/** A kind with two fields, kept in the snapshot's channels. `apply` knows no real kinds, so its tests do not use them either. */
export const thing: MapKind = {
  ...PLAIN,
  name: "thing",
  section: "things",
  noun: ["thing", "things"],
  identity: { keyOf: (name) => name.toUpperCase() },
  live: {
    read: (realm) =>
      realm.snapshot.channels.map(({ stream_id, name, description, is_archived }) => ({
        key: name.toUpperCase(),
        name,
        id: stream_id,
        fields: { name, description },
        inactive: is_archived,
      })),
  },
};

export function channel(id: number, name: string, description: string): SnapshotChannel {
  return {
    stream_id: id,
    name,
    description,
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    is_archived: false,
    message_retention_days: null,
    creator_id: null,
    date_created: 0,
  };
}

export function snapshotOf(channels: readonly SnapshotChannel[]): Snapshot {
  return {
    format: "realmctl.snapshot",
    version: 1,
    taken_at: "2026-01-01T00:00:00Z",
    server: { zulip_version: "12.0", feature_level: 442 },
    realm: { url: "https://chat.example.org", name: "Example" },
    account: { user_id: 1, email: "bot@example.org", full_name: "Bot", role: 200, is_bot: true },
    permission_settings: null,
    settings: {},
    users: [],
    user_groups: [],
    channels: [...channels],
    default_channels: null,
    channel_folders: null,
    linkifiers: null,
    domains: null,
    navigation_views: null,
    subscribers: null,
    invites: null,
  };
}

/** A server with things in it. Each hook may change what happens to one request; `edit` is a change by somebody else. */
export class ToyServer {
  things: SnapshotChannel[];
  readonly sent: WireCall[] = [];
  reads = 0;
  /**
   * Called before the n-th request (from 1) is carried out. If it returns an answer, that is the answer; with `lost`, the request is carried out and
   * its answer is lost.
   */
  onSend: (n: number, call: WireCall) => Answer | "lost" | undefined = () => undefined;
  onRead: (n: number) => void = () => {};

  constructor(...things: SnapshotChannel[]) {
    this.things = things;
  }

  edit(id: number, change: Partial<SnapshotChannel>): void {
    this.things = this.things.map((item) => (item.stream_id === id ? { ...item, ...change } : item));
  }

  read(): Promise<Snapshot> {
    this.reads += 1;
    this.onRead(this.reads);
    return Promise.resolve(snapshotOf(this.things));
  }

  send(call: WireCall): Promise<Answer> {
    this.sent.push(call);
    const instead = this.onSend(this.sent.length, call);
    if (instead !== undefined && instead !== "lost") return Promise.resolve(instead);
    const answer = this.carryOut(call);
    return Promise.resolve(
      instead === "lost"
        ? { outcome: "unknown", reason: { is: "no-answer", why: { quoted: "the connection was reset" } } }
        : answer,
    );
  }

  private carryOut({ operation, path, params }: WireCall): Answer {
    const id = Number(path.id);
    switch (operation) {
      case "make": {
        const made = 100 + this.things.length;
        this.things.push(channel(made, String(params.name), String(params.description ?? "")));
        return { outcome: "applied", body: { id: made } };
      }
      case "make-many": {
        for (const name of Array.isArray(params.names) ? params.names : [])
          this.things.push(channel(100 + this.things.length, String(name), ""));
        return { outcome: "applied", body: {} };
      }
      case "remove":
        this.edit(id, { is_archived: true });
        return { outcome: "applied", body: {} };
      default: {
        const { name, description, old } = params;
        if (old !== undefined && old !== this.things.find((item) => item.stream_id === id)?.description)
          return { outcome: "refused", status: 400, code: "EXPECTATION_MISMATCH", message: "mismatch", details: {} };
        this.edit(id, {
          ...defined({
            name: name === undefined ? undefined : String(name),
            description: description === undefined ? undefined : String(description),
          }),
        });
        return { outcome: "applied", body: {} };
      }
    }
  }
}

export const field = (name: string, before: Json, after: Json): FieldChange => ({ field: name, before, after });

export function change(name: string, id: number | undefined, ...fields: readonly FieldChange[]): Change {
  const about = thingChange(name, fields);
  return id === undefined ? { action: "create", ...about } : { action: "update", id, ...about };
}

export function renaming(name: string, id: number, was: string): Change {
  return { action: "update", id, was, ...thingChange(name, [field("name", was, name)]) };
}

export function removal(name: string, id: number | undefined, ...fields: readonly FieldChange[]): Change {
  return { action: "remove", ...thingChange(name, fields), ...defined({ id }) };
}

export function reorder(before: readonly string[], after: readonly string[]): Change {
  return { action: "reorder", ...thingChange("*", [field("order", before, after)]) };
}

function thingChange(
  name: string,
  fields: readonly FieldChange[],
): Omit<Change, "action" | "was" | "id" | "undeclared" | "singleton"> {
  return { kind: "thing", address: `thing:${name}`, name, fields, risks: [] };
}

type CallText = Partial<Call> & Pick<Call, "n" | "operation" | "for">;
export const call = (text: CallText): Call => ({ path: {}, params: {}, expects: [], after: [], creates: [], ...text });

/** A call that sets one field of one thing and relies on the value before. */
export function set(
  n: number,
  id: number,
  name: string,
  on: string,
  before: Json,
  after: Json,
  more: Partial<Call> = {},
): Call {
  return call({
    n,
    operation: "change",
    path: { id },
    params: { [on]: String(after) },
    for: [{ address: `thing:${name}`, fields: [on] }],
    expects: [{ address: `thing:${name}`, id, field: on, value: before }],
    ...more,
  });
}

export function planOf(changes: readonly Change[], calls: readonly Call[]): Plan {
  return {
    format: "realmctl.plan",
    version: PLAN_VERSION,
    tool_version: "test",
    snapshot_taken_at: "2026-01-01T00:00:00Z",
    realm: { url: "https://chat.example.org", name: "Example" },
    server: { zulip_version: "12.0", feature_level: 442 },
    account: { email: "bot@example.org", full_name: "Bot", role: 200, is_bot: true },
    changes,
    calls,
    least_calls: calls.length,
    matches: {},
    unmanaged: [],
    guards: [],
    warnings: [],
    side_effects: { emails: 0, notices_in: [] },
  };
}

/** Options that talk to a toy server; `lines` is the journal. */
export function toyOptions(
  server: ToyServer,
  more: Partial<ApplyOptions> = {},
): ApplyOptions & { readonly lines: string[] } {
  const lines: string[] = [];
  const writer = new Lines();
  return {
    send: (wire) => server.send(wire),
    read: () => server.read(),
    kinds: [thing],
    openJournal: () => ({
      path: "test.jsonl",
      write: (entry) => lines.push(writer.line(entry).trimEnd()),
      close: () => {},
    }),
    now: () => 0,
    mayRepeat: () => true,
    ...more,
    lines,
  };
}
