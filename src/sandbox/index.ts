export { type Clock, manualClock, systemClock } from "./clock.ts";
export { ApiError } from "./errors.ts";
export type { RealmSource } from "./from.ts";
export type { LogEntry } from "./log.ts";
export type { PostWebhook, WebhookRequest } from "./outgoing-webhook.ts";
export { type RateLimit, SERVER_RATE_LIMITS } from "./rate-limit.ts";
export {
  type Account,
  ConnectionDropped,
  createSandbox,
  type Interceptor,
  type Sandbox,
  type SandboxOptions,
} from "./sandbox.ts";
export { type Served, serve } from "./serve.ts";
export type { RealmState } from "./state.ts";
