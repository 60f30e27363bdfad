import { cpSync, rmSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "../e2e/world.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { oneIn } from "../support/sample.ts";
import { EDITS, type Edit } from "./edits.ts";
import { ORGANIZATION } from "./organization.ts";

/*
 * Each single thing that a person can click in the settings page, in an organization that its file describes completely. In the same hour, somebody
 * opens a private channel: drift says both, adopt takes both, and then nothing differs.
 */

const ALL = [...new Set(EDITS.map(({ section }) => section))];
const CLEAN = "realm.yaml";

let world: World;
let exported: string;
beforeAll(async () => {
  world = await World.start({ from: ORGANIZATION });
  exported = temporaryDirectory("settings-page");
  const line = `export --complete --subscribers --inactive --policy exact --kinds ${ALL.join(",")} --out ${CLEAN}`;
  const { code, out, err } = await world.realmctl(line);
  expect(code, out + err).toBe(EXIT.done);
  const { code: clean, out: plan } = await world.realmctl("plan --detailed-exit-code");
  expect(clean, plan).toBe(EXIT.done);
  cpSync(world.directory, exported, { recursive: true });
});
afterAll(async () => {
  rmSync(exported, { recursive: true });
  await world.end();
});
beforeEach(() => {
  world.restart();
  cpSync(exported, world.directory, { recursive: true });
});

const OPENED = "vault";
const OPENING = { is_private: false, is_web_public: false };

/** What one of the commands said wrongly; empty if nothing. */
async function wrongAfter({ request, params = {}, picture, says, byHand }: Edit): Promise<readonly string[]> {
  const owner = "ada@acme.example";
  const [method = "", path = ""] = request.split(" ");
  if (picture === true) await world.upload(owner, method, path, params);
  else await world.edit(owner, method, path, params);
  await world.edit(owner, "PATCH", `/streams/${world.channel(OPENED).stream_id}`, OPENING);
  const wrong: string[] = [];
  const ran = async (line: string, codes: readonly number[], texts: readonly string[]): Promise<void> => {
    const { code, out, err } = await world.realmctl(line);
    const all = `${out}\n${err}`;
    if (!codes.includes(code)) wrong.push(`${line}: exit ${code}\n${all}`);
    for (const text of texts) if (!all.includes(text)) wrong.push(`${line} does not say ${text}\n${all}`);
  };
  await ran("drift", [EXIT.changesPending], [says, OPENED]);
  // A name that does not resolve any more is an error of the plan, which shows everything else.
  await ran("plan --detailed-exit-code", [EXIT.changesPending, EXIT.errors], [OPENED]);
  await ran("adopt --all --yes", [byHand === undefined ? EXIT.done : EXIT.changesPending], [OPENED, byHand ?? ""]);
  if (byHand === undefined) await ran("plan --detailed-exit-code", [EXIT.done], []);
  return wrong;
}

test.each(oneIn(11, EDITS))("$section: $what", async (edit) => expect(await wrongAfter(edit)).toEqual([]));

test("there is an edit for each section", () => expect(EDITS.length).toBeGreaterThanOrEqual(64));
