import * as z from "zod";
import { AccessForm } from "../model/access-form.ts";
import { LIMITS, SECTION_LIMITS } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import { JournalEntryForm } from "../model/journal.ts";
import { asJson, asMap, isList, isMap, type Json, type JsonObject } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { OrganizationsForm } from "../model/organizations.ts";
import { DiagnosticsForm, DriftForm, DriftMomentForm, HistoryForm, WhoamiForm } from "../model/output-schemas.ts";
import { AnyPlanForm } from "../model/plan-schema.ts";
import { ApplyEventForm, ResultForm } from "../model/result.ts";
import { Snapshot } from "../model/snapshot.ts";
import { ownFields, takesNone } from "./defaults.ts";
import { FORMAT_VERSION } from "./header.ts";
import { POLICIES, UNSET } from "./manage.ts";
import { OWN_FIELDS } from "./profiles.ts";
import { shareDefinitions } from "./schema-sharing.ts";
import { syncable } from "./sync-parts.ts";
import { VARIABLE_NAME, VARIABLE_TYPES } from "./variable-syntax.ts";

/** Editors for YAML support this draft best. */
const DRAFT = "http://json-schema.org/draft-07/schema#";

/**
 * JSON Schema of realm.yaml and of the files it includes (so no section is required, not even `version`): for completion and hints in editors.
 * `realmctl validate` checks rules between fields and names on the server.
 */
export function realmSchema(kinds: readonly ResourceKind[]): JsonObject {
  const policy = { enum: [...POLICIES] };
  const partialPolicy = { enum: ["ignore", "additive"] };
  return shareDefinitions({
    $schema: DRAFT,
    title: "realm.yaml",
    description: "A Zulip organization that realmctl manages. realmctl does not manage sections that are left out.",
    type: "object",
    additionalProperties: false,
    definitions: VARIABLE_DEFINITIONS,
    properties: {
      version: { const: FORMAT_VERSION, description: "The version of this format." },
      realm: {
        type: "string",
        format: "uri",
        description: "URL of the organization that this file is for; plans for another one are refused.",
        examples: ["https://chat.example.org"],
      },
      include: {
        description:
          "Files below this file's directory, whose sections are joined with these; `*` and `**` match several. A pattern without a match is an error, unless it is optional.",
        anyOf: [
          { type: "string" },
          OPTIONAL_INCLUDE,
          { type: "array", items: { anyOf: [{ type: "string" }, OPTIONAL_INCLUDE] } },
        ],
        examples: [["channels/*.yaml", { path: "local/*.yaml", optional: true }]],
      },
      manage: {
        description:
          "What happens to objects that the file does not mention: ignore, additive (left alone and counted; the default) or exact (removed); and the meaning of a field that an item leaves out (`unset`).",
        type: "object",
        additionalProperties: false,
        properties: {
          default: {
            description:
              "The policy of every section of the file that has none of its own; not of settings and user_defaults.",
            ...policy,
          },
          ...Object.fromEntries(
            kinds.map((kind) => {
              const own = kind.isPartial === true ? partialPolicy : policy;
              return [kind.section, { anyOf: [own, manageSchema(own, kind)] }];
            }),
          ),
        },
        examples: [
          { channels: { policy: "additive", unset: "default" }, linkifiers: "exact" },
          { default: "exact", channels: { except: ["tmp-*"] } },
        ],
      },
      policy: policySchema(kinds),
      ...variableSections(kinds, itemSchema),
      ...defined({ profiles: kinds.some(({ file }) => file.profiles === true) ? profilesSchema(kinds) : undefined }),
      ...Object.fromEntries(kinds.map((kind) => [kind.section, sectionSchema(kind)])),
    },
  });
}

/** The long form of what `manage:` sets for one section. */
function manageSchema(policy: JsonObject, { diff, shape, isPartial }: ResourceKind): JsonObject {
  const unset = {
    description:
      "The meaning of a field that an item leaves out: nothing (leave; the default), or that it must have the value that the server gives to new objects (default), which plan and drift then watch.",
    enum: [...UNSET].filter((word) => word !== "default" || diff?.defaults !== undefined),
  };
  const except = {
    description:
      "Names of objects that are left alone if the file does not mention them; `*` and `?` stand for other text.",
    type: "array",
    items: { type: "string" },
    examples: [["tmp-*", "incident-*"]],
  };
  const described = { description: "What happens to objects that the file does not mention.", ...policy };
  return {
    type: "object",
    additionalProperties: false,
    properties: {
      policy: described,
      ...defined({ except: shape === "singleton" || isPartial === true ? undefined : except }),
      unset,
    },
  };
}

const OPTIONAL_INCLUDE = {
  description: "A path with options.",
  type: "object",
  additionalProperties: false,
  required: ["path"],
  properties: {
    path: { type: "string", description: "A file, or a pattern that matches several." },
    optional: {
      type: "boolean",
      description: "`true`: it is no error if the file does not exist, or nothing matches.",
    },
  },
};

const schemaOf = (form: z.ZodType, more: Parameters<typeof z.toJSONSchema>[1] = {}): JsonObject =>
  asMap(asJson(z.toJSONSchema(form, { io: "input", target: "draft-7", ...more })));

/** JSON Schema of the files that `realmctl snapshot` writes. */
export function snapshotSchema(): JsonObject {
  return {
    ...schemaOf(Snapshot),
    $schema: DRAFT,
    title: "realmctl snapshot",
  };
}

/** JSON Schemas of the output of commands with `--format json`, and of one line of a journal: name of the file → schema. */
export function outputSchemas(): ReadonlyMap<string, JsonObject> {
  const forms = {
    result: ResultForm,
    "apply-event": ApplyEventForm,
    drift: DriftForm,
    "drift-moment": DriftMomentForm,
    diagnostics: DiagnosticsForm,
    journal: JournalEntryForm,
    whoami: WhoamiForm,
    history: HistoryForm,
    access: AccessForm,
    organizations: OrganizationsForm,
  };
  return new Map(
    Object.entries(forms).map(([name, form]) => {
      const schema = schemaOf(form, { reused: "ref" });
      return [name, { ...schema, $schema: DRAFT, title: `realmctl ${name}` }];
    }),
  );
}

/** JSON Schema of saved plans. */
export function planSchema(): JsonObject {
  const schema = schemaOf(AnyPlanForm, { reused: "ref" });
  return { ...schema, $schema: DRAFT, title: "realmctl plan" };
}

function sectionSchema(kind: ResourceKind): JsonObject {
  const [, many] = kind.noun;
  const item = itemSchema(kind);
  const about = kind.docs.about === undefined ? "" : ` ${kind.docs.about}`;
  if (kind.shape === "singleton")
    return { ...item, description: `${many.charAt(0).toUpperCase()}${many.slice(1)}.${about}` };
  if (kind.shape === "list") return { description: `A list of ${many}.${about}`, type: "array", items: item };
  return {
    description: `Names of ${many}, each with its fields; a name without fields is enough to declare one.${about}`,
    type: "object",
    additionalProperties: { anyOf: [item, { type: "null" }] },
  };
}

const PROFILE = {
  description: "Profiles whose fields this channel takes over. What the channel itself says wins.",
  anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
};

function itemSchema(kind: ResourceKind): JsonObject {
  const { $schema: _, ...plain } = schemaOf(kind.file.schema());
  const schema = asMap(withVariables(plain));
  if (kind.file.profiles !== true || !isMap(schema.properties)) return schema;
  return { ...schema, properties: { profile: PROFILE, ...asMap(schema.properties) } };
}

function profilesSchema(kinds: readonly ResourceKind[]): JsonObject {
  const kind = kinds.find((candidate) => candidate.file.profiles === true);
  const item = kind === undefined ? {} : itemSchema(kind);
  const fields = Object.entries(asMap(item.properties)).filter(([field]) => !OWN_FIELDS.includes(field));
  return {
    description: "Named sets of channel fields, for channels with much in common.",
    type: "object",
    additionalProperties: { ...item, properties: Object.fromEntries(fields) },
  };
}

/** `definitions` of the schema: what may replace a value that is not a string. */
const VARIABLE_DEFINITIONS: JsonObject = {
  variable: {
    type: "string",
    pattern: "^\\$\\{[a-z][a-z0-9_]*\\}$",
    description: "A variable that `vars` declares, for the whole value.",
  },
};
const REFERENCE: Json = { $ref: "#/definitions/variable" };

/** Top-level keys of the file about variables and defaults. @param item the schema of an item of a section */
function variableSections(
  kinds: readonly ResourceKind[],
  item: (kind: ResourceKind) => JsonObject,
): { readonly [key: string]: Json } {
  const names = { pattern: VARIABLE_NAME.source };
  return {
    vars: {
      description: "Variables that values refer to as `${name}`; `$${` is written for the characters themselves.",
      type: "object",
      propertyNames: names,
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        properties: {
          type: {
            enum: [...VARIABLE_TYPES],
            description: "What its value is; with `from`, a string unless this says otherwise.",
          },
          about: { type: "string", description: "What it is for, in a sentence." },
          default: { description: "Its value if nothing else gives it one." },
          from: {
            const: "env",
            description: "Its value is in the environment, unless `values` or an option gives it one.",
          },
          name: {
            type: "string",
            pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
            description: "The variable of the environment.",
          },
        },
      },
      examples: [{ on_call: { type: "group", about: "Who is called at night" } }],
    },
    values: {
      description: "Values of the variables, in the file of the organization that they are for.",
      type: "object",
      propertyNames: names,
      examples: [{ on_call: "engineering" }],
    },
    defaults: {
      description: "Section → fields of every item that does not set them itself or with its profile.",
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(
        kinds.filter((kind) => !takesNone(kind)).map((kind) => [kind.section, defaultsOf(kind, item(kind))]),
      ),
      examples: [{ channels: { privacy: "public" } }],
    },
  };
}

function defaultsOf(kind: ResourceKind, item: JsonObject): Json {
  const { required: _, ...rest } = item;
  const own = ownFields(kind);
  const properties = isMap(item.properties) ? Object.entries(item.properties) : [];
  const many = kind.noun[1];
  return {
    description: `What ${many} get that do not set it themselves.`,
    ...rest,
    properties: Object.fromEntries(properties.filter(([field]) => !own.includes(field))),
  };
}

/** The schema with a variable allowed for every value that is not free text. */
function withVariables(schema: Json): Json {
  if (!isMap(schema)) return schema;
  const { properties, items, anyOf, ...rest } = schema;
  if (isList(anyOf)) {
    const branches = anyOf.map((branch) => (isClosed(branch) ? branch : withVariables(branch)));
    const open = anyOf.some((branch) => isMap(branch) && isText(branch));
    return { ...rest, anyOf: anyOf.some(isClosed) && !open ? [...branches, REFERENCE] : branches };
  }
  if (isClosed(schema)) {
    const { description, ...closed } = schema;
    return { ...defined({ description }), anyOf: [closed, REFERENCE] };
  }
  return {
    ...rest,
    ...defined({
      properties: properties === undefined ? undefined : mapped(properties),
      items: items === undefined ? undefined : withVariables(items),
    }),
  };
}

const mapped = (properties: Json): Json =>
  isMap(properties)
    ? Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, withVariables(value)]))
    : properties;

/** Accepts no free text: numbers, booleans and words of a list. */
function isClosed(schema: Json): boolean {
  if (!isMap(schema)) return false;
  return isList(schema.enum) || "const" in schema || ["integer", "number", "boolean"].includes(String(schema.type));
}

const isText = (schema: JsonObject): boolean =>
  schema.type === "string" && !isList(schema.enum) && !("const" in schema);

/** JSON Schema of `policy:`, here and in a policy file. */
function policySchema(kinds: readonly ResourceKind[]): JsonObject {
  const number = (name: string): Json => ({
    type: "integer",
    minimum: 0,
    ...defined({ maximum: name.endsWith("_percent") ? 100 : undefined }),
  });
  const own = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, number(name)]));
  return {
    description: "Guard rails that every plan is checked against, or the file with them (docs/policy.md).",
    anyOf: [
      { type: "string", examples: ["realm.policy.yaml"] },
      {
        type: "object",
        additionalProperties: false,
        properties: {
          limits: {
            description: "The most that one plan may hold: of everything, and of each section.",
            type: "object",
            additionalProperties: false,
            properties: {
              ...own(LIMITS),
              ...Object.fromEntries(
                kinds.map(({ section }) => [
                  section,
                  { type: "object", additionalProperties: false, properties: own(SECTION_LIMITS) },
                ]),
              ),
            },
          },
          protect: {
            description: "Objects of the organization that no plan may change, even if the file says so.",
            type: "array",
            items: { type: "string", pattern: "^[a-z_]+:.+$" },
            examples: [["channel:general", "channel:security-*"]],
          },
          sync: {
            description: "The lists that `realmctl sync` keeps as the file has them.",
            type: "array",
            items: { type: "string", pattern: "^[a-z_]+\\..+\\.[a-z_]+$" },
            examples: [syncable(kinds).slice(0, 2)],
          },
          lockout: {
            description: "What happens to a plan after which nobody, or not this account, can reach a channel.",
            enum: ["refuse", "allow"],
          },
          min_owners: {
            description: "How many owners a plan that removes owners must leave (default: 1).",
            type: "integer",
            minimum: 1,
          },
        },
      },
    ],
  };
}

export function policyFileSchema(kinds: readonly ResourceKind[]): JsonObject {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "realmctl policy",
    type: "object",
    additionalProperties: false,
    required: ["policy"],
    properties: { version: { const: 1 }, policy: policySchema(kinds) },
  };
}
