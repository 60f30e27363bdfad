// The built site in headless Chromium: the start page and a page of each kind, light and dark, wide and on a phone. Prints {"passed": N, "failed": N} as its last line.
//   node site/check.mjs [--screenshots FOLDER]     CHROMIUM names another browser
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { parseArgs, promisify } from "node:util";
import { check, counts } from "../scripts/counted-checks.mjs";

const { values } = parseArgs({ options: { screenshots: { type: "string" } } });
const dist = join(import.meta.dirname, "dist");
const scratch = mkdtempSync(join(tmpdir(), "realmctl-site-"));
const pictures = values.screenshots ?? scratch;
mkdirSync(pictures, { recursive: true });
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const missing = [];

// A page that measures another one: how wide it is, whether it became alive, what the search finds.
const MEASURE = `<!doctype html><iframe id=f style="border:0;width:WIDTHpx;height:800px" src="PAGE"></iframe><script>
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
f.onload = async () => {
  const page = f.contentWindow.document;
  for (let n = 0; n < 50 && !page.querySelector("#app")?.__vue_app__; n += 1) await wait(100);
  const result = { width: page.documentElement.scrollWidth, alive: !!page.querySelector("#app")?.__vue_app__, dark: page.documentElement.classList.contains("dark"), title: page.title, found: [], cut: [...page.querySelectorAll(".plan, .language-console pre, .language-text pre, .language-sh pre")].filter((one) => one.scrollWidth > one.clientWidth + 1).length, plan: page.querySelector(".plan")?.getBoundingClientRect() };
  const search = page.querySelector(".DocSearch-Button");
  if (search && "SEARCH") {
    search.click();
    for (let n = 0; n < 50 && !page.querySelector(".search-input"); n += 1) await wait(100);
    const input = page.querySelector(".search-input");
    if (input) {
      input.value = "SEARCH";
      input.dispatchEvent(new f.contentWindow.Event("input"));
      for (let n = 0; n < 80 && !page.querySelector(".results .result"); n += 1) await wait(100);
      result.found = [...page.querySelectorAll(".results .result")].map((one) => one.getAttribute("href"));
    }
  }
  const out = document.createElement("pre");
  out.id = "out";
  out.textContent = JSON.stringify(result);
  document.body.append(out);
};
</script>`;

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  if (url.pathname === "/__measure") {
    const text = MEASURE.replace("WIDTH", url.searchParams.get("width") ?? "1200")
      .replace("PAGE", url.searchParams.get("page") ?? "/")
      .replaceAll("SEARCH", url.searchParams.get("search") ?? "");
    return void response.writeHead(200, { "content-type": "text/html" }).end(text);
  }
  const path = join(dist, normalize(decodeURIComponent(url.pathname)));
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
  if (!file.startsWith(dist) || !existsSync(file)) {
    missing.push(url.pathname);
    return void response.writeHead(404).end();
  }
  response
    .writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
    .end(readFileSync(file));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const origin = `http://127.0.0.1:${server.address().port}`;

async function chromium(...args) {
  const own = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    `--user-data-dir=${scratch}/profile`,
    "--hide-scrollbars",
  ];
  const { stdout } = await promisify(execFile)(process.env.CHROMIUM ?? "chromium", [...own, ...args], {
    timeout: 60_000,
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

async function measured(page, width = 1200, search = "", flags = []) {
  const query = new URLSearchParams({ page, width: String(width), search });
  const html = await chromium("--virtual-time-budget=20000", ...flags, "--dump-dom", `${origin}/__measure?${query}`);
  const text = /<pre id="out">(.*?)<\/pre>/s.exec(html)?.[1];
  assert.ok(text !== undefined, `${page} was not measured`);
  return JSON.parse(text.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">"));
}

for (const page of ["/", "/start.html", "/production.html", "/access.html", "/reference/commands.html"])
  await check(`${page} is alive, and fits a phone`, async () => {
    const wide = await measured(page);
    assert.ok(wide.alive, "the page's script did not run");
    assert.match(wide.title, /realmctl/);
    const { width, cut } = await measured(page, 390);
    assert.ok(width <= 390, `it is ${width} wide on a phone of 390`);
    assert.equal(cut, 0, `${cut} consoles are wider than a phone of 390`);
  });
await check("the first screen shows a plan", async () => {
  const { plan } = await measured("/");
  assert.ok(plan !== undefined && plan.width > 400 && plan.bottom <= 800, `at ${JSON.stringify(plan)}`);
});
await check("the search finds pages, without any other server", async () => {
  const { found } = await measured("/start.html", 1200, "guard rails");
  assert.ok(
    found.some((href) => href.includes("policy")),
    JSON.stringify(found),
  );
});
await check("it is dark where the reader's system is", async () => {
  const flags = ["--blink-settings=preferredColorScheme=0"];
  assert.equal((await measured("/start.html", 1200, "", flags)).dark, true);
});
await check("nothing that a page asks for is missing", () =>
  assert.deepEqual(
    missing.filter((path) => path !== "/favicon.ico"),
    [],
  ),
);
if (values.screenshots !== undefined)
  for (const [name, size, page, flags = []] of [
    ["start", "1280,1000", "/"],
    ["start-dark", "1280,1000", "/", ["--blink-settings=preferredColorScheme=0"]],
    ["phone", "500,1000", "/start.html"],
    ["phone-production", "500,3000", "/production.html"],
    ["reference", "1280,1000", "/reference/channels.html"],
  ])
    await chromium(
      ...flags,
      "--virtual-time-budget=4000",
      `--window-size=${size}`,
      `--screenshot=${join(pictures, `${name}.png`)}`,
      origin + page,
    );

server.close();
server.closeAllConnections();
rmSync(scratch, { recursive: true, force: true });
console.log(JSON.stringify(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;
