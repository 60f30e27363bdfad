import { basename, dirname, extname, join } from "node:path";
import { realmNamedIn } from "../../config/header.ts";
import { defined } from "../../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, error, failIfAny, failure } from "../../model/diagnostic.ts";
import { groupedBy } from "../../model/lazy.ts";
import { codeOf } from "../../model/unreadable.ts";
import type { WantedOrganization } from "../../zulip/credentials.ts";
import { configurationFiles } from "../configuration-files.ts";
import { type Io, runIo, STANDARD_INPUT } from "../io.ts";

export interface OrganizationFile {
  readonly file: string;
  readonly realm: string | undefined;
  /** The reasons why the URL is unknown; such a file is not used. */
  readonly causes?: readonly Diagnostic[];
}

interface Found {
  /** The files in the order in which they were named; those of a directory are sorted. */
  readonly files: readonly OrganizationFile[];
  /** Files of a directory without `realm:`, which organizations share. */
  readonly passedOver: readonly string[];
}

export const MOST_FILES = 10_000;
const IS_YAML = /\.ya?ml$/i;

/** Whether the path names a directory. Then its files are meant. */
export async function isDirectory(io: Io, path: string): Promise<boolean> {
  if (path === STANDARD_INPUT || IS_YAML.test(path)) return false;
  try {
    await io.readFile(path, { mostBytes: 0 }, "look");
    return false;
  } catch (thrown) {
    return codeOf(thrown) === "EISDIR";
  }
}

/**
 * The files of all organizations, and the organization of each.
 * @throws Failure if two are for one organization, a directory has none, or there are more than a command accepts
 */
export async function organizationsIn(io: Io, paths: readonly string[]): Promise<Found> {
  const listed: { readonly path: string; readonly inside?: readonly string[] }[] = [];
  for (const path of paths)
    listed.push((await isDirectory(io, path)) ? { path, inside: await namesIn(io, path) } : { path });
  // The number is checked before any file is read.
  const count = listed.reduce((sum, { inside }) => sum + (inside?.length ?? 1), 0);
  if (count > MOST_FILES) throw failure("organizations/too-many", { files: count, most: MOST_FILES });
  const files: OrganizationFile[] = [];
  const passedOver: string[] = [];
  for (const { path, inside } of listed) {
    if (inside === undefined) {
      files.push(await organizationIn(io, path));
      continue;
    }
    const before = files.length;
    const over: string[] = [];
    for (const name of inside) {
      const file = join(path, name);
      const organization = await organizationIn(io, file);
      // A file that cannot be read may be an organization, so it is not silently left out.
      if (organization.realm === undefined && organization.causes === undefined) over.push(file);
      else files.push(organization);
    }
    if (files.length === before) throw failure("organizations/none", { directory: path, passed_over: over });
    passedOver.push(...over);
  }
  refuseDoubles(files, io.env);
  return { files, passedOver };
}

/** Files of a directory that may be an organization's. */
async function namesIn(io: Io, directory: string): Promise<readonly string[]> {
  const names = await io.list(directory);
  return names.filter((name) => IS_YAML.test(name) && !/\.test\.ya?ml$/i.test(name)).sort();
}

function refuseDoubles(files: readonly OrganizationFile[], env: Io["env"]): void {
  const findings = [
    ...doubles(files, ({ realm }) => realm).map(([realm, same]) =>
      error("organizations/same-realm", {
        files: same,
        realm,
        ...defined({ is_one_file: new Set(same.map((path) => join(path))).size === 1 || undefined }),
      }),
    ),
    // A name that no variable can end with does not count.
    ...doubles(files, ({ file }) => nameOf(file))
      .filter(([name]) =>
        Object.keys(env).some((variable) => /^ZULIP_/.test(variable) && variable.endsWith(`__${name}`)),
      )
      .map(([name, same]) => error("organizations/same-name", { files: same, name })),
  ];
  failIfAny(EXIT.errors, findings);
}

function doubles(
  files: readonly OrganizationFile[],
  keyOf: (file: OrganizationFile) => string | undefined,
): readonly (readonly [string, readonly string[]])[] {
  return [...groupedBy(files, keyOf)].flatMap(([key, same]) =>
    key === undefined || same.length < 2 ? [] : [[key, same.map(({ file }) => file)] as const],
  );
}

/** A saved plan says near its beginning which organization it is for. */
const PLAN_HEAD = /^\s*\{\s*"format":\s*"realmctl\.plan"[\s\S]{0,2000}?"realm":\s*\{\s*"url":\s*"([^"]+)"/;

async function organizationIn(io: Io, file: string): Promise<OrganizationFile> {
  const found = await realmIn(runIo(io), file);
  return found.ok ? { file, realm: found.value } : { file, realm: undefined, causes: found.diagnostics };
}

async function realmIn(io: Io, file: string): Promise<Checked<string | undefined>> {
  if (!IS_YAML.test(file)) {
    const plan = await io.readFile(file, {}, "look").catch(() => "");
    const [, value] = PLAN_HEAD.exec(plan) ?? [];
    if (value !== undefined) return { ok: true, value, warnings: [] };
  }
  return realmNamedIn(configurationFiles(io, file));
}

/**
 * The suffix of an organization's own variables: the name of its file, or of the directory of a `realm.yaml`, in capitals, with `_` for every
 * character that a variable's name cannot have.
 */
export function nameOf(file: string): string {
  const stem = basename(file, extname(file));
  const folder = basename(dirname(file));
  const name = stem === "realm" && folder !== "" && folder !== "." ? folder : stem;
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
}

/** The organization whose credentials a command needs for this file. */
export function organizationOf(io: Io, { file, realm }: OrganizationFile, isOneOfMany: boolean): WantedOrganization {
  return {
    name: nameOf(file),
    async realm() {
      if (realm !== undefined || isOneOfMany) return realm;
      const found = await realmIn(io, file);
      return found.ok ? found.value : undefined;
    },
    isOneOfMany,
  };
}

/** A part of the files: `3/8` means every eighth file, from the third on. */
export interface Shard {
  readonly part: number;
  readonly of: number;
}

export const inShard = <T>(files: readonly T[], { part, of }: Shard): readonly T[] =>
  files.filter((_, index) => index % of === part - 1);
