import type { Diagnostic } from "../model/diagnostic.ts";
import type { DeclaredObject, ResourceKind } from "../model/kind.ts";
import type { Realm } from "../model/realm.ts";

/** The first release of each series by the level it reports (zulip-api.md §0.2). */
const RELEASES = [
  { level: 277, release: "9" },
  { level: 371, release: "10" },
  { level: 421, release: "11" },
  { level: 478, release: "12" },
  { level: 502, release: "13" },
] as const;

/** "a server of Zulip 12 or later (feature level 441)": the first release that certainly has the level. */
export function releaseOf(level: number): string {
  const release = RELEASES.find((candidate) => candidate.level >= level);
  return release === undefined
    ? `a newer server (feature level ${level})`
    : `Zulip ${release.release} (feature level ${level})`;
}

/** Fields that the server is too old to store: said at the line that sets them, not found out in the middle of a run. */
export function levelProblems(kind: ResourceKind, object: DeclaredObject, level: number): readonly Diagnostic[] {
  return Object.keys(object.fields).flatMap((field) => {
    const needed = kind.fields[field]?.level;
    if (needed === undefined || needed <= level) return [];
    return [tooOld(field, needed, level, object.spans[field] ?? object.at)];
  });
}

/** A section that the snapshot does not hold. */
export function missingSection(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  realm: Realm,
): readonly Diagnostic[] {
  const [first] = declared;
  if (first === undefined) return [];
  if (kind.level !== undefined && realm.level < kind.level) {
    return [tooOld(kind.section, kind.level, realm.level, first.at)];
  }
  return [
    {
      code: "plan/not-read",
      severity: "error",
      message: `this snapshot does not say which ${kind.section.replaceAll("_", " ")} there are`,
      hint: "plan against the server, or take a snapshot that includes them",
      at: first.at,
    },
  ];
}

function tooOld(what: string, needed: number, level: number, at: Diagnostic["at"]): Diagnostic {
  return {
    code: "plan/server-too-old",
    severity: "error",
    message: `${what} needs ${releaseOf(needed)}, and this server has level ${level}`,
    hint: "take it out of the file, or upgrade the server",
    ...(at === undefined ? {} : { at }),
  };
}
