#!/usr/bin/env node
// Replays recorded exchanges against the sandbox over HTTP: npm run replay -- FILE…
// Each file starts from the realm.json of its own feature level. The code is scripts/replay.ts, bundled by scripts/build.mjs.
await import("../dist/replay.js");
