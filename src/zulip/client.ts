import type { ZulipReader, ZulipWriter } from "../model/api.ts";
import type { WireCall } from "../model/journal.ts";
import { answerOf } from "./answer.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { journalCode } from "./journal-code.ts";
import { invitationLinkIn } from "./links.ts";
import type { Secret } from "./secret.ts";
import { readSnapshot } from "./snapshot.ts";

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
