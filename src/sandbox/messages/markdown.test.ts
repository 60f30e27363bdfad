import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** POST /messages/render: one row per construct, as the server renders it. */
const render = async (realm: TestRealm, content: string): Promise<unknown> =>
  (await realm.call("member", "POST", "/messages/render", { content })).body.rendered;

const mention = (id: number, name: string) => `<span class="user-mention" data-user-id="${id}">@${name}</span>`;
const CAR = '<span aria-label="car" class="emoji emoji-1f697" role="img" title="car">:car:</span>';
const code = (text: string, language = "") =>
  `<div class="codehilite"${language}><pre><span></span><code>${text}</code></pre></div>`;

describe("inside paragraphs", () => {
  test.each<readonly [content: string, html: string]>([
    ["plain", "plain"],
    ["a & b < c > d \"e\" 'f'", "a &amp; b &lt; c &gt; d \"e\" 'f'"],
    ["one\ntwo", "one<br>\ntwo"],
    ["**bold** *stressed* ~~struck~~", "<strong>bold</strong> <em>stressed</em> <del>struck</del>"],
    ["***both***", "<strong><em>both</em></strong>"],
    ["**a *b* `c` d**", "<strong>a <em>b</em> <code>c</code> d</strong>"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["`**<b>**` and ``a ` b``", "<code>**&lt;b&gt;**</code> and <code>a ` b</code>"],
    [
      "see https://example.org/a?b=1&c.",
      'see <a href="https://example.org/a?b=1&amp;c">https://example.org/a?b=1&amp;c</a>.',
    ],
    ["[**here**](https://example.org)", '<a href="https://example.org"><strong>here</strong></a>'],
    ["[file](/user_uploads/2/a/b.txt)", '<a href="/user_uploads/2/a/b.txt">file</a>'],
    ["[page](example.org)", '<a href="http://example.org">page</a>'],
    ["[here](http://localhost:9911/#narrow/is/dm)", '<a href="#narrow/is/dm">here</a>'],
    ["[bad](javascript:1)", "[bad](javascript:1)"],
    ["@**Elif Demir** and @**elif demir|10**", `${mention(10, "Elif Demir")} and ${mention(10, "Elif Demir")}`],
    ["@_**Elif Demir|10**", '<span class="user-mention silent" data-user-id="10">Elif Demir</span>'],
    ["@**Nobody** x@**Elif Demir**", "@<strong>Nobody</strong> x@<strong>Elif Demir</strong>"],
    ["@**all**", '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span>'],
    ["@**topic**", '<span class="topic-mention">@topic</span>'],
    ["@*role:members*", '<span class="user-group-mention" data-user-group-id="14">@role:members</span>'],
    ["#**general**", '<a class="stream" data-stream-id="3" href="/#narrow/channel/3-general">#general</a>'],
    [
      "#**general>a b**",
      '<a class="stream-topic" data-stream-id="3" href="/#narrow/channel/3-general/topic/a.20b">#general &gt; a b</a>',
    ],
    [
      "#**general>**",
      '<a class="stream-topic" data-stream-id="3" href="/#narrow/channel/3-general/topic/">#general &gt; <em>general chat</em></a>',
    ],
    [
      "#**general>a@24**",
      '<a class="message-link" href="/#narrow/channel/3-general/topic/a/near/24">#general &gt; a @ 💬</a>',
    ],
    ["#**nowhere**", "#<strong>nowhere</strong>"],
    [":car: :nosuchemoji: 10:30:00", `${CAR} :nosuchemoji: 10:30:00`],
  ])("%j", async (content, html) => {
    expect(await render(testRealm(), content)).toBe(`<p>${html}</p>`);
  });
});

describe("blocks", () => {
  test.each<readonly [content: string, html: string]>([
    ["one\n\n\ntwo", "<p>one</p>\n<p>two</p>"],
    ["# One\n### *Two*\ntext", "<h1>One</h1>\n<h3><em>Two</em></h3>\n<p>text</p>"],
    ["a\n\n---\n\nb", "<p>a</p>\n<hr>\n<p>b</p>"],
    ["text\n* a\n* **b**", "<p>text</p>\n<ul>\n<li>a</li>\n<li><strong>b</strong></li>\n</ul>"],
    ["1. a\n2. b\n\nend", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<p>end</p>"],
    ["> a\nb\n\nc", "<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n<p>c</p>"],
    ["```quote\na **b**\n```\nc", "<blockquote>\n<p>a <strong>b</strong></p>\n</blockquote>\n<p>c</p>"],
    ["```\n<b>\n\n**c**\n```", code("&lt;b&gt;\n\n**c**\n")],
    ["~~~~ Python\na\n~~~\n~~~~", code("a\n~~~\n", ' data-code-language="Python"')],
    ["```\nopen", code("open\n")],
    [
      "```spoiler Who?\nme\n```",
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>Who?</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>me</p>\n</div></div>',
    ],
  ])("%j", async (content, html) => {
    expect(await render(testRealm(), content)).toBe(html);
  });
  test("hostile texts finish in time", async () => {
    const realm = testRealm();
    for (const part of [
      "*",
      "**a",
      "`",
      "[",
      "[a](",
      "> ",
      "* ",
      "\ue0000\ue001",
      ":a",
      "@**",
      "#**a>",
      "http://",
      "```\n",
    ])
      expect(typeof (await render(realm, part.repeat(2_000)))).toBe("string");
  });
});
