/** Command → words that follow its name, each after a space; with {@link PART} behind it, those of one that says which part of the file it is about. */
export type AdvisedWords = { readonly [command: string]: string };

export const PART = "--only";

/** A sentence with advice, whose commands can be run as they are: with the file, the account and the guard rails of the command that gives it. */
export function runnable(text: string, words: AdvisedWords = {}): string {
  return text.replaceAll(
    /\brealmctl ([a-z]+)(?! \S+\.ya?ml)(?![\w-])(?=( --only| --except| --with-needs)?)/g,
    (whole, command: string, part: string | undefined) => {
      const own = part === undefined ? command : `${command} ${PART}`;
      return Object.hasOwn(words, own) ? `${whole}${words[own]}` : whole;
    },
  );
}
