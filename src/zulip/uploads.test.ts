import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { fakeClock } from "../../test/support/zulip/scripted.ts";
import type { WireCall } from "../model/journal.ts";
import { fileParam } from "../model/repository-file.ts";
import { createSandbox, serve } from "../sandbox/index.ts";
import { fileFacts } from "../source/file-facts.ts";
import { createClient } from "./client.ts";
import { openNetwork } from "./network.ts";
import { inProcess } from "./transport.ts";
import { multipart } from "./uploads.ts";
import { Secret } from "./zuliprc.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IScHRAwQCgAfJgQRSo6NIAAAAABJRU5ErkJggg==",
  "base64",
);
const file = fileParam(fileFacts("emoji/forge.png", PNG));
const emoji = (name: string): WireCall => ({
  operation: "upload-custom-emoji",
  path: { emoji_name: name },
  params: { file },
});
const nightLogo: WireCall = { operation: "upload-realm-logo", path: {}, params: { night: true, file } };

test("a picture reaches the server with every byte, in the same process and over a socket, with its parameters", async () => {
  const url = new URL("../../test/recordings/realm.json", import.meta.url);
  const sandbox = createSandbox({ from: z.record(z.string(), z.json()).parse(JSON.parse(readFileSync(url, "utf8"))) });
  const { owner } = sandbox.accounts;
  if (owner === undefined) throw new Error("no owner");
  const served = await serve(sandbox, { port: 0 });
  const network = openNetwork();
  const common = { email: owner.email, key: new Secret(owner.api_key), clock: fakeClock(), version: "test" };
  const near = createClient({
    ...common,
    site: "http://localhost",
    transport: inProcess((request) => sandbox.fetch(request)),
  });
  const far = createClient({ ...common, site: served.url, transport: network.send });
  try {
    for (const [name, { writer }] of Object.entries({ near, far })) {
      const send = (call: WireCall) => writer.send(call, undefined, undefined, async () => PNG);
      expect(await send(emoji(name))).toMatchObject({ outcome: "applied" });
      expect(await send(emoji(name))).toMatchObject({ outcome: "refused", message: /already exists/ });
      expect(await send(nightLogo)).toMatchObject({ outcome: "applied" });
    }
    const sent = sandbox.log.length;
    const other = async () => Buffer.concat([PNG, PNG]);
    expect(await near.writer.send(emoji("x"), undefined, undefined, other)).toMatchObject({ code: "FILE_CHANGED" });
    expect(await near.writer.send(emoji("x"))).toMatchObject({ code: "FILE_UNREADABLE" });
    expect(sandbox.log.length).toBe(sent);
  } finally {
    await network.close();
    await served.close();
  }
});

test("fields and files are parts of one body, with a boundary that occurs in none of them", async () => {
  const { contentType, body } = multipart(
    [{ name: "night", text: "true" }],
    [{ name: "file", param: file, bytes: PNG }],
  );
  const read = await new Response(body, { headers: { "content-type": contentType } }).formData();
  const found = read.get("file");
  if (!(found instanceof File)) throw new Error("no file");
  expect([read.get("night"), found.type, found.name]).toEqual(["true", "image/png", "file.png"]);
  expect(Buffer.from(await found.arrayBuffer()).equals(PNG)).toBe(true);
});
