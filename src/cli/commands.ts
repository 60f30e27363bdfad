import type { CommandEntry } from "./options.ts";

/** Every command, in the order of `realmctl --help`. A new one is a file and an entry here. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "start from an existing organization",
    load: async () => (await import("./init.ts")).initCommand,
  },
  {
    name: "plan",
    summary: "show what apply would change",
    load: async () => (await import("./plan.ts")).planCommand,
  },
  {
    name: "apply",
    summary: "change the organization to match the file",
    load: async () => (await import("./apply.ts")).applyCommand,
  },
  {
    name: "history",
    summary: "show the runs of this directory, and how they ended",
    load: async () => (await import("./history.ts")).historyCommand,
  },
  {
    name: "drift",
    summary: "show what no longer matches the file",
    load: async () => (await import("./drift.ts")).driftCommand,
  },
  {
    name: "sync",
    summary: "keep the subscribers and members that the policy names as the file has them, all the time",
    load: async () => (await import("./sync.ts")).syncCommand,
  },
  {
    name: "access",
    summary: "show who may do what, and why",
    load: async () => (await import("./access.ts")).accessCommand,
  },
  {
    name: "test",
    summary: "check rules about access against the file, a snapshot or the server",
    load: async () => (await import("./test.ts")).testCommand,
  },
  { name: "show", summary: "show a saved plan", load: async () => (await import("./show.ts")).showCommand },
  {
    name: "comment",
    summary: "post a saved plan as one comment on a merge request",
    load: async () => (await import("./comment.ts")).commentCommand,
  },
  {
    name: "validate",
    summary: "look for errors in the file, without a server",
    load: async () => (await import("./validate.ts")).validateCommand,
  },
  {
    name: "fmt",
    summary: "format files",
    load: async () => (await import("./fmt.ts")).fmtCommand,
  },
  {
    name: "export",
    summary: "write the organization to a YAML file that you can edit and apply",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  {
    name: "adopt",
    summary: "take the server's values into the file",
    load: async () => (await import("./adopt.ts")).adoptCommand,
  },
  {
    name: "explain",
    summary: "explain the code of an error",
    load: async () => (await import("./explain.ts")).explainCommand,
  },
  {
    name: "snapshot",
    summary: "save the organization as JSON, to plan without a server",
    load: async () => (await import("./snapshot.ts")).snapshotCommand,
  },
  {
    name: "whoami",
    summary: "show which account acts and what it may manage",
    load: async () => (await import("./whoami.ts")).whoamiCommand,
  },
  {
    name: "api",
    summary: "send one operation to the server by hand",
    load: async () => (await import("./api.ts")).apiCommand,
  },
  {
    name: "sandbox",
    summary: "run an organization in memory, for trials and tests",
    load: async () => (await import("./sandbox.ts")).sandboxCommand,
  },
  {
    name: "demo",
    summary: "see plan, apply, drift and a conflict, without a server",
    load: async () => (await import("./demo.ts")).demoCommand,
  },
  {
    name: "completion",
    summary: "print a script that completes commands, options and names",
    load: async () => (await import("./completion.ts")).completionCommand,
  },
];
