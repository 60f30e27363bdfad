import * as z from "zod";
import { formIssue, wrongForm } from "../../model/value-form.ts";

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
export type Fault = (typeof FAULTS)[number];

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
