import { oncePer } from "../model/lazy.ts";
import type { Realm } from "../model/realm.ts";

/**
 * The people whom sets can contain. A set is a bit set with one bit for each person: a set of 50,000 takes 6 KB, and union, intersection and
 * difference are a loop over words. Only sets of one population can be combined.
 */
export class Population {
  /** Id → place + 1, for small ids; 0 is nobody. A server's ids count from 1, so nearly all are small. */
  private dense = new Int32Array(0);
  private readonly others = new Map<number, number>();
  private readonly listed: number[] = [];

  private readonly results = new Map<number, People>();
  private lastSerial = 0;
  readonly nobody: People = new People(this, new Int32Array(0));

  constructor(ids: Iterable<number> = []) {
    for (const id of ids) this.placeOf(id);
  }

  /** A unique number for each set. */
  serial(): number {
    this.lastSerial += 1;
    return this.lastSerial;
  }

  /**
   * Caches the results of the latest operations on two large sets: rights combine the same few sets (members, administrators, a group) for each
   * channel, before a plan and after it.
   */
  combined(operation: 0 | 1 | 2, a: PeopleSet, b: PeopleSet, work: () => People): People {
    if (a.length + b.length < LARGE || a.serial > MOST_SERIAL || b.serial > MOST_SERIAL) return work();
    const key = (a.serial * MOST_SERIAL + b.serial) * 3 + operation;
    const known = this.results.get(key);
    if (known !== undefined) return known;
    if (this.results.size >= MOST_RESULTS) this.results.clear();
    const found = work();
    this.results.set(key, found);
    return found;
  }

  /** @param ids user ids, in any order, duplicates allowed; people who are not in the population yet are added */
  of(ids: Iterable<number>): People {
    const list: readonly number[] = Array.isArray(ids) ? ids : [...ids];
    return list.length === 0 ? this.nobody : new People(this, this.wordsOf(list));
  }

  /**
   * A method of its own: V8 would give up the optimised loop at each creation of a set that follows it. Until it is optimised, an iterator would create an
   * object for each id.
   */
  private wordsOf(list: readonly number[]): Int32Array {
    const most = (this.listed.length + 31) >>> 5;
    // For a long list, the whole set is allocated at once, since it has people from the whole population.
    let words = new Int32Array(list.length > MANY ? most : Math.min(FEW_WORDS, most));
    const { dense } = this;
    for (let at = 0; at < list.length; at += 1) {
      const id = list[at] ?? 0;
      const known = dense[id] ?? 0;
      const place = known === 0 ? this.placeOf(id) : known - 1;
      if (place >>> 5 >= words.length) words = longerWords(words, (place >>> 5) + 1);
      words[place >>> 5] = (words[place >>> 5] ?? 0) | (1 << (place & 31));
    }
    return words;
  }

  /** The place of a person's bit; undefined for somebody who is in no set. */
  placed(id: number): number | undefined {
    if (!isDense(id)) return this.others.get(id);
    const found = this.dense[id] ?? 0;
    return found === 0 ? undefined : found - 1;
  }
  /** The person at a place. */
  at(place: number): number {
    const id = this.listed[place];
    if (id === undefined) throw new RangeError(`nobody has place ${place}`);
    return id;
  }

  private placeOf(id: number): number {
    const known = this.placed(id);
    if (known !== undefined) return known;
    const place = this.listed.length;
    if (isDense(id)) {
      if (id >= this.dense.length) this.makeRoomFor(id);
      this.dense[id] = place + 1;
    } else this.others.set(id, place);
    this.listed.push(id);
    return place;
  }

  private makeRoomFor(id: number): void {
    const larger = new Int32Array(Math.min(DENSE_IDS, Math.max(1024, 2 * this.dense.length, id + 1)));
    larger.set(this.dense);
    this.dense = larger;
  }
}

/** The parts of a set that the cache uses. */
interface PeopleSet {
  readonly serial: number;
  /** In words of 32 people. */
  readonly length: number;
}

/** The initial length of a set, which grows later: many sets have only a few people. */
const FEW_WORDS = 32;
const MANY = 100;
/** Sets are cached from this length. For fewer than 1,000 people, combining two sets takes less time than a look-up in the cache. */
const LARGE = 64;
/** The maximum number of cached results: 512 sets of 50,000 people take 3 MB. */
const MOST_RESULTS = 512;
/** The maximum number of a set, so that two set numbers and an operation fit into one exact number. */
const MOST_SERIAL = 2 ** 25;

/** Ids below this limit are in the table of small ids, with 4 bytes for each: at most 4 MB. */
const DENSE_IDS = 2 ** 20;
const isDense = (id: number): boolean => id >= 0 && id < DENSE_IDS && Number.isInteger(id);

function longerWords(words: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(length, words.length * 2));
  longer.set(words);
  return longer;
}

/** An immutable set of user ids. The words are signed: V8 would create an object for each unsigned one with the highest bit, until it optimises the code. */
export class People {
  private readonly population: Population;
  private readonly words: Int32Array;
  private counted: number | undefined;

  readonly serial: number;

  constructor(population: Population, words: Int32Array) {
    this.population = population;
    this.words = words;
    this.serial = population.serial();
  }

  /** In words of 32 people. */
  get length(): number {
    return this.words.length;
  }

  get size(): number {
    if (this.counted !== undefined) return this.counted;
    let total = 0;
    for (const word of this.words) total += bitsIn(word);
    this.counted = total;
    return total;
  }
  /** A number that is equal for equal sets, and nearly always different for others. */
  get digest(): number {
    let digest = 0;
    for (const [index, word] of this.words.entries())
      if (word !== 0) digest = Math.imul(digest ^ word, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b);
    return digest;
  }
  has(id: number): boolean {
    const place = this.population.placed(id);
    return place !== undefined && ((this.words[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
  }
  /** User ids, in the order of the population; at most `most` of them. For many people, a list is much faster than the generator. */
  ids(most = Number.POSITIVE_INFINITY): readonly number[] {
    // As long as it will be: a list that grows is copied again and again.
    const found = new Array<number>(Math.min(most, this.size));
    let count = 0;
    for (let index = 0; count < found.length; index += 1)
      for (let word = this.words[index] ?? 0; word !== 0 && count < found.length; word &= word - 1) {
        found[count] = this.personOf(index, word);
        count += 1;
      }
    return found;
  }
  /** User ids, in the order of the population. */
  *[Symbol.iterator](): Generator<number> {
    for (const [index, bits] of this.words.entries())
      for (let word = bits; word !== 0; word &= word - 1) yield this.personOf(index, word);
  }
  /** The person of the lowest bit of a word. */
  private personOf(index: number, word: number): number {
    return this.population.at(index * 32 + 31 - Math.clz32(word & -word));
  }

  or(other: People): People {
    return other === this ? this : this.population.combined(0, this, other, () => this.joinedWith(other));
  }
  and(other: People): People {
    return other === this ? this : this.population.combined(1, this, other, () => this.sharedWith(other));
  }
  /** The members of this set who are not in the other. */
  minus(other: People): People {
    if (other === this) return this.population.nobody;
    return this.population.combined(2, this, other, () => this.without(other));
  }

  /** How many of this set are in neither of the others, counted without creating a set. */
  sizeWithout(first: People, second: People): number {
    let total = 0;
    for (let index = 0; index < this.words.length; index += 1) {
      const word = (this.words[index] ?? 0) & ~((first.words[index] ?? 0) | (second.words[index] ?? 0));
      if (word !== 0) total += bitsIn(word);
    }
    return total;
  }

  // Most operations change nothing (administrators are members, a group's members are active); then the result is the set itself. It takes no memory,
  // and a comparison of before and after sees at once that they are equal. If sets differ, the first words usually show it.
  private joinedWith(other: People): People {
    if (other.isWithin(this)) return this;
    if (this.isWithin(other)) return other;
    const [longer, shorter] = this.words.length >= other.words.length ? [this, other] : [other, this];
    const words = longer.words.slice();
    for (let index = 0; index < shorter.words.length; index += 1)
      words[index] = (words[index] ?? 0) | (shorter.words[index] ?? 0);
    return new People(this.population, words);
  }
  private sharedWith(other: People): People {
    if (this.isWithin(other)) return this;
    if (other.isWithin(this)) return other;
    if (this.sharesNone(other)) return this.population.nobody;
    const words = this.words.slice(0, other.words.length);
    for (let index = 0; index < words.length; index += 1)
      words[index] = (words[index] ?? 0) & (other.words[index] ?? 0);
    return new People(this.population, words);
  }
  private without(other: People): People {
    if (this.sharesNone(other)) return this;
    const words = this.words.slice();
    const shared = Math.min(this.words.length, other.words.length);
    for (let index = 0; index < shared; index += 1) words[index] = (words[index] ?? 0) & ~(other.words[index] ?? 0);
    return new People(this.population, words);
  }
  private sharesNone(other: People): boolean {
    const shared = Math.min(this.words.length, other.words.length);
    for (let index = 0; index < shared; index += 1)
      if (((this.words[index] ?? 0) & (other.words[index] ?? 0)) !== 0) return false;
    return true;
  }
  isWithin(other: People): boolean {
    if (other === this) return true;
    for (let index = 0; index < this.words.length; index += 1)
      if (((this.words[index] ?? 0) & ~(other.words[index] ?? 0)) !== 0) return false;
    return true;
  }
  equals(other: People): boolean {
    return this.isWithin(other) && other.isWithin(this);
  }
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The full names that several accounts of a realm have. Reports distinguish such accounts by their addresses. */
const doublesIn = oncePer((realm: Realm): ReadonlySet<string> => {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { full_name } of realm.snapshot.users) (seen.has(full_name) ? twice : seen).add(full_name);
  return twice;
});

/** Whether another account of the organization has this full name. */
export const hasNamesake = (realm: Realm, fullName: string): boolean => doublesIn(realm).has(fullName);
