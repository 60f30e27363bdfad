interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Questions for the person at the terminal. Every answer is undefined if they cancel. */
export interface Prompts {
  text(question: string, initial?: string): Promise<string | undefined>;
  /** Asks for a secret: the typed characters are not shown. */
  secret(question: string): Promise<string | undefined>;
  yes(question: string): Promise<boolean | undefined>;
  choose(question: string, choices: readonly Choice[]): Promise<string | undefined>;
  /** @param initial values that are selected at first */
  several(
    question: string,
    choices: readonly Choice[],
    initial: readonly string[],
  ): Promise<readonly string[] | undefined>;
}
