import type { Call } from "../call.ts";
import type { SubscribersWish } from "../channels/shown.ts";

/** What one call of POST /register asked for. */
export interface Asked {
  readonly call: Call;
  readonly capabilities: ReadonlySet<string>;
  readonly clientGravatar: boolean;
  readonly subscribers: SubscribersWish;
}
