import { createHash } from "node:crypto";
import type { ZulipReader } from "../model/api.ts";
import { type FileParam, isFileParam } from "../model/file-param.ts";
import type { Answer, WireCall } from "../model/journal.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { manualClock } from "../sandbox/clock.ts";
import { stateFromSnapshot } from "../sandbox/from-snapshot.ts";
import { parseRequest } from "../sandbox/request.ts";
import { htmlResponse, NOT_FOUND_PAGE, responseOf } from "../sandbox/response.ts";
import { RunningRealm } from "../sandbox/running-realm.ts";
import type { RealmState } from "../sandbox/state.ts";
import { VERSION } from "../version.ts";
import { answerOf } from "../zulip/answer.ts";
import { createClient } from "../zulip/client.ts";
import { encodeCall } from "../zulip/encode.ts";
import { Secret } from "../zulip/secret.ts";
import { inProcess } from "../zulip/transport.ts";

/** One transparent pixel. */
const PIXEL = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const SHA256 = createHash("sha256").update(PIXEL).digest("hex");

/**
 * The call with another picture: a saved plan holds no bytes, and must be rehearsed wherever it is used. Whether a server accepts the real one is not
 * rehearsed.
 */
function withStandIns(call: WireCall): WireCall {
  const params = Object.fromEntries(
    Object.entries(call.params).map(([name, value]) => [name, isFileParam(value) ? standIn(value) : value]),
  );
  return { ...call, params };
}

const readStandIn: ReadUpload = async () => PIXEL;

const standIn = ({ file }: FileParam): FileParam => ({
  file,
  sha256: SHA256,
  size_bytes: PIXEL.length,
  media_type: "image/png",
});

/** An organization in memory, and the client of the account that read it. */
interface Copy {
  readonly reader: ZulipReader;
  send(call: WireCall): Promise<Answer>;
  readonly state: RealmState;
}

/** An organization as it was read, in this process and without HTTP. It connects to no address, and sends no mail and no webhook. */
export function copyOf(snapshot: Snapshot): Copy {
  const nowMs = Date.parse(snapshot.taken_at);
  const realm = new RunningRealm(
    { state: stateFromSnapshot(withOwnSubscriptions(snapshot)), level: snapshot.server.feature_level, names: {} },
    { clock: manualClock(nowMs), postWebhook: () => Promise.reject(new Error("a rehearsal reaches nobody")) },
  );
  const { user_id } = snapshot.account;
  const email = realm.state.users[user_id]?.delivery_email ?? snapshot.account.email;
  const key = realm.keyOf(user_id);
  const client = createClient({
    site: snapshot.realm.url,
    email,
    key: new Secret(key),
    transport: inProcess(async (request) => {
      const parsed = await parseRequest(request);
      if (parsed === undefined) return htmlResponse(404, NOT_FOUND_PAGE);
      return responseOf((await realm.perform(request, parsed)).answer, parsed);
    }),
    // Its clock stands still, so that the same plan has the same rehearsal.
    clock: { now: () => nowMs, sleep: async () => {}, alarm: () => () => {}, random: () => 0 },
    version: VERSION,
    rateRules: [],
  });
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const head = new Request(`${snapshot.realm.url}${API}`, { headers: { authorization, "user-agent": "realmctl" } });
  return {
    reader: client.reader,
    // Most of the cost of a request here is its encoding: the parameters go to the server's rules directly.
    async send(call) {
      const { method, path, query, form, files } = encodeCall(call);
      if (files !== undefined) return client.writer.send(withStandIns(call), undefined, undefined, readStandIn);
      const values = new Map([...new URLSearchParams(query), ...new URLSearchParams(form ?? "")]);
      const bare = decodeURIComponent(path.slice(API.length));
      const { answer } = await realm.perform(head, { method, path: bare, values, files: [] });
      const { status, body } = answer;
      return answerOf(
        typeof body === "string"
          ? { kind: "unreadable", status, server: "", asksFor: "nothing" }
          : { kind: "envelope", status, body },
      );
    },
    get state() {
      return realm.state;
    },
  };
}

const API = "/api/v1";

/** Without subscribers in the reading, the account that read counts as subscribed, so that nothing is refused because of missing data. */
function withOwnSubscriptions(snapshot: Snapshot): Snapshot {
  if (snapshot.subscribers !== null) return snapshot;
  const { user_id } = snapshot.account;
  const subscribers = Object.fromEntries(snapshot.channels.map(({ stream_id }) => [String(stream_id), [user_id]]));
  return { ...snapshot, subscribers };
}
