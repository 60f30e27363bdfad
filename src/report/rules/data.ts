import { defined } from "../../model/defined.ts";
import type { ExitCode } from "../../model/diagnostic.ts";
import type { RulesResult } from "../../rules/result.ts";
import { renderJson } from "../json.ts";
import { clean } from "../style.ts";
import { flawText, reasonText } from "./words.ts";

/** What became of each rule, for programs. */
export function rulesJson({ outcomes, ground, against, snapshot }: RulesResult, exitCode: ExitCode): string {
  return renderJson({
    format: "realmctl.test",
    version: 1,
    against,
    ...defined({
      realm: snapshot === undefined ? undefined : snapshot.realm.url,
      snapshot_taken_at: snapshot === undefined ? undefined : snapshot.taken_at,
    }),
    rules: outcomes.map(({ name, at, flaws, more, untold, looked }) => ({
      name,
      at,
      holds: flaws.length === 0,
      looked_at: looked,
      untold,
      flaws: flaws.map((flaw) => ({
        message: flawText(flaw, ground),
        reason: reasonText(flaw) || null,
        on: flaw.target === "organization" ? flaw.target : `${flaw.target.kind}:${flaw.target.name}`,
        kind: flaw.kind,
        ...("right" in flaw ? { right: flaw.right } : { field: flaw.field }),
        ...defined({
          person: "id" in flaw ? ground.realm.userName(flaw.id) : undefined,
          full_name: "id" in flaw ? ground.realm.user(flaw.id)?.full_name : undefined,
        }),
        granted_at: ("granted" in flaw ? flaw.granted : undefined) ?? null,
      })),
      more_flaws: more,
    })),
    exit_code: exitCode,
  });
}

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
const escaped = (text: string): string => clean(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

/** JUnit's XML, as CI hosts read it: a test case for each rule. */
export function rulesJunit({ outcomes, ground }: RulesResult): string {
  const broken = outcomes.filter(({ flaws }) => flaws.length > 0).length;
  const cases = outcomes.map(({ name, at, flaws, more }) => {
    const head = `    <testcase name="${escaped(name)}" classname="${escaped(at.file)}" file="${escaped(at.file)}" line="${at.line}"`;
    if (flaws.length === 0) return `${head}/>`;
    const lines = flaws.map((flaw) => {
      const place =
        "granted" in flaw && flaw.granted !== undefined ? ` [${flaw.granted.file}:${flaw.granted.line}]` : "";
      const reason = reasonText(flaw);
      return `${flawText(flaw, ground)}${reason === "" ? "" : ` (${reason})`}${place}`;
    });
    const text = [...lines, ...(more > 0 ? [`and ${more} more`] : [])];
    return `${head}>\n      <failure message="${escaped(lines[0] ?? "")}">${text.map(escaped).join("\n")}</failure>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${outcomes.length}" failures="${broken}">`,
    `  <testsuite name="realmctl test" tests="${outcomes.length}" failures="${broken}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
