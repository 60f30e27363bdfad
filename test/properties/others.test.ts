import { describe, expect, test } from "vitest";
import fc from "../support/random.ts";
import type { World } from "../support/world.ts";
import { type Edit, edits, scenario } from "./arbitrary.ts";
import { begin, options, TIMEOUT_MS } from "./begin.ts";
import { together } from "./together.ts";

describe("random realms and files, while somebody else makes changes", () => {
  test(
    "changes that somebody else made between plan and apply are never overwritten",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, edits, async (input, made) => {
          const { world, plan, yaml } = await begin(input);
          const theirs = await edit(world, made);
          await world.apply(plan, yaml);
          expect(await lost(world, theirs)).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "permission settings are not overwritten even during a run",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, fc.nat({ max: 2 }), async (input, moment) => {
          const { world, plan, yaml } = await begin(input);
          const theirs: Theirs[] = [];
          let asked = 0;
          await world.apply(plan, yaml, async ({ operation, path, params }) => {
            const field = Object.keys(params).find((name) => CONTESTED.test(name));
            if (operation !== "update-stream" || field === undefined || asked++ !== moment) return;
            const { writer } = world.as(EDITOR);
            const answer = await writer.send({ operation, path, params: { [field]: { new: FULL_MEMBERS } } });
            if (answer.outcome === "applied") theirs.push({ id: Number(path.stream_id), field, value: FULL_MEMBERS });
          });
          expect(await lost(world, theirs)).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "changes of groups and folders are not overwritten either",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          together,
          fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 }),
          async (input, made) => {
            const { world, plan, yaml } = await begin(input);
            const { writer } = world.as("kofi@acme.example");
            const theirs: { readonly kind: "group" | "folder"; readonly id: number; readonly text: string }[] = [];
            const { user_groups, channel_folders } = await world.read();
            const own = user_groups.filter((group) => !group.is_system_group);
            for (const [index, [kind, at]] of made.entries()) {
              const text = `theirs ${index}`;
              const isGroup = kind % 2 === 0;
              const list = isGroup ? own : (channel_folders ?? []);
              const id = list[at % Math.max(1, list.length)]?.id;
              if (id === undefined) continue;
              const answer = isGroup
                ? await writer.send({
                    operation: "update-user-group",
                    path: { user_group_id: id },
                    params: { description: text },
                  })
                : await writer.send({
                    operation: "update-channel-folder",
                    path: { channel_folder_id: id },
                    params: { description: text },
                  });
              if (answer.outcome !== "applied") continue;
              theirs.push({ kind: isGroup ? "group" : "folder", id, text });
            }
            await world.apply(plan, yaml);
            const after = await world.read();
            const last = new Map(theirs.map((edit) => [`${edit.kind} ${edit.id}`, edit]));
            for (const { kind, id, text } of last.values()) {
              const list = kind === "group" ? after.user_groups : (after.channel_folders ?? []);
              expect(list.find((object) => object.id === id)?.description).toBe(text);
            }
          },
        ),
        { numRuns: Math.ceil(options.numRuns / 2) },
      );
    },
    TIMEOUT_MS,
  );
});

// Settings that an owner outside the channel may change, whatever its other values are.
const CONTESTED = /^can_(send|move|remove|resolve|delete|administer).*_group$/;
/** A group that no scenario uses. */
const FULL_MEMBERS = 13;

interface Theirs {
  readonly id: number;
  readonly field: string;
  readonly value: unknown;
}

const EDITOR = "kofi@acme.example";

async function channelsNow(world: World, at: number) {
  return (await world.read()).channels.filter(({ stream_id }) => stream_id === 101 + at);
}

/** Another owner makes changes. Returns what they changed. */
async function edit(world: World, made: readonly Edit[]): Promise<readonly Theirs[]> {
  const { writer } = world.as(EDITOR);
  const theirs = new Map<string, Theirs>();
  for (const [index, { channel: at, field }] of made.entries()) {
    const [found] = await channelsNow(world, at);
    if (found === undefined) continue;
    const id = found.stream_id;
    const path = { stream_id: id };
    const note = (shown: string, value: unknown): void => {
      if (JSON.stringify(found[shown]) !== JSON.stringify(value))
        theirs.set(`${id} ${shown}`, { id, field: shown, value });
    };
    switch (field) {
      case "description":
        await writer.send({ operation: "update-stream", path, params: { description: `theirs ${index}` } });
        note("description", `theirs ${index}`);
        break;
      case "new_name":
        await writer.send({ operation: "update-stream", path, params: { new_name: `theirs ${id}-${index}` } });
        note("name", `theirs ${id}-${index}`);
        break;
      case "can_send_message_group":
        await writer.send({
          operation: "update-stream",
          path,
          params: { can_send_message_group: { new: FULL_MEMBERS } },
        });
        note("can_send_message_group", FULL_MEMBERS);
        break;
      case "message_retention_days":
        await writer.send({ operation: "update-stream", path, params: { message_retention_days: 365 } });
        note("message_retention_days", 365);
        break;
      case "is_archived":
        if (found.is_archived) break;
        await writer.send({ operation: "archive-stream", path, params: {} });
        note("is_archived", true);
        break;
    }
  }
  return [...theirs.values()];
}

/** What is no longer as somebody else left it. */
async function lost(world: World, theirs: readonly Theirs[]): Promise<readonly unknown[]> {
  const { channels } = await world.read();
  return theirs.flatMap(({ id, field, value }) => {
    const found = channels.find(({ stream_id }) => stream_id === id)?.[field];
    return JSON.stringify(found) === JSON.stringify(value) ? [] : [{ id, field, value, found }];
  });
}
