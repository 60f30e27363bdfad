import { createHmac, hkdfSync } from "node:crypto";
import type { CodeOf, ZulipReader, ZulipWriter } from "../model/api.ts";
import type { WireCall } from "../model/journal.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { answerOf, type Reply } from "./reply.ts";
import { readSnapshot } from "./snapshot.ts";
import { Secret } from "./zuliprc.ts";

/** The maximum length of a link, more than any server uses. */
const LONGEST_LINK = 2_000;

/** The invitation link in the answer to its creation. Everybody who has it can join, so it is passed only to the caller that asked for it. */
function invitationLinkIn({ operation }: WireCall, reply: Reply): Secret | undefined {
  if (operation !== "create-invite-link" || reply.kind !== "envelope" || reply.body.result !== "success")
    return undefined;
  const { invite_link: link } = reply.body;
  return typeof link === "string" && link.length <= LONGEST_LINK ? new Secret(link) : undefined;
}

/** Another use of the API key must have another label. */
const LABEL = "realmctl journal";

/** What signs and checks the journals of an account: the same on every machine that has its API key, and different after the key was changed. */
export function journalCode(key: Secret): CodeOf {
  const derived = Buffer.from(hkdfSync("sha256", key.reveal(), "", LABEL, 32));
  return (text) => createHmac("sha256", derived).update(text).digest("hex").slice(0, 32);
}

export interface ZulipClient {
  readonly reader: ZulipReader;
  readonly writer: ZulipWriter;
  /** The connection, for `realmctl api`: any operation, with the unchanged reply. */
  readonly connection: Connection;
  /** Before the network is closed: waits for the answers of requests that were sent in the background, such as the deletion of a queue. */
  settled(): Promise<void>;
}

export interface ClientOptions extends ConnectionOptions {
  /**
   * Receives every invitation link that a write creates, once. Nobody else does: answers leave this folder without secrets.
   */
  readonly onLink?: (link: Secret, call: WireCall) => void;
}

/**
 * The longest random wait before a run. Two runs that start together read and send within some 200 ms of each other. With starts spread over this
 * time, one of them usually reads after the other has sent, notices that, and leaves the rest to it.
 */
const LONGEST_APART_MS = 2_000;

/** Reader and writer over one connection, so that they share the rate limit. Pass on only the half that is needed. */
export function createClient(options: ClientOptions): ZulipClient {
  const connection = new Connection(options);
  return {
    connection,
    settled: () => connection.settled(),
    reader: { snapshot: (request, signal) => readSnapshot(connection, request, options.clock, signal) },
    writer: {
      codeOf: journalCode(options.key),
      ready: (signal) => connection.ready(signal),
      waitRandomTime: (signal) => options.clock.sleep(options.clock.random() * LONGEST_APART_MS, signal),
      send: async (call, ...more) => {
        const reply = await connection.exchange(call, ...more);
        const link = options.onLink === undefined ? undefined : invitationLinkIn(call, reply);
        if (link !== undefined) options.onLink?.(link, call);
        return answerOf(reply);
      },
    },
  };
}
