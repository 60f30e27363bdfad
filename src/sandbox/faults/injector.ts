import { createHash } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Interception, Interceptor } from "../interceptor.ts";
import type { ParsedRequest } from "../request.ts";
import type { User } from "../state.ts";
import { answerOf } from "./answers.ts";
import { type Fault, type FaultPlan, type FaultRule, NO_FAULTS } from "./rules.ts";

/** One fault that happened. */
export interface Strike {
  /** UNIX milliseconds */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** Place of the rule in the plan, from 0. */
  readonly rule: number;
  /** Which of the requests that match the rule, from 1. */
  readonly call: number;
  readonly when: "before" | "after";
  readonly fault: Fault;
}

/** Faults on demand: an interceptor whose plan may be exchanged while the sandbox runs. */
export interface Faults extends Interceptor {
  readonly plan: FaultPlan;
  /** Takes a new plan; counting starts anew. */
  replace(plan: FaultPlan): void;
  /** Counts anew and forgets what has struck; the plan stays. */
  restart(): void;
  /** What has struck (the last ten thousand), oldest first. */
  readonly strikes: readonly Strike[];
}

const KEPT_STRIKES = 10_000;

/**
 * Everything follows from the plan's seed and the order of the requests that match each rule.
 * @param options.clock what hang, slow and delay wait on: the sandbox's own
 */
export function injectFaults(options: { readonly plan?: FaultPlan; readonly clock: Clock }): Faults {
  let plan = options.plan ?? NO_FAULTS;
  let rules = plan.faults.map((rule) => new CountedRule(rule));
  const strikes: Strike[] = [];
  const pending = new WeakMap<ParsedRequest, { readonly rule: FaultRule; readonly strike: Strike }>();

  /** Every rule that matches counts the request; the first that strikes has it. */
  function strikeOf(request: ParsedRequest, interception: Interception) {
    let found: { readonly rule: FaultRule; readonly strike: Strike } | undefined;
    rules.forEach((counted, index) => {
      const call = counted.count(request, interception);
      if (call === undefined || found !== undefined) return;
      const draw = (what: string): number => drawn(plan.seed, index, call, what);
      if (!counted.strikes(call, draw)) return;
      const { rule } = counted;
      found = {
        rule,
        strike: {
          at: options.clock.now(),
          method: request.method,
          path: request.path,
          rule: index,
          call,
          when: rule.when === "either" ? (draw("when") < 0.5 ? "before" : "after") : rule.when,
          fault: chosen(rule.do, draw("fault")),
        },
      };
    });
    return found;
  }
  function note(strike: Strike): void {
    strikes.push(strike);
    if (strikes.length > KEPT_STRIKES) strikes.shift();
  }

  return {
    get plan() {
      return plan;
    },
    replace(next) {
      plan = next;
      rules = plan.faults.map((rule) => new CountedRule(rule));
      strikes.length = 0;
    },
    restart() {
      this.replace(plan);
    },
    strikes,
    async before(request, interception) {
      const found = strikeOf(request, interception);
      if (found === undefined) return undefined;
      if (found.strike.when === "after") {
        pending.set(request, found);
        return undefined;
      }
      note(found.strike);
      return answerOf(found.strike.fault, found.rule.seconds, undefined, options.clock, interception);
    },
    async after(request, response, interception) {
      const found = pending.get(request);
      if (found === undefined) return undefined;
      note(found.strike);
      return answerOf(found.strike.fault, found.rule.seconds, response, options.clock, interception);
    },
  };
}

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

  /** @returns which of the rule's requests this is, undefined when it is none */
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

/** `/streams/*` and `/streams/{stream_id}` are the same: one segment. */
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

/** A number from 0 up to, not including, 1 that depends on nothing but these. */
function drawn(seed: string | number, rule: number, call: number, what: string): number {
  const bytes = createHash("sha256").update(`${seed} ${rule} ${call} ${what}`).digest();
  return bytes.readUInt32BE(0) / 2 ** 32;
}
