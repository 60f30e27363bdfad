import type { DocsFacet } from "../../model/kind.ts";

export const docs: DocsFacet = {
  about:
    "Roles of people, and who leaves, by the address of their account. Only those listed here are looked at: nobody is made, and nobody is deactivated for not being listed, so the section cannot be `exact`. Names and profiles are people's own.",
  who: "Administrators and owners, bots with these roles too.",
  whoMay: {
    role: "giving or taking the role of an owner: owners",
    deactivated: "deactivating an owner: owners",
  },
  defaults: { role: "–", deactivated: "–" },
  example: `people:
  ada@example.org: {role: owner}
  jana@example.org: {deactivated: true}`,
};
