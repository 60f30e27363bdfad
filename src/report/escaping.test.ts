import { describe, expect, test } from "vitest";
import { codeIn, effectsOf, pageOf } from "../../test/support/forge-page.mjs";
import { clean } from "../model/clean.ts";
import { escapeHtml, foreign, guardHtml, placeHtml } from "./html-page.ts";
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
    ["", '`""`'],
    ["plain name", "`plain name`"],
    [" ", "` `"],
    [" a", "` a`"],
    [" a ", "`  a  `"],
    ["&amp;", "`&amp;`"],
    ["</code><img>", "`</code><img>`"],
    ["a`b", "``a`b``"],
    ["`x`", "`` `x` ``"],
    ["```", "```` ``` ````"],
    ["*_~", "`*_~`"],
    ["[a](b)!", "`[a](b)!`"],
    ["a|b", "`a|b`"],
    ["@all", "`@all`"],
    ["a@b.example", "`a@b.example`"],
    ["\\:$", "`\\:$`"],
    [":tada:", "`:tada:`"],
    ["https://a.example", "`https://a.example`"],
    ["two\nlines", "`two\\nlines`"],
    ["\u202eback", "`\\u202eback`"],
  ])("%j is %s, and a page shows it as it is", (text, safe) => {
    expect(codeText(text)).toBe(safe);
    expect(codeIn(pageOf(`*a* ${safe} *b*`))).toEqual([text === "" ? '""' : clean(text)]);
  });

  test("is shown from its beginning, however long it is", () => {
    const shown = nameText("x".repeat(500));
    expect(shown).toMatch(/^`x{200,240}… \(500 characters\)`$/);
    expect(nameText("x".repeat(200))).toBe(`\`${"x".repeat(200)}\``);
  });
});

describe("a sentence in Markdown", () => {
  test.each([
    ["becomes readable by 31 more people", "becomes readable by 31 more people"],
    ["#incidents becomes readable", "`#incidents` becomes readable"],
    ["renames #a: it (and #b, too) isn't there!", "renames `#a`: it (and `#b`, too) isn't there!"],
    ["ask @all now", "ask `@all` now"],
    ["see https://a.example now", "see `https://a.example` now"],
    ["see www.a.example now", "see `www.a.example` now"],
    ["on chat.example.org and 127.0.0.1:9911", "on chat.example.org and `127.0.0.1:9911`"],
    ["a :tada: b", "a `:tada`: b"],
    ["in deadbee and deadbe", "in `deadbee` and deadbe"],
    ["GH-12 and gh12", "`GH-12` and gh12"],
    ["it says `two words` here", "it says `two words` here"],
    ["it says `@all *x*` here", "it says `@all *x*` here"],
    ["`a``b`", "`a` `b`"],
    ["#a`b`#c", "`#a` `b` `#c`"],
    ["half a `quotation", "half a `` `quotation ``"],
    ["the private channel 12 opens", "the private channel 12 opens"],
    ["#private channel 12 opens", "`#private channel 12` opens"],
    ["#new private channel 3 opens", "`#new private channel 3` opens"],
    ["*bold* <b> and [a](b)", "`*bold*` `<b>` and `[a](b`)"],
    ["can_administer_channel_group", "`can_administer_channel_group`"],
    ["30% of 1,234, and/or 5 %", "30% of 1,234, and/or 5 `%`"],
    ["back\\ $x$ !7 ~label %1 &2 {+a+}", "`back\\` `$x$` `!7` `~label` `%1` `&2` {`+a+`}"],
    ["policy: {limits: {channels: 3}}", "policy: {limits: {channels: 3}}"],
    ["{- a -}", "{`-` a `-`}"],
    ["/merge now", "`/merge` now"],
    ["1. is no list", "`1.` is no list"],
    ["21) is no list", "`21)` is no list"],
    [" 1. is no list, either", "`1.` is no list, either"],
    ["a 1. stays", "a 1. stays"],
    ["- is no list", "`-` is no list"],
    ["+ is no list", "`+` is no list"],
    ["=== is no heading", "`===` is no heading"],
    ["a - b + c = d", "a - b + c = d"],
    ["many    blanks", "many blanks"],
    ["two\nlines", "`two\\nlines`"],
  ])("%s", (text, safe) => {
    expect(proseText(text)).toBe(safe);
    expect(effectsOf(pageOf(safe))).toEqual([]);
  });

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
