/**
 * The limit of work for one file of rules: some 40 seconds. A pull request may check thousands of rules against thousands of channels, and each
 * against everybody.
 */
export const MOST_RULE_WORK = 2_000_000_000;

/** The costs of a person, of a name, and of a right on an object, in comparisons of letters. */
const PERSON = 4;
const NAME = 50;
const TARGET = 100;

/** Thrown if the work is too much; the caller reports which rule it was. */
export class TooMuchWork extends Error {}

/** Counts the steps of rules: comparisons of letters, people, rights on objects. */
export class RuleWork {
  private readonly most: number;
  spent = 0;

  constructor(most = MOST_RULE_WORK) {
    this.most = most;
  }

  /** Matches a text with a pattern of names. @throws TooMuchWork */
  letters(pattern: string, text: string): void {
    this.spend(NAME + (/[*?]/.test(pattern) ? pattern.length * text.length : pattern.length + text.length));
  }

  /** @throws TooMuchWork */
  people(count: number): void {
    this.spend(count * PERSON);
  }

  /** @throws TooMuchWork */
  target(): void {
    this.spend(TARGET);
  }

  private spend(steps: number): void {
    this.spent += steps;
    if (this.spent > this.most) throw new TooMuchWork();
  }
}
