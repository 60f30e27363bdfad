import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about:
    "Custom emoji by name, each with the file of its picture. Servers change pictures and show only the address of the result, so realmctl never compares an existing picture. To replace the picture, use `replaces`.",
  who: "People whom `can_add_custom_emoji_group` names; bots may not add any. Administrators and the author may remove one.",
  whoMay: { overrides_builtin: "Administrators." },
  defaults: { image: "required", replaces: "nothing", overrides_builtin: "`false`" },
  unseen: {
    image:
      "Whether there is an emoji with the name, and its id. They cannot see what it looks like, or whether it differs from the file's picture. An emoji that somebody removed and added again has another id.",
  },
  example: `emoji:
  forge: {image: forge.png}`,
};
