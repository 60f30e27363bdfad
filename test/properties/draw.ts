/** Takes one number after another; when none are left (a shrunk example), always makes the first choice. */
export class Draw {
  private readonly numbers: readonly number[];
  private at = 0;

  constructor(numbers: readonly number[]) {
    this.numbers = numbers;
  }

  private next(): number {
    const number = this.numbers[this.at] ?? 0;
    this.at += 1;
    return number;
  }
  upTo(most: number): number {
    return this.next() % (most + 1);
  }
  /** True once in `n`. */
  chance(n: number): boolean {
    return this.next() % n === n - 1;
  }
  one<T>(values: readonly T[]): T {
    const value = values[this.next() % values.length];
    if (value === undefined) throw new RangeError("nothing to choose from");
    return value;
  }
  some<T>(values: readonly T[], most: number): T[] {
    const left = [...values];
    const chosen: T[] = [];
    for (let count = this.upTo(Math.min(most, left.length)); count > 0; count -= 1)
      chosen.push(...left.splice(this.upTo(left.length - 1), 1));
    return chosen;
  }
  /** `more`, once in `n`; otherwise nothing. */
  perhaps(n: number, more: () => { readonly [field: string]: unknown }): { readonly [field: string]: unknown } {
    return this.chance(n) ? more() : {};
  }
}
