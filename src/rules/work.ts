/**
 * How much work one file of rules is worth: some 40 seconds. A pull request may hold thousands of rules against thousands of channels, and each
 * against everybody.
 */
export const MOST_RULE_WORK = 2_000_000_000;

/** What a person, a name that is looked at, and a right on an object cost beside a letter of a name. */
const PERSON = 4;
const NAME = 50;
const TARGET = 100;

/** Thrown where the work is too much; whoever runs the rules tells which rule it was. */
export class TooMuchWork extends Error {}

/** Counts the steps that rules take: letters held against letters, people, rights on objects. */
export class RuleWork {
  private readonly most: number;
  spent = 0;

  constructor(most = MOST_RULE_WORK) {
    this.most = most;
  }

  /** A pattern of names held against a text. @throws TooMuchWork */
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
