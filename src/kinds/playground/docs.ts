import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about:
    "Buttons on code blocks that open the code on another site. The server cannot change a playground: for another url_template, realmctl removes it and adds it again, in two requests. When a playground is removed and default_code_block_language is its language, the server clears default_code_block_language, even if another playground of the language is left. After a change of the template, realmctl sets it again. If a run stops in between, apply the same saved plan again: a new plan sets the language again only if default_code_block_language is in the file.",
  who: "Administrators.",
  defaults: { language: "–", name: "–", url_template: "required" },
  example: `playgrounds:
  - language: Rust
    name: Rust playground
    url_template: https://play.example.org/?code={code}`,
};
