// A map kind that no server has. It shows that a kind is its folder and nothing else. Its objects are in `settings.toy_gadgets` of a snapshot.
import * as z from "zod";
import { flag, string } from "../../src/kinds/optional.ts";
import { groupExists, groupParam, groupValueJson, liveGroupSetting } from "../../src/kinds/permissions.ts";
import { PropertyTable, row, text, word } from "../../src/kinds/property.ts";
import { GroupValueInput, resolveGroupValue } from "../../src/kinds/references.ts";
import { requestFor } from "../../src/kinds/requests.ts";
import { defined } from "../../src/model/defined.ts";
import { type DraftCall, removed, written } from "../../src/model/draft-call.ts";
import { isList, isObject, type Json } from "../../src/model/json.ts";
import type { MapKind } from "../../src/model/kind.ts";
import { once } from "../../src/model/lazy.ts";
import { groupsIn } from "../../src/model/named-in.ts";
import type { LiveObject } from "../../src/model/objects.ts";
import { type FieldChange, type ObjectChange, objectChanges, type Param } from "../../src/model/plan.ts";
import type { PlanContext } from "../../src/model/plan-context.ts";
import type { Realm } from "../../src/model/realm.ts";
import type { GroupSettingValue } from "../../src/model/snapshot.ts";

/** A row for each plain field: its schema, what a plan knows of it, its default and the reference follow from it. */
const FIELDS = new PropertyTable({
  description: row("What it is for.", text({}), ""),
  access: row("Who may know of it.", word("open", "secret"), "open"),
});

const gadgetForm = once(() =>
  z.strictObject({
    was: string("Its name before."),
    absent: flag("It is to be removed."),
    ...FIELDS.forms(),
    can_use_group: GroupValueInput.optional(),
  }),
);
type Gadget = z.infer<ReturnType<typeof gadgetForm>>;

export const gadget: MapKind<Gadget> = {
  name: "toy_gadget",
  section: "toy_gadgets",
  shape: "map",
  noun: ["toy gadget", "toy gadgets"],
  identity: { keyOf: (name) => name.toLowerCase() },
  file: {
    schema: gadgetForm,
    fields: {
      ...FIELDS.rows,
      can_use_group: { about: "Who may use it.", isPermission: true },
    },
    decode({ was, absent = false, can_use_group: users, ...written }, _name, context) {
      const right = users === undefined ? undefined : resolveGroupValue(users, ["can_use_group"], context);
      const can_use_group = right?.known;
      const isWhole = right?.isWhole === true;
      return {
        absent,
        fields: {
          ...FIELDS.decode(written, context).fields,
          ...defined({ can_use_group: isWhole ? can_use_group : undefined }),
        },
        ...defined({ was, partial: isWhole ? undefined : defined({ can_use_group }) }),
      };
    },
  },
  live: { read: liveGadgets },
  calls: {
    draft: (changes, context) => objectChanges(changes).map((change) => callOf(change, context)),
  },
  yaml: {
    item: ({ fields: { description = "", access, can_use_group } }) => ({
      description,
      ...defined({ access: access === "secret" ? access : undefined, can_use_group }),
    }),
  },
  secrecy: {
    name: "own",
    fields: { description: "about", access: "word", can_use_group: "groups" },
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
    defaults: { ...FIELDS.standardsInWords(), can_use_group: "nobody" },
    example: "toy_gadgets:\n  spinner: {description: It spins}",
  },
};

/** As the toy server stores it. */
export interface StoredGadget {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly access: string;
  readonly can_use_group?: GroupSettingValue;
}

export function gadgetsIn(value: Json | undefined): readonly StoredGadget[] {
  if (!isList(value)) return [];
  return value.flatMap((one) => {
    if (!isObject(one)) return [];
    const { id, name, description, access } = one;
    const can_use_group = liveGroupSetting(one, "can_use_group");
    const texts = { name: String(name), description: String(description), access: String(access) };
    return [{ id: Number(id), ...texts, ...defined({ can_use_group }) }];
  });
}

function liveGadgets(realm: Realm): readonly LiveObject[] {
  return gadgetsIn(realm.snapshot.settings.toy_gadgets).map(
    ({ id, name, description, access, can_use_group: users }) => {
      const can_use_group = users === undefined ? undefined : groupValueJson(realm.canonical(users));
      const fields = { description, access, ...defined({ can_use_group }) };
      return { key: name.toLowerCase(), name, id, fields, inactive: false };
    },
  );
}

function callOf(change: ObjectChange, context: PlanContext): DraftCall {
  const { action, id, address, name, fields } = change;
  const isRemoval = action === "remove";
  const paramOf = ({ field, after }: FieldChange): Param =>
    field === "can_use_group" ? groupParam(after, context) : after;
  const own = {
    operation: `${action}-toy-gadget`,
    path: defined({ id }),
    // A new name is a field like the others.
    params: {
      ...defined({ name: action === "create" ? name : undefined }),
      ...Object.fromEntries(isRemoval ? [] : fields.map((field) => [field.field, paramOf(field)])),
    },
    needs: fields.flatMap(({ field, after }) => (field === "can_use_group" ? groupsIn(after).map(groupExists) : [])),
    provides: [isRemoval ? removed(address) : written(address)],
  };
  return requestFor(change, own);
}
