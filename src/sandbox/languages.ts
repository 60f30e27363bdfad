/** Codes of the languages that users can choose, because enough of the server's interface is translated (zulip-api.md §12.1). */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "ar bg bqi ca cs cy da de el en en-gb es fa fi fr gu hi hu id it ja ko lt mn nl pl pt pt-pt ro ru si sl sr sv ta " +
    "tl tr uk vi zh-hans zh-tw"
  ).split(" "),
);
export const isLanguage = (code: string): boolean => LANGUAGES.has(code);
