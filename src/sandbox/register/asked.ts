import type { Call } from "../call.ts";
import type { SubscribersWish } from "../channels/shown.ts";

/** The things for which one call of POST /register asked. */
export interface Asked {
  readonly call: Call;
  readonly capabilities: ReadonlySet<string>;
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  readonly subscribers: SubscribersWish;
}
