// Opens the HTML pages of a plan and of a drift in headless Chromium and looks at it as a reader does: content, search, dark mode, a phone, no script.
// Prints {"passed": N, "failed": N} as its last line.
//   node test/html/run.mjs [CLI] [--screenshots DIRECTORY]
// Needs `chromium` on the path (CHROMIUM names another one); not part of `npm test`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { screenshots: { type: "string" } } });
const cli = resolve(positionals[0] ?? "dist/cli.js");
const scratch = mkdtempSync(join(tmpdir(), "realmctl-html-"));
const { screenshots } = values;
/** Nothing that is waited for may take longer; all together neither. */
const MOST_WAIT_MS = 60_000;
const MOST_RUN_MS = 5 * 60_000;
/** What was started, and is ended whatever happens. */
const children = [];
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});
globalThis
  .setTimeout(() => {
    console.log(`not done after ${MOST_RUN_MS / 1000} s`);
    console.log(JSON.stringify({ passed: 0, failed: 1 }));
    process.exit(1);
  }, MOST_RUN_MS)
  .unref();

function started(command, args, options) {
  const child = spawn(command, args, options);
  children.push(child);
  return child;
}

/** @throws Error when it takes too long */
async function inTime(what, promise) {
  const late = new AbortController();
  const end = setTimeout(MOST_WAIT_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`${what}: nothing after ${MOST_WAIT_MS / 1000} s`);
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    end.catch(() => undefined);
    late.abort();
  }
}
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true });

/** A plan that changes `number` channels, each in a way of its own; the first has a name made to break out. */
function planOf(number) {
  const hostile = '</bdi><script>document.title="owned"</script><img src=http://127.0.0.1:9/x onerror=alert(1)>';
  const at = (line) => ({ file: "realm.yaml", line, column: 3, endLine: line, endColumn: 9 });
  return {
    format: "realmctl.plan",
    version: 3,
    tool_version: "0.1.0",
    snapshot_taken_at: "2026-11-21T12:04:31.000Z",
    realm: { url: "https://chat.example.org", name: "Example" },
    server: { zulip_version: "12.1", feature_level: 482 },
    account: { email: "realmctl@example.org", full_name: hostile, role: 200, is_bot: true },
    changes: Array.from({ length: number }, (_, index) => ({
      action: "update",
      kind: "channel",
      address: `channel:team-${index}`,
      name: index === 0 ? hostile : `team-${index}`,
      id: index + 1,
      fields: [
        { field: "can_send_message_group", before: "role:everyone", after: `group-${index}`, at: at(index + 4) },
        { field: "privacy", before: "public", after: "private_shared_history", at: at(index + 5) },
      ],
      at: at(index + 3),
      risks: [
        {
          kind: "narrows",
          fact: {
            kind: "right",
            object: { address: `channel:team-${index}`, name: `team-${index}` },
            setting: "can_send_message_group",
            shift: "lost",
            people: index,
            at_most: false,
          },
          address: `channel:team-${index}`,
        },
      ],
    })),
    calls: [],
    least_calls: number,
    matches: {},
    unmanaged: [{ section: "channels", policy: "additive", names: ["lounge", hostile] }],
    guards: [],
    warnings: [],
    side_effects: { emails: 0, notices_in: [] },
  };
}

/** What draws the page, of these sources: a plan so odd could not be saved, since a saved plan is planned again from what it was made from. */
async function renderer() {
  const outfile = join(scratch, "page.mjs");
  const contents =
    'export { renderPlanHtml } from "./src/report/html.ts"; export { accessInPlan } from "./src/report/access.ts";';
  const stdin = { contents, resolveDir: join(import.meta.dirname, "../.."), loader: "ts" };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
  return await import(pathToFileURL(outfile).href);
}

const { renderPlanHtml, accessInPlan } = await renderer();

function pageOf(number) {
  const plan = planOf(number);
  return renderPlanHtml(plan, accessInPlan(plan), { applyWith: "realmctl apply" });
}

/**
 * Three pages of the organization of a sandbox: the drift of a file, with a channel in which more people may post than the file says, and a missing channel; what
 * of the same file is compared; and who reads which channel in a snapshot with a thousand private channels in ten folders.
 */
async function sandboxPages() {
  const accounts = join(scratch, "accounts.json");
  const sandbox = started(process.execPath, [cli, "sandbox", "--accounts-out", accounts], { cwd: scratch });
  try {
    let said = "";
    let isOver = false;
    sandbox.on("exit", () => {
      isOver = true;
    });
    sandbox.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    for (let waitedMs = 0; !existsSync(accounts) || !/http:\S+\n/.test(said); waitedMs += 50) {
      assert.ok(!isOver && waitedMs < MOST_WAIT_MS, "the sandbox starts");
      await setTimeout(50);
    }
    const [owner] = Object.values(JSON.parse(readFileSync(accounts, "utf8")));
    const file = join(scratch, "realm.yaml");
    writeFileSync(
      file,
      "version: 1\nchannels:\n  general: {permissions: {can_send_message_group: role:administrators}}\n  gone-again: {description: Was here}\n",
    );
    const env = {
      ...process.env,
      ZULIP_SITE: /http:\S+/.exec(said)[0],
      ZULIP_EMAIL: owner.email,
      ZULIP_API_KEY: owner.api_key,
    };
    const run = async (wanted, ...words) => {
      const ran = started(process.execPath, [cli, ...words], {
        cwd: scratch,
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      let page = "";
      ran.stdout.setEncoding("utf8").on("data", (text) => {
        page += text;
      });
      const code = await inTime(words[0], new Promise((done) => ran.on("close", done)));
      assert.equal(code, wanted, `${words[0]} exits with ${wanted}`);
      return page;
    };
    const drift = await run(2, "drift", "realm.yaml", "--format", "html");
    const coverage = await run(2, "drift", "realm.yaml", "--coverage", "--format", "html");
    const snapshot = JSON.parse(await run(0, "snapshot"));
    writeFileSync(join(scratch, "large.json"), JSON.stringify(withChannels(snapshot, 1000)));
    return { drift, coverage, access: await run(0, "access", "--snapshot", "large.json", "--format", "html") };
  } finally {
    sandbox.kill();
  }
}

/** The snapshot with private channels, each read by two people, and by a group in a group. */
function withChannels(snapshot, number) {
  const [channel] = snapshot.channels;
  const [ada, ben, chiara] = snapshot.users.map(({ user_id }) => user_id);
  const [group] = snapshot.user_groups;
  const own = { ...group, is_system_group: false, direct_subgroup_ids: [] };
  const groups = [
    { ...own, id: 9001, name: "directors", members: [chiara] },
    { ...own, id: 9002, name: "board", members: [ada], direct_subgroup_ids: [9001] },
  ];
  const names = Array.from({ length: number }, (_, index) => `team-${index}`);
  const channels = names.map((name, index) => ({
    ...channel,
    stream_id: 10_000 + index,
    name,
    invite_only: true,
    is_web_public: false,
    folder_id: 1 + (index % 10),
    can_subscribe_group: 9002,
    subscriber_count: 2,
  }));
  const folders = Array.from({ length: 10 }, (_, index) => ({
    id: index + 1,
    name: index === 0 ? "<b>First</b>" : `Folder ${index}`,
    description: "",
    is_archived: false,
  }));
  return {
    ...snapshot,
    channel_folders: folders,
    channels: [...snapshot.channels, ...channels],
    user_groups: [...snapshot.user_groups, ...groups],
    subscribers: {
      ...snapshot.subscribers,
      ...Object.fromEntries(channels.map(({ stream_id }) => [stream_id, [ada, ben]])),
    },
  };
}

/** Speaks the DevTools protocol over two pipes: JSON texts that end in a zero byte. */
class Browser {
  constructor(process) {
    this.process = process;
    this.last = 0;
    this.pending = new Map();
    this.events = [];
    this.waiting = [];
    let text = "";
    process.stdio[4].setEncoding("utf8").on("data", (more) => {
      const parts = (text + more).split("\0");
      text = parts.pop();
      for (const part of parts) this.receive(JSON.parse(part));
    });
    process.on("exit", () => {
      for (const { reject } of this.pending.values()) reject(new Error("Chromium ended"));
    });
  }

  static start() {
    const flags = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
      "--remote-debugging-pipe",
      `--user-data-dir=${join(scratch, "profile")}`,
      "about:blank",
    ];
    return new Browser(
      started(process.env.CHROMIUM ?? "chromium", flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] }),
    );
  }

  receive(message) {
    const call = this.pending.get(message.id);
    if (call !== undefined) {
      this.pending.delete(message.id);
      if (message.error) call.reject(new Error(message.error.message));
      else call.resolve(message.result);
      return;
    }
    this.events.push(message);
    for (const waiter of [...this.waiting]) if (waiter.wants(message)) waiter.resolve(message);
  }

  send(method, params = {}, sessionId) {
    this.last += 1;
    const id = this.last;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    const answer = new Promise((resolvePromise, reject) => this.pending.set(id, { resolve: resolvePromise, reject }));
    return inTime(method, answer);
  }

  /** A tab at the address once it has loaded. */
  async open(url, { width = 1200, dark = false, script = true } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const send = (method, params) => this.send(method, params, sessionId);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await send(`${domain}.enable`);
    await send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
    await send("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }],
    });
    if (!script) await send("Emulation.setScriptExecutionDisabled", { value: true });
    const loaded = new Promise((done) => {
      const wants = (event) => event.sessionId === sessionId && event.method === "Page.loadEventFired";
      this.waiting.push({ wants, resolve: done });
    });
    await send("Page.navigate", { url });
    await inTime(url, loaded);
    const own = () => this.events.filter((event) => event.sessionId === sessionId);
    return {
      send,
      async evaluate(expression) {
        const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, returnByValue: true });
        assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description);
        return result.value;
      },
      requests: () =>
        own().flatMap(({ method, params }) => (method === "Network.requestWillBeSent" ? [params.request.url] : [])),
      complaints: () =>
        own().flatMap(({ method, params }) => {
          if (method === "Runtime.exceptionThrown") return [params.exceptionDetails.text];
          if (method === "Runtime.consoleAPICalled") return [`console.${params.type}`];
          return method === "Log.entryAdded" ? [params.entry.text] : [];
        }),
      async screenshot(name) {
        if (screenshots === undefined) return;
        const { data } = await send("Page.captureScreenshot", { format: "png" });
        writeFileSync(join(screenshots, `${name}.png`), Buffer.from(data, "base64"));
      },
    };
  }
}

const fromSandbox = await sandboxPages();
const pages = new Map([
  ["/small", pageOf(40)],
  ["/large", pageOf(10_000)],
  ["/drift", fromSandbox.drift],
  ["/coverage", fromSandbox.coverage],
  ["/access", fromSandbox.access],
]);
const asked = [];
const server = createServer((request, response) => {
  asked.push(request.url);
  const page = pages.get(request.url);
  response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" }).end(page);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const site = `http://127.0.0.1:${server.address().port}`;
const browser = Browser.start();

const search = (text) =>
  `{ const box = document.getElementById("query"); box.value = ${JSON.stringify(text)}; box.dispatchEvent(new Event("input")); }`;
const shown = (selector) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((node) => node.offsetParent !== null).length`;
/** Unlike {@link shown}, it counts nothing that a folded part hides. */
const unfolded = (selector) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((node) => node.checkVisibility()).length`;
const brightness =
  "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)";

const checks = {
  async "says what the plan says"() {
    const tab = await browser.open(`${site}/small`);
    assert.equal(await tab.evaluate("document.title"), "Plan for chat.example.org");
    assert.equal(await tab.evaluate(shown("#risks li")), 40);
    assert.equal(await tab.evaluate(shown("ul.items > li")), 40);
    assert.equal(await tab.evaluate(shown("#access tbody tr")), 40);
    assert.match(await tab.evaluate("document.body.innerText"), /role:everyone → group-7/);
    await tab.screenshot("light");
  },
  async "asks nobody for anything, and nothing in it runs but its own script"() {
    const tab = await browser.open(`${site}/small`);
    await tab.evaluate(search("team-1"));
    assert.deepEqual(
      tab.requests().filter((url) => !url.startsWith("data:")),
      [`${site}/small`],
    );
    assert.deepEqual(tab.complaints(), []);
    assert.equal(await tab.evaluate('document.querySelectorAll("script, img, iframe").length'), 1);
    assert.match(await tab.evaluate("document.body.innerText"), /<script>document\.title="owned"<\/script>/);
  },
  async "a script that got in would not run"() {
    const tab = await browser.open(`${site}/small`);
    await tab.evaluate(
      '{ const node = document.createElement("script"); node.textContent = "window.owned = true"; document.body.append(node); }',
    );
    assert.equal(await tab.evaluate("window.owned"), undefined);
    assert.match(tab.complaints().join(" "), /Content Security Policy/);
  },
  async "the search finds names, settings and values, and gives everything back"() {
    const tab = await browser.open(`${site}/small`);
    await tab.evaluate(search("GROUP-17"));
    assert.equal(await tab.evaluate(shown("ul.items > li")), 1);
    assert.equal(await tab.evaluate(shown("#access tbody tr")), 1);
    assert.equal(await tab.evaluate(shown("#risks")), 0);
    assert.equal(await tab.evaluate('document.getElementById("found").textContent'), "2 of 122 found");
    await tab.evaluate(search("lounge"));
    assert.equal(await tab.evaluate(shown("#unmanaged li")), 1);
    await tab.evaluate(search("no such thing"));
    assert.equal(await tab.evaluate(shown("[data-item]")), 0);
    await tab.evaluate(search(""));
    assert.equal(await tab.evaluate(shown("ul.items > li")), 40);
    assert.equal(await tab.evaluate('document.querySelectorAll("details[open]").length'), 0);
  },
  async "dark where the reader's system is dark, with text that can be read"() {
    const light = await browser.open(`${site}/small`);
    const dark = await browser.open(`${site}/small`, { dark: true });
    assert.ok((await light.evaluate(brightness)) > 700);
    assert.ok((await dark.evaluate(brightness)) < 120);
    assert.ok((await dark.evaluate(brightness.replace("backgroundColor", "color"))) > 600);
    await dark.screenshot("dark");
  },
  async "on a phone only the table scrolls sideways"() {
    const tab = await browser.open(`${site}/small`, { width: 360 });
    assert.equal(await tab.evaluate("document.documentElement.scrollWidth"), 360);
    await tab.screenshot("phone");
    // The link to what is far below brings it to the top, not behind the search.
    await tab.evaluate("document.querySelector('nav a[href=\"#access\"]').click()");
    await setTimeout(100);
    const top = await tab.evaluate('document.querySelector("#access h2").getBoundingClientRect().top');
    const bar = await tab.evaluate('document.getElementById("search").getBoundingClientRect().bottom');
    assert.ok(top >= bar && top < 200, `${top} is below ${bar}`);
    await tab.screenshot("phone-access");
  },
  async "without a script the plan is there, and no search that does nothing"() {
    const tab = await browser.open(`${site}/small`, { script: false });
    const { root } = await tab.send("DOM.getDocument", { depth: 0 });
    const all = async (selector) =>
      (await tab.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector })).nodeIds.length;
    assert.equal(await all("ul.items > li"), 40);
    assert.equal(await all("#search[hidden]"), 1);
  },
  async "the page of a drift: what widened is red, it has its search, and it asks nobody"() {
    const tab = await browser.open(`${site}/drift`, { dark: true });
    assert.equal(await tab.evaluate("document.title.startsWith('Drift of ')"), true);
    const text = await tab.evaluate("document.body.innerText");
    assert.match(text, /2 objects differ from the file · 1 with wider access than it says/);
    assert.match(text, /#gone-again.*in the file, missing on the server/s);
    assert.equal(await tab.evaluate(shown("#access td.widens")), 1);
    await tab.screenshot("drift-dark");
    await tab.evaluate(search("gone-again"));
    assert.equal(await tab.evaluate(shown("ul.items > li")), 1);
    assert.deepEqual(tab.complaints(), []);
    const phone = await browser.open(`${site}/drift`, { width: 360 });
    assert.equal(await phone.evaluate("document.documentElement.scrollWidth"), 360);
    await phone.screenshot("drift-phone");
    assert.deepEqual(
      tab.requests().filter((url) => !url.startsWith("data:")),
      [`${site}/drift`],
    );
  },
  async "what is compared: on a phone every cell is on the screen, and objects are found"() {
    const outside =
      "[...document.querySelectorAll('h1, h2, p, li, th, td')].filter((cell) => cell.getClientRects().length > 0).filter((cell) => { const { left, right } = cell.getBoundingClientRect(); return left < 0 || right > innerWidth || cell.scrollWidth > cell.clientWidth + 1 || (cell.dataset.right !== undefined && cell.childElementCount !== 1); }).map((cell) => cell.innerText.slice(0, 60))";
    for (const width of [390, 1200]) {
      const tab = await browser.open(`${site}/coverage`, { width });
      assert.equal(await tab.evaluate("document.title.startsWith('Coverage of ')"), true);
      assert.ok((await tab.evaluate("document.documentElement.scrollWidth")) <= width);
      assert.deepEqual(await tab.evaluate(outside), []);
      assert.match(await tab.evaluate("document.body.innerText"), /#general[\s\S]*can_send_message_group/);
      await tab.screenshot(`coverage-${width}`);
      await tab.evaluate(search("#general"));
      assert.equal(await tab.evaluate(shown("tr[data-item]")), 1);
      assert.deepEqual(tab.complaints(), []);
    }
  },
  async "a thousand private channels are folded by folder, and one is read with the keyboard only"() {
    const press = async (tab, key, code, keyCode) => {
      for (const type of ["keyDown", "keyUp"])
        await tab.send("Input.dispatchKeyEvent", {
          type,
          key,
          code,
          windowsVirtualKeyCode: keyCode,
          ...(type === "keyDown" && key === "Enter" ? { text: "\r" } : {}),
        });
    };
    for (const width of [390, 1200]) {
      const tab = await browser.open(`${site}/access`, { width });
      assert.equal(await tab.evaluate("document.documentElement.scrollWidth"), width);
      assert.equal(await tab.evaluate(unfolded("#picture .node")), 0, "everything is folded");
      assert.ok((await tab.evaluate("document.documentElement.scrollHeight")) < 2500, "and short");
      assert.match(await tab.evaluate("document.body.innerText"), /<b>First<\/b>: 100 channels/);
      // The field of the search, the first folder, its first channel.
      for (let tries = 0; tries < 9; tries += 1) {
        await press(tab, "Tab", "Tab", 9);
        if (await tab.evaluate("document.activeElement.closest('.folder') !== null")) break;
      }
      await press(tab, "Enter", "Enter", 13);
      assert.equal(await tab.evaluate(unfolded("#picture .node")), 100);
      await press(tab, "Tab", "Tab", 9);
      await press(tab, "Enter", "Enter", 13);
      const drawn = await tab.evaluate("document.activeElement.closest('li').innerText");
      assert.match(drawn, /#team-0\s+read: 3 people\s+private, shared history/);
      assert.match(drawn, /can_subscribe_group.*board\s+2 people.*directors\s+1 person/s);
      const edges = await tab.evaluate(
        "[...document.activeElement.closest('li').querySelectorAll('.node')].map((node) => node.getBoundingClientRect()).every(({ left, right }) => left >= 0 && right <= innerWidth)",
      );
      assert.equal(edges, true, "every part of it is on the screen");
      await tab.screenshot(`picture-${width}`);
      await tab.evaluate(search("team-777"));
      assert.equal(await tab.evaluate(shown("#picture [data-item]")), 1);
      assert.deepEqual(tab.complaints(), []);
    }
  },
  async "ten thousand changes: every name is found, and what is left out is said"() {
    const tab = await browser.open(`${site}/large`);
    const text = await tab.evaluate("document.body.textContent");
    assert.match(text, /9,500 more changes, names only/);
    assert.match(text, /Not on this page: 9,800 more risks?/);
    await tab.evaluate(search("team-9876"));
    assert.equal(await tab.evaluate(shown("ul.items > li")), 1);
    assert.deepEqual(tab.complaints(), []);
  },
};

let passed = 0;
let failed = 0;
try {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      passed += 1;
      console.log(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
  // Tabs run side by side: what the server was asked for counts for all of them.
  const others = asked.filter((url) => !pages.has(url));
  if (others.length > 0) {
    failed += 1;
    console.log(`FAILED  nothing else was asked for: ${others.join(", ")}`);
  } else passed += 1;
} finally {
  const ended = new Promise((done) => browser.process.once("exit", done));
  await browser.send("Browser.close").catch(() => browser.process.kill());
  await ended;
  server.close();
  // Its helpers may still be writing; what is left of a scratch directory is no failure.
  await rm(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }).catch(() => {});
}
console.log(JSON.stringify({ passed, failed }));
if (failed > 0) process.exitCode = 1;
