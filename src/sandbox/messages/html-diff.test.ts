import { expect, test } from "vitest";
import { edit, say } from "../../../test/support/sandbox/messages.ts";
import { testRealm } from "../../../test/support/sandbox/realm.ts";
import { markedDifferences } from "./html-diff.ts";

/** The results of lxml 6.1 (`lxml.html.diff.htmldiff`, with its marks named as on the server); some inputs are random. */
const FACTS: readonly [before: string, after: string, marked: string][] = [
  [
    "<p>Hello!</p>",
    "<p>Howdy!</p>",
    '<div><p><span class="highlight_text_inserted">Howdy!</span></p> <p><span class="highlight_text_deleted">Hello!</span></p></div>',
  ],
  [
    "<p>content before edit</p>",
    "<p>content after edit</p>",
    '<p>content <span class="highlight_text_inserted">after</span> <span class="highlight_text_deleted">before</span> edit</p>',
  ],
  [
    "<p>first</p>",
    "<p>second</p>",
    '<div><p><span class="highlight_text_inserted">second</span></p> <p><span class="highlight_text_deleted">first</span></p></div>',
  ],
  [
    "<p>I am <em>wrong</em></p>",
    "<p>I am <strong>right</strong></p>",
    '<p>I am <span class="highlight_text_inserted"><strong>right</strong></span> <span class="highlight_text_deleted"><em>wrong</em></span> </p>',
  ],
  [
    "<p>a b c d e f g h</p>",
    "<p>a b x d e f g h i</p>",
    '<p> <span class="highlight_text_inserted">a b x</span> <span class="highlight_text_deleted">a b c</span> d e f g h <span class="highlight_text_inserted">i</span> </p>',
  ],
  [
    "<p>content before edit, line 1</p>\n<p>content before edit, line 3</p>",
    "<p>content before edit, line 1<br>\ncontent after edit, line 2<br>\ncontent before edit, line 3</p>",
    '<p>content before edit, line 1<br> content <span class="highlight_text_inserted">after edit, line 2<br> content</span> before edit, line 3</p>',
  ],
  [
    '<p>see <a href="https://a.example">here</a> now</p>',
    '<p>see <a href="https://b.example">here</a> now</p>',
    '<p>see <a href="https://b.example">here <span class="highlight_text_inserted"> Link: https://b.example</span> </a> <span class="highlight_text_inserted">now</span> <span class="highlight_text_deleted"> Link: https://a.example  now</span> </p>',
  ],
  [
    "<p>one</p>",
    "<p>one</p>\n<p>two</p>",
    '<div><p>one</p> <p><span class="highlight_text_inserted">two</span></p></div>',
  ],
  [
    "<p>one</p>\n<p>two</p>",
    "<p>one</p>",
    '<div><p>one</p> <p><span class="highlight_text_deleted">two</span></p></div>',
  ],
  [
    "<ul>\n<li>a</li>\n<li>b</li>\n</ul>",
    "<ul>\n<li>a</li>\n<li>c</li>\n<li>b</li>\n</ul>",
    '<ul><li>a</li> <li><span class="highlight_text_inserted">c</span></li> <li>b</li> </ul>',
  ],
  [
    "<p>x &amp; y</p>",
    "<p>x &lt; y \" '</p>",
    '<div><p><span class="highlight_text_inserted">x &lt; y " \'</span></p> <p><span class="highlight_text_deleted">x &amp; y</span></p></div>',
  ],
  [
    "",
    "<p>new</p>",
    '<div><p><span class="highlight_text_inserted">new</span></p> <span class="highlight_text_deleted"></span></div>',
  ],
  [
    "<p>gone</p>",
    "",
    '<div><span class="highlight_text_inserted"></span> <p><span class="highlight_text_deleted">gone</span></p></div>',
  ],
  ["<p>same</p>", "<p>same</p>", "<p>same</p>"],
  [
    '<p>hi <span class="user-mention" data-user-id="9">@Dmitri</span> you</p>',
    '<p>hi <span class="user-mention" data-user-id="10">@Emeka</span> you</p>',
    '<p>hi <span class="highlight_text_inserted"><span class="user-mention" data-user-id="10">@Emeka</span></span> <span class="highlight_text_deleted"><span class="user-mention" data-user-id="9">@Dmitri</span></span> you</p>',
  ],
  [
    "<p>a</p>",
    "<ul>\n<li>a</li>\n<li>b</li>\n</ul>",
    '<ul><li>a</li> <li><span class="highlight_text_inserted">b</span></li> </ul>',
  ],
  [
    "<blockquote>\n<p>q</p>\n</blockquote>\n<p>w</p>",
    "<p>w z</p>",
    '<div><blockquote><p><span class="highlight_text_deleted">q</span></p><span class="highlight_text_deleted"> </span></blockquote> <p>w <span class="highlight_text_inserted">z</span> </p></div>',
  ],
  [
    "<p>one two three four five six</p>",
    "<p>one <strong>two three</strong> four six seven</p>",
    '<p>one <strong>two three</strong> four <span class="highlight_text_inserted">six seven</span> <span class="highlight_text_deleted">five six</span> </p>',
  ],
  [
    '<p>pic <img class="emoji" src="/a.png" alt=":a:"> end</p>',
    '<p>pic <img class="emoji" src="/b.png" alt=":b:"> end</p>',
    '<p>pic <span class="highlight_text_inserted"><img class="emoji" src="/b.png" alt=":b:"></span> <span class="highlight_text_deleted"><img class="emoji" src="/a.png" alt=":a:"></span> end</p>',
  ],
  [
    "<p><code>x</code></p>",
    "<p><code>y</code> z</p>",
    '<div><p><span class="highlight_text_inserted"><code>y</code> z</span></p> <p><span class="highlight_text_deleted"><code>x</code></span></p></div>',
  ],
  [
    "<p><em>d a</em> a c <strong>g</strong> e c <strong>g</strong></p>",
    "<ul>\n<li>g</li>\n</ul>",
    '<div><span class="highlight_text_deleted"><em>d a</em> a c</span> <ul><li>g</li> </ul> <span class="highlight_text_deleted">e c <strong>g</strong></span></div>',
  ],
  [
    "<p>c d d <strong>a</strong> a e</p>\n<p>e</p>",
    "<p>a</p>",
    '<div><p> <span class="highlight_text_deleted">c d d</span> a</p> <span class="highlight_text_deleted">a e </span><p><span class="highlight_text_deleted">e</span></p></div>',
  ],
  [
    "<ul>\n<li>b</li>\n</ul>",
    "<p>f a <em>a d</em> f b g g d</p>",
    '<div><p><span class="highlight_text_inserted">f a <em>a d</em> f b g g d</span></p> <ul><li><span class="highlight_text_deleted">b</span></li><span class="highlight_text_deleted"> </span></ul></div>',
  ],
  [
    "<ul>\n<li>b</li>\n<li>c</li>\n<li>c</li>\n</ul>",
    "<p>g d c d <em>c e</em> d e d</p>",
    '<div><p><span class="highlight_text_inserted">g d c d <em>c e</em> d e d</span></p> <ul><li><span class="highlight_text_deleted">b</span></li><span class="highlight_text_deleted"> </span><li><span class="highlight_text_deleted">c</span></li><span class="highlight_text_deleted"> </span><li><span class="highlight_text_deleted">c</span></li><span class="highlight_text_deleted"> </span></ul></div>',
  ],
  [
    "<p>e b d</p>\n<p>g e f</p>",
    "<p>a a <strong>f</strong> <em>g b</em> a <strong>g</strong> b</p>\n<p>g f f</p>",
    '<div><p><span class="highlight_text_inserted">a a <strong>f</strong> <em>g b</em> a <strong>g</strong> b</span></p><span class="highlight_text_inserted"> </span><p><span class="highlight_text_inserted">g f f</span></p> <p><span class="highlight_text_deleted">e b d</span></p><span class="highlight_text_deleted"> </span><p><span class="highlight_text_deleted">g e f</span></p></div>',
  ],
  [
    "<p>g <strong>b</strong> e</p>\n<p>e g c g c d c</p>",
    "<ul>\n<li>a</li>\n<li>f</li>\n</ul>",
    '<div><ul><li><span class="highlight_text_inserted">a</span></li><span class="highlight_text_inserted"> </span><li><span class="highlight_text_inserted">f</span></li><span class="highlight_text_inserted"> </span></ul> <p><span class="highlight_text_deleted">g <strong>b</strong> e</span></p><span class="highlight_text_deleted"> </span><p><span class="highlight_text_deleted">e g c g c d c</span></p></div>',
  ],
  [
    "<p>d</p>",
    "<p>e a c e</p>",
    '<div><p><span class="highlight_text_inserted">e a c e</span></p> <p><span class="highlight_text_deleted">d</span></p></div>',
  ],
  [
    "<ul>\n<li>f</li>\n</ul>",
    "<ul>\n<li>a</li>\n<li>g</li>\n<li>g</li>\n</ul>",
    '<div><ul><li><span class="highlight_text_inserted">a</span></li><span class="highlight_text_inserted"> </span><li><span class="highlight_text_inserted">g</span></li><span class="highlight_text_inserted"> </span><li><span class="highlight_text_inserted">g</span></li><span class="highlight_text_inserted"> </span></ul> <ul><li><span class="highlight_text_deleted">f</span></li><span class="highlight_text_deleted"> </span></ul></div>',
  ],
  [
    "<p>a f g c <em>b b</em></p>",
    "<ul>\n<li>f</li>\n</ul>",
    '<div><span class="highlight_text_deleted">a</span> <ul><li>f</li> </ul> <span class="highlight_text_deleted">g c <em>b b</em></span></div>',
  ],
  [
    "<p>f f a <em>g d</em> e</p>",
    "<p>f a <em>a c</em> b c b f</p>\n<p><em>b c</em> b</p>\n<p><em>a g</em></p>",
    '<div><p><span class="highlight_text_inserted">f a <em>a c</em> b c b f</span></p><span class="highlight_text_inserted"> </span><p><span class="highlight_text_inserted"><em>b c</em> b</span></p><span class="highlight_text_inserted"> </span><p><span class="highlight_text_inserted"><em>a g</em></span></p> <p><span class="highlight_text_deleted">f f a <em>g d</em> e</span></p></div>',
  ],
  [
    "<p>f <em>b c</em> b f f d <em>g d</em> d</p>\n<p>f</p>",
    "<p>f <strong>g</strong> f</p>\n<p>a</p>",
    '<div><p><span class="highlight_text_inserted">f <strong>g</strong> f</span></p><span class="highlight_text_inserted"> </span><p><span class="highlight_text_inserted">a</span></p> <p><span class="highlight_text_deleted">f <em>b c</em> b f f d <em>g d</em> d</span></p><span class="highlight_text_deleted"> </span><p><span class="highlight_text_deleted">f</span></p></div>',
  ],
  [
    '<p>g b a a f <a href="https://b.example">b</a></p>\n<p>e <em>b g</em></p>',
    "<p>b e c d</p>",
    '<div><p><span class="highlight_text_inserted">b e c d</span></p> <p><span class="highlight_text_deleted">g b a a f <a href="https://b.example">b Link: https://b.example </a></span></p><span class="highlight_text_deleted"> </span><p><span class="highlight_text_deleted">e <em>b g</em></span></p></div>',
  ],
  [
    '<ul>\n<li>b</li>\n<li>b</li>\n</ul>\n<p>a c <a href="https://e.example">e</a> b a g</p>\n<p>a e c <em>e d</em> e</p>',
    "<p>c <strong>a</strong> d c f</p>\n<p>a b d c</p>",
    '<div><p><span class="highlight_text_inserted">c <strong>a</strong> d c f</span></p><span class="highlight_text_inserted"> </span><p><span class="highlight_text_inserted">a b d c</span></p> <ul><li><span class="highlight_text_deleted">b</span></li><span class="highlight_text_deleted"> </span><li><span class="highlight_text_deleted">b</span></li><span class="highlight_text_deleted"> </span></ul><span class="highlight_text_deleted"> </span><p><span class="highlight_text_deleted">a c <a href="https://e.example">e Link: https://e.example </a> b a g</span></p><span class="highlight_text_deleted"> </span><p><span class="highlight_text_deleted">a e c <em>e d</em> e</span></p></div>',
  ],
  [
    "<p><strong>c</strong> a c e</p>\n<p>c a a</p>\n<ul>\n<li>f</li>\n<li>c</li>\n<li>a</li>\n</ul>",
    "<p>g g e</p>\n<p>d c b a</p>",
    '<div><p><span class="highlight_text_inserted">g g e</span></p><span class="highlight_text_inserted"> </span><p><span class="highlight_text_inserted">d c b a</span></p> <p><span class="highlight_text_deleted"><strong>c</strong> a c e</span></p><span class="highlight_text_deleted"> </span><p><span class="highlight_text_deleted">c a a</span></p><span class="highlight_text_deleted"> </span><ul><li><span class="highlight_text_deleted">f</span></li><span class="highlight_text_deleted"> </span><li><span class="highlight_text_deleted">c</span></li><span class="highlight_text_deleted"> </span><li><span class="highlight_text_deleted">a</span></li><span class="highlight_text_deleted"> </span></ul></div>',
  ],
  [
    "<ul>\n<li>b</li>\n</ul>",
    "<p>f a <em>a d</em> f b g g d</p>",
    '<div><p><span class="highlight_text_inserted">f a <em>a d</em> f b g g d</span></p> <ul><li><span class="highlight_text_deleted">b</span></li><span class="highlight_text_deleted"> </span></ul></div>',
  ],
  [
    "<ul>\n<li>b</li>\n<li>c</li>\n<li>c</li>\n</ul>",
    "<p>g d c d <em>c e</em> d e d</p>",
    '<div><p><span class="highlight_text_inserted">g d c d <em>c e</em> d e d</span></p> <ul><li><span class="highlight_text_deleted">b</span></li><span class="highlight_text_deleted"> </span><li><span class="highlight_text_deleted">c</span></li><span class="highlight_text_deleted"> </span><li><span class="highlight_text_deleted">c</span></li><span class="highlight_text_deleted"> </span></ul></div>',
  ],
];
test.each(FACTS)("%j → %j", (before, after, marked) => {
  expect(markedDifferences(before, after)).toBe(marked);
});

test("the time for long texts is linear in their length, with few different words and with many", () => {
  const few = Array.from({ length: 4000 }, (_, place) => "ab"[place % 2]).join(" ");
  const many = Array.from({ length: 2000 }, (_, place) => `w${(place * 7919) % 1500}`).join(" ");
  for (const text of [few, many]) {
    const marked = markedDifferences(`<p>${text}</p>`, `<p>first ${text} last</p>`);
    expect(marked).toContain("first");
    expect(marked.length).toBeLessThan(4 * text.length);
  }
});

test("a message's history shows the changes of the content in each edit", async () => {
  const realm = testRealm();
  const id = await say(realm, "member", "diff", "content before edit");
  await edit(realm, "member", id, { content: "content after edit" });
  await edit(realm, "member", id, { topic: "other" });
  const { body } = await realm.call("member", "GET", `/messages/${id}/history`);
  expect(body.message_history).toMatchObject([
    { content: "content before edit" },
    {
      content_html_diff:
        '<p>content <span class="highlight_text_inserted">after</span> <span class="highlight_text_deleted">before</span> edit</p>',
    },
    expect.not.objectContaining({ content_html_diff: expect.anything() }),
  ]);
});
