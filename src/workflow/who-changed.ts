import { kinds } from "../kinds/registry.ts";
import type { Topic } from "../model/facets.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { Change, ChangedBy } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";

/** So many topics are read at most, one after the other, whatever the number of differences. */
const MOST_TOPICS = 20;

type ReadTopic = (topic: Topic) => Promise<readonly { readonly content: string; readonly timestamp: number }[]>;

/**
 * The differences with who changed their fields last, as far as the server posted it, the account may read it, and the server's value is still the one that was
 * posted. A hint: people with the right to do so can move such messages between topics.
 */
export async function whoChanged(
  differences: readonly Change[],
  snapshot: Snapshot,
  readTopic: ReadTopic,
): Promise<readonly Change[]> {
  const realm = new Realm(snapshot);
  const found: Change[] = [];
  let left = MOST_TOPICS;
  for (const change of differences) {
    const kind = kinds.find(({ name }) => name === change.kind);
    const topic = change.id === undefined ? undefined : kind?.history?.topicOf(change.id, realm);
    if (kind === undefined || topic === undefined || change.action !== "update" || left === 0) {
      found.push(change);
      continue;
    }
    left -= 1;
    const by = changedBy(kind, change, realm, await readTopic(topic));
    found.push(by.length === 0 ? change : { ...change, changed_by: by });
  }
  return found;
}

function changedBy(
  kind: ResourceKind,
  { id, fields }: Change,
  realm: Realm,
  messages: Awaited<ReturnType<ReadTopic>>,
): readonly ChangedBy[] {
  const live = liveObjects(kind, realm)?.find((object) => object.id === id);
  if (live === undefined) return [];
  const last = new Map<string, ChangedBy | undefined>();
  for (const { content, timestamp } of messages) {
    const found = kind.history?.read(content, live);
    if (found === undefined) continue;
    const full_name = realm.user(found.user_id)?.full_name ?? found.full_name;
    last.set(found.field, { ...found, full_name, at: new Date(timestamp * 1000).toISOString() });
  }
  return fields.flatMap(({ field }) => last.get(field) ?? []);
}
