import type { DocsFacet } from "../../model/kind.ts";

export const docs: DocsFacet = {
  about:
    "Custom emoji by name, each with the file of its picture. Servers change pictures and show only where the result is, so that a picture that is there is never compared: plan and drift see whether there is an emoji of the name, by whom, and under which id, and not what it looks like. Another picture takes its place with `replaces`.",
  who: "People whom `can_add_custom_emoji_group` names; bots may not add any. Administrators and the author may remove one.",
  whoMay: { overrides_builtin: "Administrators." },
  defaults: { image: "has to be written", replaces: "nothing", overrides_builtin: "`false`" },
  example: `emoji:
  forge: {image: forge.png}`,
};
