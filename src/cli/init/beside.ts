import { createHash } from "node:crypto";
import type { Io } from "../io.ts";
import { nameOf } from "../organizations/files.ts";
import { textOf } from "../write-files.ts";
import type { CiHost } from "./hosts.ts";
import { filesOf, GITLAB_MAIN, workflowPaths } from "./workflows.ts";

/**
 * What the names of an organization's jobs end with. The first one in a repository has the plain names; every other one has names of its own,
 * so that the files of both can stand side by side. Whoever has jobs already keeps their names.
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

/** As the organization's own variables are called: `orgs/acme.yaml` and `orgs/acme/realm.yaml` are `acme`. */
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
