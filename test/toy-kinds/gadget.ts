// A map kind that no server has. It shows that a kind is its folder and nothing else. Its objects are in `settings.toy_gadgets` of a snapshot.
import * as z from "zod";
import { defined } from "../../src/model/defined.ts";
import { isList, isObject, type Json } from "../../src/model/json.ts";
import type { MapKind } from "../../src/model/kind.ts";
import type { LiveObject } from "../../src/model/objects.ts";
import { objectChanges } from "../../src/model/plan.ts";
import type { Realm } from "../../src/model/realm.ts";

const Gadget = z.strictObject({
  was: z.string().optional().describe("Its name before."),
  absent: z.boolean().optional().describe("It is to be removed."),
  description: z.string().optional().describe("What it is for."),
  access: z.enum(["open", "secret"]).optional().describe("Who may know of it."),
});
type Gadget = z.infer<typeof Gadget>;

export const gadget: MapKind<Gadget> = {
  name: "toy_gadget",
  section: "toy_gadgets",
  shape: "map",
  noun: ["toy gadget", "toy gadgets"],
  identity: { keyOf: (name) => name.toLowerCase() },
  file: {
    schema: Gadget,
    fields: { description: { about: "What it is for." }, access: { about: "Who may know of it." } },
    decode: ({ was, absent = false, description, access }) => ({
      absent,
      ...defined({ was }),
      fields: defined({ description, access }),
    }),
  },
  live: { read: liveGadgets },
  calls: {
    draft: (changes) =>
      objectChanges(changes).map(({ action, id, address, name, fields }) => ({
        operation: `${action}-toy-gadget`,
        path: defined({ id }),
        // A new name is a field like the others.
        params: {
          ...defined({ name: action === "create" ? name : undefined }),
          ...Object.fromEntries(fields.flatMap(({ field, after }) => (action === "remove" ? [] : [[field, after]]))),
        },
        for: [{ address, fields: fields.map(({ field }) => field) }],
        creates: action === "create" ? [address] : [],
      })),
  },
  yaml: {
    item: ({ fields: { description = "", access } }) => ({
      description,
      ...defined({ access: access === "secret" ? access : undefined }),
    }),
  },
  secrecy: {
    name: "own",
    fields: { description: "about", access: "word" },
    isHidden: ({ access }) => access === "secret",
    namesIn: ({ settings }) =>
      gadgetsIn(settings.toy_gadgets).map(({ name, id, access }) => ({ name, id, isHidden: access === "secret" })),
    // Names in settings are replaced before any kind is asked.
    snapshot: ({ settings }, { isKnown }) => ({
      settings: {
        ...settings,
        toy_gadgets: gadgetsIn(settings.toy_gadgets).map((one) =>
          one.access === "secret" && !isKnown(one.name) ? { ...one, description: "" } : { ...one },
        ),
      },
    }),
  },
  docs: {
    who: "Everybody.",
    defaults: { description: "empty", access: "`open`" },
    example: "toy_gadgets:\n  spinner: {description: It spins}",
  },
};

/** As the toy server stores it. */
export interface StoredGadget {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly access: string;
}

export function gadgetsIn(value: Json | undefined): readonly StoredGadget[] {
  if (!isList(value)) return [];
  return value.flatMap((one) => {
    if (!isObject(one)) return [];
    const { id, name, description, access } = one;
    return [{ id: Number(id), name: String(name), description: String(description), access: String(access) }];
  });
}

function liveGadgets(realm: Realm): readonly LiveObject[] {
  return gadgetsIn(realm.snapshot.settings.toy_gadgets).map(({ id, name, description, access }) => ({
    key: name.toLowerCase(),
    name,
    id,
    fields: { description, access },
    inactive: false,
  }));
}
