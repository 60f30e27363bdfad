/**
 * The exit codes. The tables of the reference and `realmctl --help` have the same texts, and a test makes the program end with each
 * code.
 */
export const EXIT_CODES: readonly { readonly code: number; readonly means: string }[] = [
  { code: 0, means: "done, or nothing to do" },
  { code: 1, means: "errors in the file, or in how the command was used" },
  {
    code: 2,
    means:
      "changes are pending (`plan --detailed-exit-code`), drift (`drift`), or something is left for you to do (`adopt`, `init`)",
  },
  { code: 3, means: "refused by a guard rail" },
  {
    code: 4,
    means:
      "conflict: the organization no longer has the values that the plan was made from, another run is active, or a saved plan or a journal is not the expected one or comes from another realmctl",
  },
  { code: 5, means: "not finished: applied in part, stopped or refused before the start, or you said no" },
  { code: 6, means: "not allowed: credentials are missing or wrong, or the account's role is too low" },
  { code: 7, means: "the server cannot be reached, is not a Zulip server, or is too old" },
  { code: 8, means: "a rule about access does not hold (`test`, and `drift` where nothing differs)" },
  { code: 70, means: "a bug in realmctl: please report it" },
  { code: 130, means: "ended by Ctrl-C (143: by SIGTERM); an `apply` that is sending ends with 5 instead" },
];
