import { World } from "./world.ts";

/** Every kind of request for channels: several new ones, an exchange of names, changes, an archive. */
export const MIXED_FILE = `version: 1
channels:
  announce: {description: News, permissions: {can_send_message_group: role:moderators}}
  incidents: {description: Page first, privacy: private_shared_history, subscribers: {users: [ada@acme.example]}}
  general: {id: 1, description: All about Zulip}
  Zulip: {id: 3}
  sandbox: {description: Gone soon, archived: true}
`;

/** Everything that a person would see: the channels, and the number of messages (including notices). */
export function fingerprint(world: World): object {
  const { channels, messages } = world.sandbox.state();
  return {
    channels: Object.values(channels).map(({ date_created: _, ...channel }) => channel),
    messages: Object.keys(messages).length,
  };
}

export interface CalmRun {
  readonly writes: readonly string[];
  readonly requests: number;
  readonly realm: object;
}

/** The result of a run without any fault. */
export async function calmRun(file: string): Promise<CalmRun> {
  const world = await World.start();
  try {
    await world.bringInLine(file);
    return { writes: world.writes(), requests: world.sandbox.log.length, realm: fingerprint(world) };
  } finally {
    await world.end();
  }
}
