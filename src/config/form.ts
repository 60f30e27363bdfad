import * as z from "zod";
import type { ResourceKind } from "../model/kind.ts";
import { oncePer } from "../model/lazy.ts";
import { otherRights } from "../model/permission-settings.ts";
import type { Realm } from "../model/realm.ts";

/**
 * The form of a kind's items against an organization: with the permission settings that only its server knows. They have the form of the others.
 * @param realm without it, the form of every organization
 */
export function formOf(kind: ResourceKind, realm: Realm | undefined): z.ZodType {
  const { rights } = kind.file;
  const schema = kind.file.schema();
  const described = realm?.snapshot.permission_settings ?? null;
  if (rights === undefined || described === null) return schema;
  const others = otherRights(rights, { permission_settings: described });
  return others.length === 0 ? schema : formsOf(described[rights], kind, others);
}

const formsOf = oncePer((_described: object, { file }: ResourceKind, others: readonly string[]) => {
  const schema = file.schema();
  if (!(schema instanceof z.ZodObject)) return schema;
  const { permissions } = schema.shape;
  const known = permissions instanceof z.ZodOptional ? permissions.unwrap() : undefined;
  if (!(known instanceof z.ZodObject)) return schema;
  const [like] = Object.values(known.shape);
  return schema.extend({
    permissions: known.extend(Object.fromEntries(others.map((name) => [name, like]))).optional(),
  });
});
