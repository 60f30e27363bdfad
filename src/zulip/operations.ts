import type { Operation } from "./operation.ts";
import { CHANNEL_OPERATIONS } from "./operations/channels.ts";
import { GROUP_AND_PEOPLE_OPERATIONS } from "./operations/groups-and-people.ts";
import { MESSAGE_AND_SERVER_OPERATIONS } from "./operations/messages-and-server.ts";
import { ORGANIZATION_OPERATIONS } from "./operations/organization.ts";

/**
 * All operations of a server: one entry for each, with its parameters, encodings, levels and the effect of a repetition. The client, the reports and
 * `realmctl api` use this table.
 */
export const OPERATIONS: readonly Operation[] = [
  ...CHANNEL_OPERATIONS,
  ...GROUP_AND_PEOPLE_OPERATIONS,
  ...ORGANIZATION_OPERATIONS,
  ...MESSAGE_AND_SERVER_OPERATIONS,
];

const byName: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((operation) => [operation.name, operation]));

export function findOperation(name: string): Operation | undefined {
  return byName.get(name);
}

/** @throws RangeError for a name that is not in the table: that is a bug, never a user's error */
export function operationNamed(name: string): Operation {
  const operation = byName.get(name);
  if (operation === undefined) throw new RangeError(`no operation "${name}"`);
  return operation;
}
