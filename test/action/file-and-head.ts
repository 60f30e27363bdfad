import type { RealmState } from "../../src/sandbox/index.ts";
import { World } from "../e2e/world.ts";

/** A file of the default branch, and a pull request's that creates a channel. */
export const GENERAL = `version: 1
manage: {channels: additive}
channels:
  general: {description: Everything}
`;
export const WITH_NEWS = `${GENERAL}  news: {description: New}\n`;
/** Another file of the default branch. */
export const BASE = `${GENERAL}  sandbox: {description: Try things out}\n`;
/** The pull request's file: what the base asks for is applied; then somebody changes a description. */
export const HEAD = BASE.replace("  sandbox: {description: Try things out}\n", "  sandbox: {archived: true}\n").concat(
  "  news: {description: New}\n",
);

let inLine: Promise<RealmState> | undefined;
/** The recorded organization after {@link BASE} was applied, which is done once for all tests of a worker. */
export function organizationInLine(): Promise<RealmState> {
  inLine ??= (async () => {
    const world = await World.start();
    await world.bringInLine(BASE);
    const state = world.sandbox.state();
    await world.end();
    return state;
  })();
  return inLine;
}
