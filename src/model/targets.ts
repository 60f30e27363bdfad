import * as z from "zod";
import { NamedForm } from "./fact-forms.ts";

/**
 * The objects that a plan is limited to, as somebody named them: a section (`channels`), or a kind and a name with wildcards
 * (`channel:team-*`).
 */
export const TargetsForm = z
  .strictObject({
    only: z.array(z.string()).readonly().describe("Nothing but these; empty: everything."),
    except: z.array(z.string()).readonly().describe("Not these."),
    needs: z
      .enum(["refuse", "take"])
      .describe("What happens to other changes that these need: an error names them, or they are planned too."),
  })
  .describe("The part of the file that the plan was limited to.");
export type Targets = Readonly<z.infer<typeof TargetsForm>>;

const PatternForm = z.strictObject({ pattern: z.string() });

/** What a partial plan says about itself. */
export const PlanPartForm = z
  .strictObject({
    only: z.array(PatternForm).readonly(),
    except: z.array(PatternForm).readonly(),
    taken_along: z
      .array(z.strictObject({ object: NamedForm, for: NamedForm }))
      .readonly()
      .describe("Objects that were not named, each with one that needs it."),
    left_out: z
      .array(z.strictObject({ section: z.string(), changes: z.int() }))
      .readonly()
      .describe("How many changes of the file are not in this plan."),
  })
  .describe("Present only if the plan was limited with `--only` or `--except`.");
export type PlanPart = Readonly<z.infer<typeof PlanPartForm>>;
