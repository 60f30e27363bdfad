// The demo as an animated picture of a terminal: docs/public/demo.svg. Run: node scripts/demo-svg.mjs. A test checks that it still shows what the
// demo prints.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { demoSvg } from "./demo-picture.mjs";

const root = new URL("..", import.meta.url);
const env = { ...process.env, NO_COLOR: "1", CI: "true" };
const text = execFileSync(process.execPath, [new URL("dist/cli.js", root).pathname, "demo"], { encoding: "utf8", env });
mkdirSync(new URL("docs/public", root), { recursive: true });
writeFileSync(new URL("docs/public/demo.svg", root), demoSvg(text));
