/** The style of pages: the system's font and colours, a dark variant, one column on a phone. */
export const CSS = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2024;--dim:#5b6470;--line:#d9dee4;--card:#f6f8fa;--add:#116329;--addbg:#dafbe1;--del:#a40e26;--delbg:#ffebe9;--chg:#7d4e00;--chgbg:#fff8c5;--risk:#a40e26;--newbg:#ddf0ff;--backbg:#efe6ff}
@media (prefers-color-scheme:dark){:root{--bg:#0e1116;--fg:#e6e9ed;--dim:#9aa4b0;--line:#2f3742;--card:#171c23;--add:#5fd17c;--addbg:#12301b;--del:#ff8f85;--delbg:#3a1618;--chg:#e9bf55;--chgbg:#332a0d;--risk:#ff8f85;--newbg:#10283f;--backbg:#2b2145}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--bg);color:var(--fg);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.25;margin:.2rem 0}
h2{font-size:1.1rem;margin:1.6rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
section{scroll-margin-top:4rem}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.4rem 0}
a{color:inherit}
p{margin:.4rem 0}
.dim,.at{color:var(--dim)}
.at{font-size:.85em;white-space:nowrap}
.risk,.hit{color:var(--risk)}
.verdict{font-size:1.1rem}
ul{list-style:none;margin:0;padding:0}
li{margin:.25rem 0}
section>ul:not(.items)>li{padding-left:1.6em;text-indent:-1.6em}
.items>li{border:1px solid var(--line);border-radius:.4rem;background:var(--card);padding:.4rem .6rem;margin:.4rem 0}
.many>li{content-visibility:auto;contain-intrinsic-size:auto 6rem}
.items.short>li{border:0;background:none;padding:0;margin:.1rem 0;content-visibility:auto;contain-intrinsic-size:auto 1.5rem}
.sign{display:inline-block;text-indent:0;min-width:1.1em;text-align:center;font-family:ui-monospace,monospace;font-weight:700}
.create .sign,.plus{color:var(--add)}.remove .sign,.minus{color:var(--del)}.update .sign,.reorder .sign{color:var(--chg)}
dl{display:grid;grid-template-columns:minmax(9rem,auto) 1fr;gap:.1rem .8rem;margin:.3rem 0 0 1.1em}
dt{color:var(--dim)}
dd{margin:0;min-width:0}
dt,dd,td{font-family:ui-monospace,monospace;font-size:.85rem}
dd span{display:block;white-space:pre-wrap}
details>summary{cursor:pointer}
.names{margin:.2rem 0 0 1.1em}
.search{position:sticky;top:0;background:var(--bg);padding:.5rem 0;z-index:3;display:flex;gap:.6rem;align-items:center;flex-wrap:wrap}
#found:empty{display:none}
.search[hidden]{display:none}
input{font:inherit;padding:.4rem .6rem;border:1px solid var(--line);border-radius:.4rem;background:var(--card);color:var(--fg);flex:1 1 14rem;min-width:0}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.4rem}
table{border-collapse:separate;border-spacing:0;min-width:100%;overflow-wrap:normal}
th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;border-bottom:1px solid var(--line);border-right:1px solid var(--line)}
thead th{vertical-align:bottom;font-size:.8rem;font-weight:600;max-width:9rem;overflow-wrap:break-word}
tbody th{position:sticky;left:0;background:var(--bg);max-width:12rem;min-width:7rem;overflow-wrap:break-word;z-index:1}
td{max-width:16rem;min-width:6rem;overflow-wrap:break-word}
td b{display:block;font-family:system-ui,sans-serif;font-weight:600}
.widens{background:var(--delbg)}.narrows{background:var(--addbg)}.new{background:var(--newbg)}.reopened{background:var(--backbg)}.moves,.reworded,.unknown{background:var(--chgbg)}
.key span{padding:.05rem .4rem;border-radius:.3rem;margin-right:.4rem;white-space:nowrap}
del{color:var(--del);text-decoration:line-through}
ins{color:inherit;text-decoration:none}
footer{margin:2rem 0 1rem;color:var(--dim);font-size:.9rem}
[hidden]{display:none!important}
.tree,.tree ul{list-style:none;margin:0;padding:0;text-indent:0}
.tree li{position:relative;margin:0;padding:.2rem 0 .2rem 1rem}
section>ul.tree>li{padding-left:0;text-indent:0}
.tree li li::before,.tree li li::after{content:"";position:absolute;left:0;border-color:var(--dim);border-style:solid;border-width:0}
.tree li li::before{top:1.1rem;width:1rem;border-top-width:1px}
.tree li li::after{top:0;bottom:0;border-left-width:1px}
.tree li li:last-child::after{bottom:auto;height:1.1rem}
.tree ul{margin-left:.7rem}
.node{display:inline-block;border:1px solid var(--line);border-radius:.4rem;background:var(--card);padding:.15rem .5rem;font-size:.9rem;vertical-align:middle;max-width:100%}
.way{border-style:dashed;border-radius:1rem}.step{border-style:dotted}
.node.widens{background:var(--delbg)}.node.narrows{background:var(--addbg)}.node.moves{background:var(--chgbg)}
.folder{margin:.4rem 0}.folder>summary{font-weight:600}
.tree summary::marker{color:var(--dim)}
.tree details:not([open])>summary br{display:none}
@media (min-width:56rem){.tree li li,.tree details[open]{display:flex;align-items:center}.tree details[open]>summary{flex:none;max-width:18rem}.tree .node{max-width:18rem}.tree details[open]::details-content{display:contents}.tree ul ul,.tree details>ul{margin-left:0;padding-left:1rem;position:relative}.tree ul ul::before,.tree details>ul::before{content:"";position:absolute;left:0;top:50%;width:1rem;border-top:1px solid var(--dim)}.tree li li::before{top:50%}.tree li li:first-child::after{top:50%}.tree li li:last-child::after{bottom:50%;height:auto}.tree li li:only-child::after{display:none}}
@media (max-width:40rem){body{padding:.7rem}dl{grid-template-columns:1fr;margin-left:.4rem}dt{margin-top:.2rem}.scroll{overflow-x:visible;border:0}table,tbody{display:block}thead{display:none}tbody tr{display:flex;flex-direction:column;border:1px solid var(--line);border-radius:.4rem;padding:.4rem .5rem;margin:.4rem 0}tbody th{position:static;max-width:none;min-width:0;border:0;padding:0 0 .2rem;background:none;font-size:1rem}td{display:grid;grid-template-columns:40% minmax(0,1fr);gap:0 .5rem;border:0;border-radius:.3rem;max-width:none;min-width:0;margin:.1rem 0;padding:.15rem .3rem}td::before{content:attr(data-right);color:var(--dim);font-family:system-ui,sans-serif}td.same{order:1}td.none{display:none}.key{display:flex;flex-wrap:wrap;gap:.3rem}.key span{margin:0;white-space:normal}}
@media print{.search,nav{display:none}.items>li{content-visibility:visible}}
`;

/**
 * The script of the search; everything else works without it. It hides entries without all of the typed words, and opens folded lists with a match.
 */
export const SCRIPT = `
(() => {
  "use strict";
  const bar = document.getElementById("search");
  const box = document.getElementById("query");
  const found = document.getElementById("found");
  const items = Array.from(document.querySelectorAll("[data-item]"), (node) => ({ node, text: node.textContent.toLowerCase() }));
  const groups = Array.from(document.querySelectorAll("[data-group]"), (node) => ({ node, own: Array.from(node.querySelectorAll("[data-item]")) }));
  const opened = new Set();
  const search = () => {
    const words = box.value.toLowerCase().split(/\\s+/).filter((word) => word !== "");
    let hits = 0;
    for (const { node, text } of items) {
      const isHit = words.every((word) => text.includes(word));
      hits += isHit ? 1 : 0;
      if (node.hidden === isHit) node.hidden = !isHit;
    }
    for (const { node, own } of groups) {
      const isEmpty = words.length > 0 && own.every((item) => item.hidden);
      if (node.hidden !== isEmpty) node.hidden = isEmpty;
    }
    for (const fold of opened) fold.open = false;
    opened.clear();
    if (words.length > 0 && hits <= 200) {
      for (const { node } of items) {
        if (node.hidden) continue;
        const folds = [...node.querySelectorAll("details"), node.closest("details")];
        for (const fold of folds) if (fold !== null && !fold.open) { fold.open = true; opened.add(fold); }
      }
    }
    found.textContent = words.length === 0 ? "" : hits + " of " + items.length + " found";
  };
  box.addEventListener("input", search);
  bar.hidden = false;
  if (box.value !== "") search();
})();
`;
