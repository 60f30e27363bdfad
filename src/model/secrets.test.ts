import { expect, test } from "vitest";
import { isWordForKey, withoutKeys } from "./secrets.ts";

const HEX = "abcdefabcdefabcdefabcdefabcdefab";
const MADE = "q7Wm2ZsT9xKd4LbV8nRc5YhJ1uPf6GaE";
const STARS = "*".repeat(32);

test.each([
  [`  deploy-bot: {api_key: ${HEX}}`, `  deploy-bot: {api_key: ${STARS}}`],
  [`api_key: "${HEX}"`, `api_key: "${STARS}"`],
  [`"ZULIP_API_KEY":"${HEX}"`, `"ZULIP_API_KEY":"${STARS}"`],
  [`Token = '${HEX}'`, `Token = '${STARS}'`],
  [`description: ${MADE}`, `description: ${STARS}`],
  [`must be a map, not the string "${MADE}"`, `must be a map, not the string "${STARS}"`],
])("%s: a key is not shown", (text, shown) => expect(withoutKeys(text)).toBe(shown));

test.each([
  ["a digest of MD5", `pattern: ${HEX}`],
  ["a longer digest", `key: ${HEX}${HEX}`],
  ["a longer word", `https://docs.example.org/${MADE}x`],
  ["a long word", "name: TheWordThatHasThirtyTwoCharacter"],
])("%s is shown", (_, text) => expect(withoutKeys(text)).toBe(text));

test.each(["api_key", "apiKey", "api-key", "ZULIP_API_KEY", "token", "password"])("%s is a word for a key", (word) =>
  expect(isWordForKey(word)).toBe(true),
);
test.each(["key", "keys", "monkey"])("%s may be another word", (word) => expect(isWordForKey(word)).toBe(false));
