// Draws the output of the demo as a terminal in which it is typed. No dependency, no date, no port: the same demo gives the same picture.

const WIDTH = 100;
const ROWS = 30;
const CHARACTER = 8.4;
const LINE = 18;
const PADDING = 16;
const SECONDS_PER_SCREEN = 6;

/** The commands whose output the picture shows, and how many of its lines. */
const SCENES = [
  { command: "realmctl plan", lines: ROWS - 2 },
  { command: "realmctl apply --yes", lines: ROWS - 2, last: true },
  { command: "realmctl drift", lines: ROWS - 2 },
];

/** Parts of the text that differ from run to run. */
function steady(text) {
  return text
    .replace(/127\.0\.0\.1:\d+/g, "chat.example.org")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2026-11-21 12:04 UTC")
    .replace(/\d{4}-\d\d-\d\dT[\d-]+\.jsonl/g, "2026-11-21T12-04-09.jsonl")
    .replace(/\b(?:\d+\.\d+ s|\d+ ms|(?<=writes in )\d+ s)\b/g, "0.3 s");
}

/** @param {string} text the output of `realmctl demo` */
export function demoScenes(text) {
  const lines = steady(text).split("\n");
  return SCENES.map(({ command, lines: most, last = false }) => {
    const from = lines.indexOf(`$ ${command}`);
    if (from === -1) throw new Error(`the demo does not run: ${command}`);
    const length = lines.slice(from + 1).findIndex((line) => /^exit code \d+$/.test(line));
    const output = lines
      .slice(from + 1, from + 1 + length)
      .filter((line, at, all) => line !== "" || all[at - 1] !== "");
    const shown =
      output.length <= most ? output : last ? ["…", ...output.slice(1 - most)] : [...output.slice(0, most - 1), "…"];
    return { command, lines: shown };
  });
}

const escaped = (text) => text.replace(/[&<>]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[one] ?? one);

/** What stands out in reports: risks, new objects, removed objects. */
function toneOf(line) {
  if (/^ {0,2}!/.test(line) || /widens access/.test(line)) return "risk";
  if (/^ *\+ /.test(line)) return "new";
  if (/^ *- /.test(line)) return "gone";
  if (/^ *~ /.test(line)) return "other";
  if (/^\S+( \S+)?$/.test(line)) return "head";
  return "";
}

/** @param {string} text the output of `realmctl demo` */
export function demoSvg(text) {
  const scenes = demoScenes(text);
  const total = scenes.length * SECONDS_PER_SCREEN;
  const width = WIDTH * CHARACTER + 2 * PADDING;
  const height = ROWS * LINE + 2 * PADDING + LINE;
  const share = 100 / scenes.length;
  const groups = scenes.map(({ command, lines }, index) => {
    const rows = [
      { text: `$ ${command}`, tone: "typed" },
      ...lines.map((line) => ({ text: line, tone: toneOf(line) })),
    ];
    const texts = rows.map(({ text: line, tone }, row) => {
      const y = PADDING + LINE * (row + 2);
      return `<text x="${PADDING}" y="${y}"${tone === "" ? "" : ` class="${tone}"`}>${escaped(line.slice(0, WIDTH))}</text>`;
    });
    return `<g class="scene" style="animation-delay:${index * SECONDS_PER_SCREEN}s">\n${texts.join("\n")}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="realmctl plan, apply and drift in a terminal">
<style>
svg{background:#16181d;border-radius:8px}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d5d9e0;white-space:pre}
.typed{fill:#fff;font-weight:700}.head{fill:#9fb4ff;font-weight:700}.risk{fill:#ffb454}.new{fill:#8fd18b}.gone{fill:#ff8f8f}.other{fill:#7cc7e8}
.scene{opacity:0}.scene:first-of-type{opacity:1}.scene{animation:scene ${total}s infinite}
@keyframes scene{0%,${(share - 1).toFixed(1)}%{opacity:1}${share.toFixed(1)}%,100%{opacity:0}}
@media (prefers-reduced-motion:reduce){.scene{animation:none}.scene:first-of-type{opacity:1}}
</style>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
${groups.join("\n")}
</svg>
`;
}
