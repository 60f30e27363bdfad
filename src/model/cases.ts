import type { Words } from "./diagnostics/words.ts";

type AnyText = Words | string | readonly string[] | undefined;

/** A text that is the same for every fact with this word, or what makes it of the other facts. */
type Row<Text> = Text | ((fact: never, ...more: never) => Text);
type Rows<Text> = { readonly [word: string]: Row<Text> };

type Flat<Fact> = { readonly [Name in keyof Fact]: Fact[Name] };
type FactsOf<Table> = {
  [Word in keyof Table]: Table[Word] extends (fact: infer Fact extends object, ...more: never) => unknown
    ? Fact
    : object;
};
/** A fact of each row: its word, and what the row's text is made of. */
type Case<Key extends string, Table> = {
  [Word in keyof Table]: Flat<{ readonly [Name in Key]: Word } & FactsOf<Table>[Word]>;
}[keyof Table];
/** What some of the rows need besides the fact: all of these the same. */
type More<Table> = {
  [Word in keyof Table]: Table[Word] extends (fact: never, ...more: infer Others) => unknown ? Others : [];
}[keyof Table];
type Needs<Table> = [Exclude<More<Table>, []>] extends [never] ? [] : Exclude<More<Table>, []>;

/** The members of a union with this word. */
type With<Fact, Key extends keyof Fact, Word> = Fact extends unknown ? (Word extends Fact[Key] ? Fact : never) : never;

/**
 * The texts of a fact whose cases have different facts: a row for each word that `key` can have. The type of the fact follows from the rows
 * ({@link FactIn}), so that a case stands in one place.
 */
export function cases<const Key extends string, Text extends AnyText, Table extends Rows<Text>>(
  key: Key,
  rows: Table & Rows<Text>,
): (fact: Case<Key, Table>, ...more: Needs<Table>) => Text;
/** The same for facts whose type is given elsewhere, by a schema. */
export function cases<Fact, Key extends keyof Fact & string, Text = string, Others extends readonly unknown[] = []>(
  key: Key,
  rows: {
    readonly [Word in Fact[Key] & string]: Text | ((fact: With<Fact, Key, Word>, ...others: Others) => Text);
  },
): (fact: Fact, ...others: Others) => Text;
export function cases(
  key: string,
  rows: { readonly [word: string]: AnyText | ((fact: object, ...more: unknown[]) => unknown) },
) {
  return (fact: { readonly [name: string]: string }, ...more: unknown[]): unknown => {
    const row = rows[fact[key] ?? ""];
    return typeof row === "function" ? row(fact, ...more) : row;
  };
}

/** The facts that a table of {@link cases} has rows for. */
export type FactIn<Table extends (fact: never, ...more: never) => unknown> = Parameters<Table>[0];
