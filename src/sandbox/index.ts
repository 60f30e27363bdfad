export type { InviteLimits, PostWebhook, WebhookRequest } from "./call.ts";
export { adjustableClock, type Clock, manualClock, systemClock } from "./clock.ts";
export { ApiError } from "./errors.ts";
export { FAULTS, FaultPlan, FaultRule, Faults, type Strike } from "./faults.ts";
export type { RealmSource } from "./from.ts";
export { ConnectionDropped, type Interception, type Interceptor, type ParsedRequest } from "./http.ts";
export { type RateLimit, SERVER_RATE_LIMITS } from "./rate-limit.ts";
export {
  type Account,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
} from "./sandbox.ts";
export { type Control, controlOf, type Served, serve } from "./serve.ts";
export type { RealmState } from "./state.ts";
