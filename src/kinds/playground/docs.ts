import type { DocsFacet } from "../../model/kind.ts";

export const docs: DocsFacet = {
  about:
    "Buttons on code blocks that open the code somewhere else. The server cannot change a playground: another url_template removes it and adds it again, in two requests. Removing one takes default_code_block_language with it where that is its language, even if another playground of the language is left; realmctl sets it again after a change of the template. If a run stops in between, apply the same saved plan again: a new plan sets the language again only where default_code_block_language is in the file.",
  who: "Administrators.",
  defaults: { language: "–", name: "–", url_template: "has to be written" },
  example: `playgrounds:
  - language: Rust
    name: Rust playground
    url_template: https://play.example.org/?code={code}`,
};
