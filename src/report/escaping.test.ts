import { describe, expect, test } from "vitest";
import { escapeHtml, foreign, guardHtml, placeHtml } from "./html-text.ts";
import { codeText, nameText, proseText, sentenceText, urlPath } from "./markdown-text.ts";

// Names from the server or a file appear in pages and comments unchanged, and have no effect there.

describe("a text in a page", () => {
  test.each([
    ["&", "&amp;"],
    ["<", "&lt;"],
    [">", "&gt;"],
    ['"', "&quot;"],
    ["'", "&#39;"],
    ["`", "&#96;"],
    ["=", "&#61;"],
    ["&lt;", "&amp;lt;"],
    ["<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"],
    ["a=b onclick='x'", "a&#61;b onclick&#61;&#39;x&#39;"],
    ["plain, #text (of) {all} kinds!", "plain, #text (of) {all} kinds!"],
    ["two\nlines", "two\\nlines"],
    ["\u202eback", "\\u202eback"],
  ])("%s", (text, safe) => {
    expect(escapeHtml(text)).toBe(safe);
    expect(foreign(text)).toBe(`<bdi>${safe}</bdi>`);
  });

  test("the place of a line, and no place", () => {
    const at = { file: "a<b.yaml", line: 40, column: 1, endLine: 40, endColumn: 2 };
    expect(placeHtml(at)).toBe(' <span class="at"><bdi>a&lt;b.yaml:40</bdi></span>');
    expect(placeHtml(undefined)).toBe("");
  });

  test("a guard, with the option that allows it on a separate line", () => {
    const html = guardHtml({ name: "lockout", fact: { about: { kind: "nobody-locked-out" } } });
    expect(html).toMatch(
      /^<li data-item>✋ <bdi>[^<]+<\/bdi>(<br><span class="dim"><bdi>[^<]+<\/bdi><\/span>)?<\/li>$/,
    );
  });
});

describe("a name in Markdown", () => {
  test.each([
    ["", "<code>&quot;&quot;</code>"],
    ["plain name", "<code>plain name</code>"],
    ["&amp;", "<code>&#38;amp;</code>"],
    ["</code><img>", "<code>&#60;/code&#62;&#60;img&#62;</code>"],
    ["`x`", "<code>&#96;x&#96;</code>"],
    ["*_~", "<code>&#42;&#95;&#126;</code>"],
    ["[a](b)!", "<code>&#91;a&#93;(b)&#33;</code>"],
    ["a|b", "<code>a&#124;b</code>"],
    ["@all", "<code><span>&#64;</span>all</code>"],
    ["a@b.example", "<code>a<span>&#64;</span>b.example</code>"],
    ["\\:$", "<code>&#92;&#58;&#36;</code>"],
    [":tada:", "<code>&#58;tada&#58;</code>"],
    ["https://a.example", "<code>https&#58;//a.example</code>"],
    ["www.a.example WWW.b", "<code>www&#46;a.example WWW&#46;b</code>"],
    ["two\nlines", "<code>two&#92;nlines</code>"],
  ])("%s", (text, safe) => expect(codeText(text)).toBe(safe));

  test("is shown from its beginning, however long it is", () => {
    const shown = nameText("x".repeat(500));
    expect(shown).toMatch(/^<code>x{200,240}… \(500 characters\)<\/code>$/);
    expect(nameText("x".repeat(200))).toBe(`<code>${"x".repeat(200)}</code>`);
  });
});

describe("a sentence in Markdown", () => {
  test.each([
    ["becomes readable by 31 more people", "becomes readable by 31 more people"],
    ["#incidents becomes readable", "<code>#incidents</code> becomes readable"],
    ["ask @all now", "ask <code><span>&#64;</span>all</code> now"],
    ["see https://a.example now", "see <code>https&#58;//a.example</code> now"],
    ["see www.a.example now", "see <code>www&#46;a.example</code> now"],
    ["a :tada: b", "a <code>&#58;tada&#58;</code> b"],
    ["in deadbee and deadbe", "in <code>deadbee</code> and deadbe"],
    ["GH-12 and gh12", "<code>GH-12</code> and gh12"],
    ["it says `two words` here", "it says <code>two words</code> here"],
    ["it says `@all *x*` here", "it says <code><span>&#64;</span>all &#42;x&#42;</code> here"],
    ["the private channel 12 opens", "the private channel 12 opens"],
    ["#private channel 12 opens", "<code>#private channel 12</code> opens"],
    ["#new private channel 3 opens", "<code>#new private channel 3</code> opens"],
    ["*bold* <b>", "&#42;bold&#42; &#60;b&#62;"],
    ["1. is no list", "1&#46; is no list"],
    ["21. is no list", "21&#46; is no list"],
    ["a 1. stays", "a 1. stays"],
    ["- is no list", "&#45; is no list"],
    ["+ is no list", "&#43; is no list"],
    ["=== is no heading", "&#61;== is no heading"],
    ["a - b + c = d", "a - b + c = d"],
    ["many    blanks", "many blanks"],
    ["two\nlines", "two&#92;nlines"],
  ])("%s", (text, safe) => expect(proseText(text)).toBe(safe));

  test("is shown from its beginning, however long it is", () => {
    expect(sentenceText(`says ${"x".repeat(1000)}`)).toMatch(/^says x{500,600}… \(1,005 characters\)$/);
    expect(sentenceText("short")).toBe("short");
  });
});

test.each([
  ["a/b.yaml", "a/b.yaml"],
  ["a b/ü.yaml", "a%20b/%C3%BC.yaml"],
  ["a!'()*b", "a%21%27%28%29%2Ab"],
  ["x?y#z&w", "x%3Fy%23z%26w"],
  ["a-b._~", "a-b._~"],
])("a path in an address: %s", (path, url) => expect(urlPath(path)).toBe(url));
