import { bounded, clean, PLAIN } from "./style.ts";

/** The maximum length of a name and of a sentence in Markdown, in UTF-16 units, so that long values leave room for others. */
const LONGEST_NAME = 240;
const LONGEST_SENTENCE = 600;

/**
 * Foreign text for GitHub's Markdown. All text from the server or a file is in `<code>`, where GitHub creates no mentions, references, links or
 * emoji, and every character with a meaning in Markdown or HTML is an entity.
 */
export function codeText(text: string): string {
  return text === "" ? "<code>&quot;&quot;</code>" : `<code>${entities(clean(text))}</code>`;
}

/** {@link codeText} for names: of a very long one, the beginning and the length. */
export function nameText(name: string): string {
  return codeText(bounded(PLAIN, name, LONGEST_NAME));
}

/** {@link proseText} for sentences that may quote a value of any length. */
export function sentenceText(text: string): string {
  return proseText(bounded(PLAIN, text, LONGEST_SENTENCE));
}

/**
 * One entity for each character that could end the element, or begin anything else; `www.` becomes a link without any of them.
 * GitHub searches for addresses after it decoded entities, also in code, but only within one text node: so the sign has its own element.
 */
function entities(text: string): string {
  return text
    .replace(/[&<>`*_[\]!|~@\\:$]/g, (character) =>
      character === "@" ? "<span>&#64;</span>" : `&#${character.charCodeAt(0)};`,
    )
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}&#46;`);
}

// Texts that GitHub turns into a mention, a reference, a link or a picture even if their characters are written as entities.
const ALIVE = /[@#]|:\/|www\.|:[\w+-]+:|\b[0-9a-f]{7,64}\b|\b[a-z][\w]*-\d+/i;

// The parts of a sentence that stay together: quotations in backticks, and replacements of hidden names.
const WORDS = /(`[^`]+`|#?(?:new )?private channel \d+| +)/;

/** A sentence with foreign words in it ("#incidents becomes readable by 31 more people"). Words that would be active on GitHub are put in code. */
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

/** A path as part of a URL: everything except letters, digits and `-._/` is percent-encoded. */
export function urlPath(path: string): string {
  return path
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/");
}
