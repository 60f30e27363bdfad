import { isTree } from "../source/tree.ts";
import { formOf } from "./form.ts";
import { reportIssues } from "./item-issues.ts";
import type { SectionsInput } from "./items.ts";
import { profileFields } from "./profiles.ts";
import { shapeOf } from "./shape.ts";
import { valueAt } from "./value-at.ts";

/** An unused profile is still checked. */
export function checkUnusedBundles({ kinds, realm, profiles, report }: SectionsInput): void {
  const kind = kinds.find((candidate) => candidate.file.profiles === true);
  if (kind === undefined) return;
  const form = formOf(kind, realm);
  const shape = shapeOf(form, profileFields(kind), kind.file);
  for (const { name, fields } of profiles.bundles) {
    const result = form.safeParse(fields);
    if (!result.success)
      reportIssues({ kind, form, shape, realm }, profiles.declared, name, fields, result.error.issues, report);
  }
}

/** Also defaults of a section without items; fields that they leave out are the items' part. */
export function checkUnusedDefaults({ document, kinds, realm, defaults, report }: SectionsInput): void {
  const { defaults: written } = document.root;
  for (const [section, fields] of defaults.sections) {
    const kind = kinds.find((candidate) => candidate.section === section);
    if (kind === undefined || !isTree(written)) continue;
    const form = formOf(kind, realm);
    const result = form.safeParse(fields);
    if (result.success) continue;
    const here = result.error.issues.filter(
      (issue) => issue.code === "unrecognized_keys" || valueAt(fields, issue.path.map(String)) !== undefined,
    );
    // The same form as for items: one error in the defaults of a section with items is the same error.
    const shape = shapeOf(form, profileFields(kind), kind.file);
    reportIssues({ kind, form, shape, realm }, written, section, fields, here, report);
  }
}
