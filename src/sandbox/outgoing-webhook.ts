import type { Call } from "./call.ts";
import type { Message } from "./state.ts";

export function deliverToBots(_call: Call, _message: Message, _mentioned: ReadonlySet<number>): void {}
