import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about:
    "Custom emoji by name, each with the file of its picture. Servers change pictures and show only the address of the result, so realmctl never compares an existing picture. Plan and drift see whether an emoji with the name exists, who added it, and its id; they do not see what it looks like. To replace the picture, use `replaces`.",
  who: "People whom `can_add_custom_emoji_group` names; bots may not add any. Administrators and the author may remove one.",
  whoMay: { overrides_builtin: "Administrators." },
  defaults: { image: "required", replaces: "nothing", overrides_builtin: "`false`" },
  example: `emoji:
  forge: {image: forge.png}`,
};
