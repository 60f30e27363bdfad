import { isTree } from "../source/tree.ts";
import { valueAt } from "./issues.ts";
import { reportIssues } from "./item-issues.ts";
import type { SectionsInput } from "./items.ts";
import { profileFields } from "./profiles.ts";
import { shapeOf } from "./shape.ts";

/** An unused profile is still checked. */
export function checkUnusedBundles({ kinds, profiles, report }: SectionsInput): void {
  const kind = kinds.find((candidate) => candidate.file.profiles === true);
  if (kind === undefined) return;
  const shape = shapeOf(kind.file.schema, profileFields(kind), kind.file.synonyms);
  for (const { name, fields } of profiles.bundles) {
    const result = kind.file.schema.safeParse(fields);
    if (!result.success) reportIssues(kind, shape, profiles.declared, name, fields, result.error.issues, report);
  }
}

/** Also defaults of a section without items; fields that they leave out are the items' part. */
export function checkUnusedDefaults({ document, kinds, defaults, report }: SectionsInput): void {
  const { defaults: written } = document.root;
  for (const [section, fields] of defaults.sections) {
    const kind = kinds.find((candidate) => candidate.section === section);
    if (kind === undefined || !isTree(written)) continue;
    const result = kind.file.schema.safeParse(fields);
    if (result.success) continue;
    const here = result.error.issues.filter(
      (issue) => issue.code === "unrecognized_keys" || valueAt(fields, issue.path.map(String)) !== undefined,
    );
    // The same form as for items: one error in the defaults of a section with items is the same error.
    const shape = shapeOf(kind.file.schema, profileFields(kind), kind.file.synonyms);
    reportIssues(kind, shape, written, section, fields, here, report);
  }
}
