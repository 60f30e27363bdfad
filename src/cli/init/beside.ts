import { createHash } from "node:crypto";
import type { Io } from "../io.ts";
import { nameOf } from "../organizations/files.ts";
import { textOf } from "../write-files.ts";
import type { CiHost } from "./flags.ts";
import { filesOf, GITLAB_MAIN, workflowPaths } from "./workflows.ts";

/**
 * The suffix of the names of an organization's jobs. The first organization in a repository has the plain names; every other one has a suffix, so
 * that the files do not collide. Existing jobs keep their names.
 */
export async function besideFor(io: Io, host: CiHost, file: string): Promise<string | undefined> {
  const own = ownEnding(file);
  const found = await Promise.all(
    [undefined, ...endings(own, file)].map(async (beside) => ({
      beside,
      whose: await whoseAre(io, host, beside, file),
    })),
  );
  const mine = found.find(({ whose }) => whose === "own") ?? found.find(({ whose }) => whose === "nobody");
  return mine?.beside;
}

function endings(own: string, file: string): readonly string[] {
  const digest = createHash("sha256").update(file).digest("hex").slice(0, 8);
  return own === "" ? [digest] : [own, `${own}-${digest}`];
}

/** The suffix for a file, as in the organization's own variables: `acme` for `orgs/acme.yaml` and `orgs/acme/realm.yaml`. */
function ownEnding(file: string): string {
  return nameOf(file)
    .toLowerCase()
    .replaceAll("_", "-")
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, "");
}

async function whoseAre(
  io: Io,
  host: CiHost,
  beside: string | undefined,
  file: string,
): Promise<"own" | "other" | "nobody"> {
  const paths = workflowPaths(host, beside).filter((path) => path !== GITLAB_MAIN);
  const texts = await Promise.all(paths.map((path) => textOf(io, path)));
  const whose = texts.flatMap((text) => (text === undefined ? [] : filesOf(text)));
  if (whose.includes(file)) return "own";
  return whose.length === 0 ? "nobody" : "other";
}
