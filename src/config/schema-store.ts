/** The entries for the public schema store: where editors find realmctl's schemas without a copy of them. */
export const SCHEMA_STORE = {
  realm: {
    name: "realmctl",
    description: "A Zulip organization as realmctl keeps it: channels, groups, settings and more",
    fileMatch: ["realm.yaml", "realm.yml"],
    url: "https://www.schemastore.org/realmctl.json",
  },
  rules: {
    name: "realmctl rules",
    description: "Rules about who may do what in a Zulip organization, for realmctl test",
    fileMatch: ["realm.test.yaml", "realm.test.yml"],
    url: "https://www.schemastore.org/realmctl-rules.json",
  },
} as const;
