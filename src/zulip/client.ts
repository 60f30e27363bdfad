import type { ZulipReader, ZulipWriter } from "../model/api.ts";
import { answerOf } from "./answer.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { readSnapshot } from "./snapshot.ts";

export interface ZulipClient {
  readonly reader: ZulipReader;
  readonly writer: ZulipWriter;
  /** For `realmctl api`: any operation, its reply as it came. */
  readonly connection: Connection;
  /** Before the network is closed: lets what was sent alongside (the end of a queue on the server) have its answer. */
  settled(): Promise<void>;
}

/** Both halves over one connection, so that they share the server's patience. Hand on only the half that is needed. */
export function createClient(options: ConnectionOptions): ZulipClient {
  const connection = new Connection(options);
  return {
    connection,
    settled: () => connection.settled(),
    reader: { snapshot: (request, signal) => readSnapshot(connection, request, options.clock, signal) },
    writer: {
      ready: (signal) => connection.ready(signal),
      send: async (call, ...more) => answerOf(await connection.exchange(call, ...more)),
    },
  };
}
