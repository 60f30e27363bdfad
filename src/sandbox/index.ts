export type { InviteLimits } from "./call.ts";
export { adjustableClock, type Clock, manualClock, systemClock } from "./clock.ts";
export { type Control, controlOf } from "./control.ts";
export { ApiError } from "./errors.ts";
export { type Faults, injectFaults, type Strike } from "./faults/injector.ts";
export { FAULTS, FaultPlan, FaultRule } from "./faults/rules.ts";
export type { RealmSource } from "./from.ts";
export { ConnectionDropped, type Interception, type Interceptor } from "./interceptor.ts";
export { type RateLimit, SERVER_RATE_LIMITS } from "./rate-limit.ts";
export type { ParsedRequest } from "./request.ts";
export {
  type Account,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
} from "./sandbox.ts";
export { type Served, serve } from "./serve.ts";
export type { RealmState } from "./state.ts";
export type { PostWebhook, WebhookRequest } from "./webhook-request.ts";
