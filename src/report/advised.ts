/** Command → words that follow its name, each after a space. */
export type AdvisedWords = { readonly [command: string]: string };

/** A sentence with advice, whose commands can be run as they are: with the file and the account of the command that gives it. */
export function runnable(text: string, words: AdvisedWords = {}): string {
  return text.replaceAll(/\brealmctl ([a-z]+)(?! \S+\.ya?ml)(?![\w-])/g, (whole, command: string) =>
    Object.hasOwn(words, command) ? `${whole}${words[command]}` : whole,
  );
}
