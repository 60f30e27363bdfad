import * as z from "zod";
import { AccessForm } from "../model/access-form.ts";
import { defined } from "../model/defined.ts";
import { JournalEntryForm } from "../model/journal.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { OrganizationsForm } from "../model/organizations.ts";
import { DiagnosticsForm, DriftForm, DriftMomentForm, HistoryForm, WhoamiForm } from "../model/output-schemas.ts";
import { AnyPlanForm } from "../model/plan-schema.ts";
import { ApplyEventForm, ResultForm } from "../model/result.ts";
import { Snapshot } from "../model/snapshot.ts";
import { FORMAT_VERSION } from "./header.ts";
import { POLICIES, UNSET } from "./manage.ts";
import { policySchema } from "./policy-schema.ts";
import { OWN_FIELDS } from "./profiles.ts";
import { shareDefinitions } from "./schema-sharing.ts";
import { VARIABLE_DEFINITIONS, variableSections, withVariables } from "./schema-variables.ts";

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

/** JSON Schema of the files that `realmctl snapshot` writes. */
export function snapshotSchema(): JsonObject {
  return {
    ...asJson(z.toJSONSchema(Snapshot, { io: "input", target: "draft-7" })),
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
      const schema = asJson(z.toJSONSchema(form, { io: "input", target: "draft-7", reused: "ref" }));
      return [name, { ...schema, $schema: DRAFT, title: `realmctl ${name}` }];
    }),
  );
}

/** JSON Schema of saved plans. */
export function planSchema(): JsonObject {
  const schema = asJson(z.toJSONSchema(AnyPlanForm, { io: "input", target: "draft-7", reused: "ref" }));
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
  const { $schema: _, ...plain } = asJson(z.toJSONSchema(kind.file.schema(), { io: "input", target: "draft-7" }));
  const schema = asJson(withVariables(plain));
  if (kind.file.profiles !== true || !isObject(schema.properties)) return schema;
  return { ...schema, properties: { profile: PROFILE, ...asJson(schema.properties) } };
}

function profilesSchema(kinds: readonly ResourceKind[]): JsonObject {
  const kind = kinds.find((candidate) => candidate.file.profiles === true);
  const item = kind === undefined ? {} : itemSchema(kind);
  const fields = Object.entries(asJson(item.properties ?? {})).filter(([field]) => !OWN_FIELDS.includes(field));
  return {
    description: "Named sets of channel fields, for channels with much in common.",
    type: "object",
    additionalProperties: { ...item, properties: Object.fromEntries(fields) },
  };
}

/** The library has its own type for objects; a round trip through text makes one JSON. */
function asJson(value: unknown): { readonly [key: string]: Json } {
  const json: { readonly [key: string]: Json } = JSON.parse(JSON.stringify(value));
  return json;
}
