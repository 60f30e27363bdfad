import { EXIT } from "../../src/model/diagnostic.ts";
import type { RealmState } from "../../src/sandbox/index.ts";
import { World } from "../e2e/world.ts";
import type { Repository } from "./runner.ts";

/** The file of the default branch. */
export const BASE = `version: 1
manage: {channels: additive}
channels:
  general: {description: Everything}
  sandbox: {description: Try things out}
`;
/** The pull request's file: what the base asks for is applied; then somebody changes a description. */
export const HEAD = BASE.replace("  sandbox: {description: Try things out}\n", "  sandbox: {archived: true}\n").concat(
  "  news: {description: New}\n",
);

let inLine: Promise<RealmState> | undefined;
/** The recorded organization after {@link BASE} was applied, which is done once for all tests of a worker. */
export function organizationInLine(): Promise<RealmState> {
  inLine ??= (async () => {
    const world = await World.start();
    await bringInLine({ world }, BASE);
    const state = world.sandbox.state();
    await world.end();
    return state;
  })();
  return inLine;
}

/** The organization is brought to the state of this file. */
export async function bringInLine({ world }: Pick<Repository, "world">, text: string): Promise<void> {
  world.file("realm.yaml", text);
  const { code } = await world.realmctl("apply --yes");
  if (code !== EXIT.done) throw new Error(`apply ended with ${code}`);
}
