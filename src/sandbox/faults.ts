import { createHash } from "node:crypto";
import * as z from "zod";
import { formIssue, wrongForm } from "../model/value-form.ts";
import type { Clock } from "./clock.ts";
import { ConnectionDropped, CutResponse, type Interception, type Interceptor, type ParsedRequest } from "./http.ts";
import type { User } from "./rows/accounts.ts";

/** One fault that was injected. */
export interface Strike {
  /** The time in UNIX milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The index of the rule in the plan, from 0. */
  readonly rule: number;
  /** The number of the request among those that match the rule, from 1. */
  readonly call: number;
  readonly when: "before" | "after";
  readonly fault: Fault;
}

const KEPT_STRIKES = 10_000;

interface Struck {
  readonly rule: FaultRule;
  readonly strike: Strike;
}
/**
 * Faults on demand: an interceptor whose plan can be replaced while the sandbox runs. Everything is determined by the plan's seed and the order of the
 * requests that match each rule.
 */
export class Faults implements Interceptor {
  plan: FaultPlan;
  /** The last ten thousand injected faults, oldest first. */
  readonly strikes: Strike[] = [];
  private readonly clock: Clock;
  private rules: readonly CountedRule[];
  private readonly pending = new WeakMap<ParsedRequest, Struck>();

  /** @param options.clock the clock for hang, slow and delay: the sandbox's own */
  constructor(options: { readonly plan?: FaultPlan; readonly clock: Clock }) {
    this.clock = options.clock;
    this.plan = options.plan ?? NO_FAULTS;
    this.rules = countedRules(this.plan);
  }

  /** Sets a new plan, restarts all counters and clears the list of injected faults. */
  replace(next: FaultPlan): void {
    this.plan = next;
    this.rules = countedRules(next);
    this.strikes.length = 0;
  }
  restart(): void {
    this.replace(this.plan);
  }

  async before(request: ParsedRequest, interception: Interception): Promise<Response | undefined> {
    const found = this.strikeOf(request, interception);
    if (found === undefined) return undefined;
    if (found.strike.when === "after") {
      this.pending.set(request, found);
      return undefined;
    }
    return this.struck(found, undefined, interception);
  }
  async after(request: ParsedRequest, response: Response, interception: Interception): Promise<Response | undefined> {
    const found = this.pending.get(request);
    return found === undefined ? undefined : this.struck(found, response, interception);
  }

  private struck({ rule, strike }: Struck, response: Response | undefined, interception: Interception) {
    this.strikes.push(strike);
    if (this.strikes.length > KEPT_STRIKES) this.strikes.shift();
    return answerOf(strike.fault, rule.seconds, response, this.clock, interception);
  }

  /** Every matching rule counts the request; the first one that applies decides. */
  private strikeOf(request: ParsedRequest, interception: Interception): Struck | undefined {
    let found: Struck | undefined;
    this.rules.forEach((counted, index) => {
      const call = counted.count(request, interception);
      if (call === undefined || found !== undefined) return;
      const draw = (what: string): number => drawn(this.plan.seed, index, call, what);
      if (!counted.strikes(call, draw)) return;
      const { rule } = counted;
      const when = rule.when === "either" ? (draw("when") < 0.5 ? "before" : "after") : rule.when;
      const { method, path } = request;
      const fault = chosen(rule.do, draw("fault"));
      found = { rule, strike: { at: this.clock.now(), method, path, rule: index, call, when, fault } };
    });
    return found;
  }
}
const countedRules = (plan: FaultPlan): readonly CountedRule[] => plan.faults.map((rule) => new CountedRule(rule));

class CountedRule {
  readonly rule: FaultRule;
  private readonly pattern: RegExp;
  private readonly method: string;
  private seen = 0;
  private struck = 0;

  constructor(rule: FaultRule) {
    this.rule = rule;
    const [method = "*", path = "**"] = rule.calls.split(" ");
    this.method = method;
    this.pattern = patternOf(path);
  }

  /** @returns the number of the request among those that match the rule; undefined if the rule does not match it */
  count({ method, path }: ParsedRequest, { caller, nameOf }: Interception): number | undefined {
    if (this.method !== "*" && this.method !== method) return undefined;
    if (!this.pattern.test(path)) return undefined;
    if (this.rule.as !== undefined && !isAccount(this.rule.as, caller(), nameOf)) return undefined;
    this.seen += 1;
    return this.seen;
  }

  strikes(call: number, draw: (what: string) => number): boolean {
    const { at, chance, most } = this.rule;
    if (most !== undefined && this.struck >= most) return false;
    if (at !== undefined && !(typeof at === "number" ? [at] : at).includes(call)) return false;
    if (chance !== undefined && draw("chance") >= chance) return false;
    this.struck += 1;
    return true;
  }
}

function isAccount(
  wanted: string | number,
  user: User | undefined,
  nameOf: (userId: number) => string | undefined,
): boolean {
  if (user === undefined) return false;
  if (typeof wanted === "number") return user.user_id === wanted;
  return user.delivery_email.toLowerCase() === wanted.toLowerCase() || nameOf(user.user_id) === wanted;
}

/** `/streams/*` and `/streams/{stream_id}` are equivalent: both match one segment there. */
function patternOf(path: string): RegExp {
  const source = path.replace(/\*\*|\*|\{[^}/]*\}|[^*{]+|\{/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*" || (part.startsWith("{") && part.endsWith("}"))) return "[^/]+";
    return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "s");
}

function chosen(faults: Fault | readonly Fault[], draw: number): Fault {
  if (typeof faults === "string") return faults;
  const found = faults[Math.floor(draw * faults.length)];
  if (found === undefined) throw new RangeError("a rule without faults");
  return found;
}

/** A number from 0 (inclusive) to 1 (exclusive) that is derived only from these values. */
function drawn(seed: string | number, rule: number, call: number, what: string): number {
  const bytes = createHash("sha256").update(`${seed} ${rule} ${call} ${what}`).digest();
  return bytes.readUInt32BE(0) / 2 ** 32;
}

const JSON_TYPE = { "content-type": "application/json" };
const DEFAULT_SECONDS: { readonly [fault in Fault]?: number } = { "rate-limit": 1, slow: 2, delay: 1 };
/** Longer than any caller waits; if the caller disconnects, the wait ends earlier. */
const FOREVER_SECONDS = 86_400;
const PIECES = 8;

/**
 * The answer that the caller gets instead of the real one.
 * @param response the real answer if the request was executed; undefined if it never will be
 * @returns undefined: continue as if there were no fault
 * @throws ConnectionDropped
 */
async function answerOf(
  fault: Fault,
  seconds: number | undefined,
  response: Response | undefined,
  clock: Clock,
  { signal }: Interception,
): Promise<Response | undefined> {
  const wait = seconds ?? DEFAULT_SECONDS[fault] ?? FOREVER_SECONDS;
  switch (fault) {
    case "drop":
      throw new ConnectionDropped();
    case "hang":
      await clock.sleep(wait * 1000, signal());
      throw new ConnectionDropped();
    case "delay":
      await clock.sleep(wait * 1000, signal());
      return undefined;
    case "error":
      return new Response(JSON.stringify({ result: "error", msg: "Internal server error" }), {
        status: 500,
        headers: JSON_TYPE,
      });
    case "bad-gateway":
      return new Response(BAD_GATEWAY_PAGE, { status: 502, headers: { "content-type": "text/html" } });
    case "rate-limit":
      return rateLimited(wait, clock);
    case "truncate": {
      const text = response === undefined ? '{"result":"success","msg":""}' : await response.text();
      return new Response(text.slice(0, Math.floor(text.length / 2)), {
        status: response?.status ?? 200,
        headers: JSON_TYPE,
      });
    }
    case "cut":
    case "slow":
      // The schema refuses both for requests that are not executed.
      return response === undefined ? undefined : inPieces(response, fault, wait, clock, signal());
  }
}

const BAD_GATEWAY_PAGE =
  "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n";

function rateLimited(seconds: number, clock: Clock): Response {
  const body = {
    result: "error",
    msg: "API usage exceeded rate limit",
    code: "RATE_LIMIT_HIT",
    "retry-after": seconds,
  };
  const headers = {
    ...JSON_TYPE,
    "retry-after": String(seconds),
    "x-ratelimit-limit": "200",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.ceil(clock.now() / 1000 + seconds)),
  };
  return new Response(JSON.stringify(body), { status: 429, headers });
}

/** A body that arrives in small parts (slow), or of which half arrives before the connection ends, although more was announced (cut). */
async function inPieces(
  response: Response,
  fault: "slow" | "cut",
  seconds: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const size = Math.ceil(bytes.length / PIECES);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (fault === "cut" && sent * 2 >= bytes.length) return controller.error(new ConnectionDropped());
      if (sent >= bytes.length) return controller.close();
      if (fault === "slow") await clock.sleep((seconds * 1000) / PIECES, signal);
      controller.enqueue(bytes.slice(sent, sent + size));
      sent += size;
    },
  });
  const headers = new Headers(response.headers);
  headers.set("content-length", String(bytes.length));
  const init = { status: response.status, headers };
  return fault === "cut" ? new CutResponse(body, init) : new Response(body, init);
}

/** The faults that a request can meet instead of the normal answer. */
export const FAULTS = [
  "drop",
  "hang",
  "error",
  "bad-gateway",
  "rate-limit",
  "truncate",
  "cut",
  "slow",
  "delay",
] as const;
type Fault = (typeof FAULTS)[number];

/** The form `METHOD /path`: `*` for any method, `*` or `{name}` for one segment, `**` for the rest of the path. */
const CALLS = /^(\*|GET|POST|PATCH|PUT|DELETE) (\/\S*|\*\*)$/;
const WHEN = ["before", "after", "either"] as const;

export const FaultRule = z
  .strictObject({
    calls: z
      .string()
      .refine((calls) => CALLS.test(calls), {
        ...wrongForm({ form: "calls" }),
        error: () => 'calls must be a method and a path below /api/v1, for example "PATCH /streams/*" or "* **"',
      })
      .regex(CALLS)
      .default("* **")
      .describe(
        "Which requests: a method and a path below /api/v1; * for any one segment, ** for the rest of the path.",
      ),
    as: z
      .union([z.string().min(1), z.int()])
      .optional()
      .describe("Only requests of this account: its name, its address or its user id."),
    at: z
      .union([z.int().min(1), z.array(z.int().min(1)).min(1)])
      .optional()
      .describe("Strikes these of the requests that match, counted from 1; without at and chance, all of them."),
    chance: z.number().min(0).max(1).optional().describe("Strikes each request that matches with this probability."),
    most: z.int().min(1).optional().describe("Strikes no more often than this."),
    when: z
      .enum(WHEN)
      .default("before")
      .describe("before: the server never carries the request out; after: it has; either: the seed decides."),
    do: z
      .union([z.enum(FAULTS), z.array(z.enum(FAULTS)).min(1)])
      .describe("What happens; of several, the seed chooses one each time."),
    seconds: z
      .number()
      .min(0)
      .max(86_400)
      .optional()
      .describe("How long hang, slow and delay take, and how long rate-limit tells to wait."),
  })
  .superRefine((rule, issues) => {
    if (rule.at !== undefined && rule.chance !== undefined)
      issues.addIssue({
        ...formIssue({ form: "at-or-chance" }),
        path: ["chance"],
        message: "at and chance exclude each other: write one of them",
      });
    const faults = typeof rule.do === "string" ? [rule.do] : rule.do;
    const needsAnswer = faults.find((fault) => fault === "slow" || fault === "cut");
    if (needsAnswer !== undefined && rule.when !== "after")
      issues.addIssue({
        ...formIssue({ form: "fault-after", fault: needsAnswer }),
        path: ["do"],
        message: `${needsAnswer} is about the real answer, so the request must have been carried out: add when: after`,
      });
  });
export type FaultRule = z.infer<typeof FaultRule>;

/** A faults file: the faults, and the seed from which all chances are derived. */
export const FaultPlan = z.strictObject({
  seed: z.union([z.string(), z.int()]).default(0).describe("The same seed and the same requests give the same faults."),
  faults: z.array(FaultRule).describe("Of the rules that strike a request, the first one counts."),
});
export type FaultPlan = z.infer<typeof FaultPlan>;

export const NO_FAULTS: FaultPlan = { seed: 0, faults: [] };
