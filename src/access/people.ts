/**
 * Sets of people as bits, one bit a person: a set of 50,000 takes 6 KB, and "both", "either" and "but not" are a loop over words.
 * Sets of one {@link Population} can be combined; sets of two cannot.
 */
export class Population {
  private readonly places = new Map<number, number>();
  private readonly listed: number[] = [];
  readonly nobody: People = new People(this, new Uint32Array(0));

  constructor(ids: Iterable<number> = []) {
    for (const id of ids) this.placeOf(id);
  }

  /** @param ids user ids, in any order, doubles allowed; those that are not in the population yet join it */
  of(ids: Iterable<number>): People {
    const places: number[] = [];
    for (const id of ids) places.push(this.placeOf(id));
    if (places.length === 0) return this.nobody;
    const words = new Uint32Array((this.listed.length + 31) >>> 5);
    for (const place of places) words[place >>> 5] = (words[place >>> 5] ?? 0) | (1 << (place & 31));
    return new People(this, words);
  }

  /** Where a person's bit is; undefined for somebody who is in no set. */
  placed(id: number): number | undefined {
    return this.places.get(id);
  }
  /** The person at a place. */
  at(place: number): number {
    const id = this.listed[place];
    if (id === undefined) throw new RangeError(`nobody has place ${place}`);
    return id;
  }

  private placeOf(id: number): number {
    const known = this.places.get(id);
    if (known !== undefined) return known;
    const place = this.listed.length;
    this.places.set(id, place);
    this.listed.push(id);
    return place;
  }
}

/** An immutable set of user ids. */
export class People {
  private readonly population: Population;
  private readonly words: Uint32Array;
  private counted: number | undefined;

  constructor(population: Population, words: Uint32Array) {
    this.population = population;
    this.words = words;
  }

  get size(): number {
    this.counted ??= this.words.reduce((total, word) => total + bitsIn(word), 0);
    return this.counted;
  }
  has(id: number): boolean {
    const place = this.population.placed(id);
    return place !== undefined && ((this.words[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
  }
  /** User ids, in the order of the population. */
  *[Symbol.iterator](): Generator<number> {
    for (const [index, bits] of this.words.entries()) {
      for (let word = bits; word !== 0; word &= word - 1)
        yield this.population.at(index * 32 + 31 - Math.clz32(word & -word));
    }
  }

  or(other: People): People {
    if (other === this || isEmpty(other.words)) return this;
    if (isEmpty(this.words)) return other;
    const [longer, shorter] = this.words.length >= other.words.length ? [this, other] : [other, this];
    const words = longer.words.slice();
    shorter.words.forEach((word, index) => {
      words[index] = (words[index] ?? 0) | word;
    });
    return new People(this.population, words);
  }
  and(other: People): People {
    if (other === this) return this;
    return new People(
      this.population,
      this.words.slice(0, other.words.length).map((word, index) => word & (other.words[index] ?? 0)),
    );
  }
  /** Those of this set who are not in the other. */
  minus(other: People): People {
    if (other === this) return this.population.nobody;
    return new People(
      this.population,
      this.words.map((word, index) => word & ~(other.words[index] ?? 0)),
    );
  }
  isWithin(other: People): boolean {
    return other === this || this.words.every((word, index) => (word & ~(other.words[index] ?? 0)) === 0);
  }
  equals(other: People): boolean {
    return this.isWithin(other) && other.isWithin(this);
  }
}

const isEmpty = (words: Uint32Array): boolean => words.every((word) => word === 0);

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
