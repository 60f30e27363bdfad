// How long the page of a plan takes to open in a browser: an organization of 50,000 people, 10 and 1,000 changes. From asking for the page to the first frame
// after all of it is there and laid out, in headless Chromium. `npm run bench:page` prints the table of bench/README.md.
//   --people 50000   --changed 10,1000   --runs 5   the fastest counts
// Needs `chromium` on the path (CHROMIUM names another one).
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { accountOn, cannedServer, fastest, judged, runChild, table } from "./support/measure.mjs";
import { organizationOf, realmFileOf } from "./support/organization.mjs";

const { values: flags } = parseArgs({
  options: {
    people: { type: "string", default: "50000" },
    changed: { type: "string", default: "10,1000" },
    runs: { type: "string", default: "5" },
  },
});
const AIM_MS = 1_000;
const MOST_WAIT_MS = 60_000;

/** A page around the other one, which says when that one is painted: the page itself allows no scripts but its own. */
const AROUND = `<!doctype html><iframe id="page" width="1200" height="900"></iframe><script>
const frame = document.getElementById("page");
const painted = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
addEventListener("load", () => painted(() => {
  const start = performance.now();
  frame.onload = () => painted(() => fetch("/done", { method: "POST", body: String(performance.now() - start) }));
  frame.src = "/page";
}));
</script>`;

const directory = mkdtempSync(join(tmpdir(), "realmctl-bench-page-"));
try {
  const people = Number(flags.people);
  const { register, subscriptions } = organizationOf(people);
  const server = await cannedServer(register, { subscribers: subscriptions });
  const rows = [];
  for (const changed of flags.changed.split(",").map(Number)) {
    const file = `realm-${changed}.yaml`;
    writeFileSync(join(directory, file), realmFileOf(changed));
    const { out } = await runChild(directory, [], ["plan", file, "--format", "html"], accountOn(server.url));
    const all = [];
    for (let run = 0; run < Number(flags.runs); run += 1) all.push(await opened(out));
    const ms = fastest(all);
    const megabytes = (Buffer.byteLength(out) / 1e6).toFixed(2);
    rows.push([
      people.toLocaleString("en"),
      changed.toLocaleString("en"),
      megabytes,
      ms.toFixed(0),
      judged(ms, AIM_MS),
    ]);
  }
  await server.close();
  console.log(table(["people", "changes", "page, MB", "opens in, ms", "aim"], rows));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** @returns milliseconds, of one new browser */
async function opened(page) {
  let done = () => {};
  const measured = new Promise((resolve) => {
    done = resolve;
  });
  const http = createServer(async (request, response) => {
    if (request.url !== "/done") {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      return response.end(request.url === "/page" ? page : AROUND);
    }
    let text = "";
    for await (const chunk of request) text += chunk;
    response.end();
    done(Number(text));
  });
  await new Promise((listening) => http.listen(0, "127.0.0.1", listening));
  const profile = mkdtempSync(join(directory, "chromium-"));
  const url = `http://127.0.0.1:${http.address().port}/`;
  const argv = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`, url];
  // Without --remote-debugging-port it would leave as soon as the page is loaded.
  const browser = spawn(process.env.CHROMIUM ?? "chromium", ["--remote-debugging-port=0", ...argv], {
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => browser.on("close", resolve));
  const late = new Promise((_, refuse) => {
    setTimeout(() => refuse(new Error(`no page after ${MOST_WAIT_MS / 1000} s`)), MOST_WAIT_MS).unref();
  });
  try {
    return await Promise.race([measured, late]);
  } finally {
    browser.kill("SIGKILL");
    await ended;
    http.closeAllConnections();
    http.close();
  }
}
