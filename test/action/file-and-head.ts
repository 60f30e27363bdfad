import { EXIT } from "../../src/model/diagnostic.ts";
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

/** The organization is brought to the state of this file. */
export async function bringInLine({ world }: Repository, text: string): Promise<void> {
  world.file("realm.yaml", text);
  const { code } = await world.realmctl("apply --yes");
  if (code !== EXIT.done) throw new Error(`apply ended with ${code}`);
}
