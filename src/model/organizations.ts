import * as z from "zod";

/** What a command over many organizations says about one of them. */
export const OrganizationForm = z.strictObject({
  file: z.string(),
  realm: z.string().nullable().describe("The URL that its file says."),
  exit_code: z.int(),
  started: z.boolean().describe("false: the run was stopped before its turn."),
  changes: z.int().nullable().describe("Objects that differ; null: it did not come to that."),
  uncompared: z
    .int()
    .nullable()
    .describe(
      "What apply does not revert, besides the changes: people who read a private channel and are not listed, deactivated accounts, …; null: it is among the changes (drift), or it did not come to that.",
    ),
  risks: z.int().nullable(),
  guards: z.enum(["ok", "ask", "refuse"]).nullable(),
  codes: z.array(z.string()).describe("Codes of its errors, each once."),
});
export type OrganizationSummary = z.infer<typeof OrganizationForm>;

/** One row of the table. Only people who answer questions read a table, so it has no format for programs. */
export interface OrganizationRow extends OrganizationSummary {
  /** Whether somebody was asked for a confirmation and did not give it, so nothing was sent. */
  readonly isDeclined?: boolean;
}

/** The result for one organization, for the summary of all. */
export type Counts = Pick<OrganizationSummary, "changes" | "uncompared" | "risks" | "guards">;

/** `--format json` of `plan`, `apply`, `drift`, `validate`, `test` and `whoami` with several files. */
export const OrganizationsForm = z
  .strictObject({
    format: z.literal("realmctl.organizations"),
    version: z.literal(1),
    command: z.enum(["plan", "apply", "drift", "validate", "test", "whoami"]),
    organizations: z.array(
      OrganizationForm.extend({
        report: z.json().describe("What the command prints for this file alone; null where it printed nothing."),
      }),
    ),
    passed_over: z.array(z.string()).describe("Files of a directory that name no organization."),
    exit_code: z.int().describe("The highest of all."),
  })
  .describe("Written one organization after the other, in the order of the files.");
