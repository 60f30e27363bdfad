import { bounded, clean, PLAIN } from "./style.ts";

/** UTF-16 units of a name in Markdown, and of a sentence: however long a value is, it leaves room for all the others. */
const LONGEST_NAME = 240;
const LONGEST_SENTENCE = 600;

/**
 * Foreign text for GitHub's Markdown. Everything that came from the server or a file stands in `<code>`, where GitHub makes no
 * mentions, references, links or emoji of it, and every character that means something to Markdown or HTML is an entity there.
 */
export function codeText(text: string): string {
  return text === "" ? "<code>&quot;&quot;</code>" : `<code>${entities(clean(text))}</code>`;
}

/** {@link codeText} of a name, which may be as long as a file is: its beginning and its length. */
export function nameText(name: string): string {
  return codeText(bounded(PLAIN, name, LONGEST_NAME));
}

/** {@link proseText} of a sentence that may quote a value of any length. */
export function sentenceText(text: string): string {
  return proseText(bounded(PLAIN, text, LONGEST_SENTENCE));
}

/**
 * One entity for each character that could end the element, or begin anything else; `www.` becomes a link without any of them.
 * Addresses are looked for once entities are characters again, in code too, but only within one text: the sign has an element of its own.
 */
function entities(text: string): string {
  return text
    .replace(/[&<>`*_[\]!|~@\\:$]/g, (character) =>
      character === "@" ? "<span>&#64;</span>" : `&#${character.charCodeAt(0)};`,
    )
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}&#46;`);
}

// What GitHub turns into a mention, a reference, a link or a picture even when its characters are written as entities.
const ALIVE = /[@#]|:\/|www\.|:[\w+-]+:|\b[0-9a-f]{7,64}\b|\b[a-z][\w]*-\d+/i;

// What belongs together in such a sentence: what it quotes in backticks, and what hidden names are called.
const WORDS = /(`[^`]+`|#?(?:new )?private channel \d+| +)/;

/** A sentence with foreign words in it ("#incidents becomes readable by 31 more people"). Words that GitHub would bring to life stand in code. */
export function proseText(text: string): string {
  return clean(text)
    .split(WORDS)
    .map((word, index) => {
      if (word === "" || word.startsWith(" ")) return word === "" ? "" : " ";
      if (/^`.+`$/.test(word)) return codeText(word.slice(1, -1));
      if (ALIVE.test(word)) return `<code>${entities(word)}</code>`;
      // A list item, a heading or a quotation begins at the start of a line only; entities do not begin one.
      const safe = entities(word);
      return index === 0
        ? safe.replace(/^(\d+)\./, "$1&#46;").replace(/^[-+=]/, (first) => `&#${first.charCodeAt(0)};`)
        : safe;
    })
    .join("");
}

/** A path as part of an address: everything but letters, digits and `-._/` as percent signs. */
export function urlPath(path: string): string {
  return path
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/");
}
