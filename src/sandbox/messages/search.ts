import type { Message } from "../rows/messages.ts";

/**
 * Full-text search, as far as possible without a database: whole words, ignoring case and the most common endings, in content and topic. Text in
 * double quotes must occur exactly.
 */
export function searchTest(text: string): (message: Message) => boolean {
  const wanted = stemsOf(text);
  const phrases = [...text.matchAll(/"([^"]+)"/g)].map(([, phrase = ""]) => phrase.toLowerCase());
  return (message) => {
    const said = `${message.content} ${message.topic}`;
    const stems = stemsOf(said);
    const isThere = (phrase: string) => [message.content, message.topic].some((where) => lower(where).includes(phrase));
    return wanted.size > 0 && [...wanted].every((stem) => stems.has(stem)) && phrases.every(isThere);
  };
}

/** A search adds two fields to every message: its HTML and its topic, with the words found highlighted. */
export function searchFields(message: Message, text: string) {
  const wanted = stemsOf(text);
  return {
    match_content: marked(message.rendered_content, wanted),
    match_subject: marked(escaped(message.topic), wanted),
  };
}

const WORD = /[\p{L}\p{N}_]+/gu;
const lower = (text: string): string => text.toLowerCase();
const stemsOf = (text: string): ReadonlySet<string> =>
  new Set([...lower(text).matchAll(WORD)].map(([word]) => stem(word)));
const stem = (word: string): string => word.replace(/(?<=...)(?:ing|ed|ly|es|s|e)$/, "");

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&${ENTITIES[character] ?? ""};`);
const ENTITIES: { readonly [character: string]: string } = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "#39",
};

/** Matches words in text, not in tags. */
function marked(html: string, wanted: ReadonlySet<string>): string {
  return html.replace(/<[^>]*>|[\p{L}\p{N}_]+/gu, (part) =>
    !part.startsWith("<") && wanted.has(stem(lower(part))) ? `<span class="highlight">${part}</span>` : part,
  );
}
