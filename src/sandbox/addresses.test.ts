import { describe, expect, test } from "vitest";
import { isEmailAddress, isUrl } from "./addresses.ts";

const LABEL_63 = "a".repeat(63);

describe("an e-mail address", () => {
  test.each([
    "a@b.cc",
    "A.b+c@x.example",
    "a@localhost",
    "'a!#$%&*/=?^_`{|}~-@x.example",
    '"a.."@x.example',
    '"a\\ b"@x.example',
    '"\x01"@x.example',
    "a@[127.0.0.1]",
    "a@[::1]",
    "a@bücher.example",
    "a@x.xn--p1ai",
    `a@${LABEL_63}.example`,
    `${"a".repeat(310)}@b.example`,
  ])("%j", (address) => expect(isEmailAddress(address)).toBe(true));

  test.each([
    "",
    "a",
    "@x.example",
    "a@",
    "a@b",
    "a@b.c",
    "a@x.c1",
    "a@.example",
    "a@x..example",
    "a@-x.example",
    "a@x-.example",
    "a@x.example.",
    "a@x.example\n",
    "a b@x.example",
    ".a@x.example",
    "a..b@x.example",
    "é@x.example",
    '"a b"@x.example',
    '"é"@x.example',
    "a@[127.0.0.256]",
    "a@[IPv6:::1]",
    "a@😀.example",
    `a@${LABEL_63}a.example`,
    `${"a".repeat(311)}@b.example`,
  ])("not %j", (address) => expect(isEmailAddress(address)).toBe(false));
});

describe("a web address", () => {
  test.each([
    "https://x.example",
    "HTTP://X.EXAMPLE:80/p?q#f",
    "ftp://u:p@x.example/",
    "ftps://127.0.0.1",
    "http://localhost:12345",
    "http://[::1]:80/",
    "https://x.example.",
    "https://bücher.example/ü",
  ])("%j", (url) => expect(isUrl(url)).toBe(true));

  test.each([
    "",
    "x.example",
    "//x.example",
    "mailto:a@x.example",
    "javascript://x.example",
    "https://x",
    "https://x.c",
    "https:///p",
    "https://x.example/a b",
    "https://x.example\n",
    "https://x.example:123456",
    "https://256.1.1.1",
    "https://[::g]",
    "https://😀.example",
    `https://x.example/${"a".repeat(2048)}`,
  ])("not %j", (url) => expect(isUrl(url)).toBe(false));
});
