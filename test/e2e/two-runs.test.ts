import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesIn } from "../../src/cli/process-io.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { type Ran, type World, worldOfTest } from "./world.ts";

/** Each has its own terms, so that each needs its own request. */
const PEOPLE = [1, 2, 3, 4, 5].map((days) => ({
  emails: [`new${days}@acme.example`],
  invite_as: "member",
  expires_in: `${days}d`,
  send_until: "2099-01-01",
}));
const FILE = JSON.stringify({
  version: 1,
  manage: { channels: "additive" },
  channels: { general: { description: "Read this first" } },
  invites: PEOPLE,
});

/** A point that somebody reaches, and waits at until it is opened. */
class Gate {
  reach = (): void => {};
  open = (): void => {};
  readonly reached = new Promise<void>((resolve) => {
    this.reach = resolve;
  });
  private readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
  wait(): Promise<void> {
    this.reach();
    return this.opened;
  }
}

const world = (interceptor: Interceptor): Promise<World> => worldOfTest({ interceptors: [interceptor] });

/** A run on a machine of its own, without the lock and the journals of the other one. */
function apply(on: World, text = FILE): Promise<Ran> {
  const directory = mkdtempSync(join(on.directory, "machine-"));
  writeFileSync(join(directory, "realm.yaml"), text);
  const io = { cwd: directory, ...filesIn(directory) };
  return on.realmctl("apply --yes", { env: { TMPDIR: directory }, io });
}

/** How many invitations each address got. */
function mailed(on: World): { readonly [address: string]: number } {
  const counts: Record<string, number> = {};
  for (const { email } of on.sandbox.state().invites)
    if (email?.startsWith("new")) counts[email] = (counts[email] ?? 0) + 1;
  return counts;
}
const each = (times: number) =>
  Object.fromEntries(PEOPLE.flatMap(({ emails }) => emails.map((address) => [address, times])));

const isMail = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === "POST" && path === "/invites";

describe("two runs of the same file on two machines", () => {
  test("the remaining gap: a run that read before the other's request was written sends it too; there is never a third request", async () => {
    const waiting: Gate[] = [];
    const on = await world({
      before: async (request) => {
        if (!isMail(request)) return undefined;
        // Both have read, and neither has sent: the worst case, again and again.
        const gate = new Gate();
        waiting.push(gate);
        if (waiting.length % 2 === 0) for (const one of waiting) one.open();
        await gate.wait();
        return undefined;
      },
    });
    const runs = await Promise.all([apply(on), apply(on)]);
    expect(runs.map(({ code }) => code)).toEqual([EXIT.done, EXIT.done]);
    expect(mailed(on)).toEqual(each(2));
  });

  test("a run that sees the other one working leaves the rest to it: nobody gets two e-mails", async () => {
    const changed = new Gate();
    const second = new Gate();
    let mails = 0;
    const on = await world({
      before: async (request) => {
        if (isMail(request) && ++mails === 2) await second.wait();
        return undefined;
      },
      after: async ({ method }) => {
        if (method === "PATCH") await changed.wait();
        return undefined;
      },
    });
    const slow = apply(on);
    await changed.reached;
    const fast = apply(on);
    // It has read, and its second e-mail is under way: no reading shows that one.
    await second.reached;
    changed.open();
    const left = await slow;
    second.open();
    expect(await fast).toMatchObject({ code: EXIT.done });
    expect(mailed(on)).toEqual(each(1));
    expect(left).toMatchObject({ code: EXIT.appliedInPart });
    expect((left.out + left.err).replace(/\s+/g, " ")).toContain("another run is sending the same changes now");
    expect(await apply(on)).toMatchObject({ code: EXIT.done });
    expect(mailed(on)).toEqual(each(1));
  });

  test("a run that left the rest to another run succeeds if that one has finished in the meantime", async () => {
    const changed = new Gate();
    const on = await world({
      after: async ({ method }) => {
        if (method === "PATCH") await changed.wait();
        return undefined;
      },
    });
    const slow = apply(on);
    await changed.reached;
    expect(await apply(on)).toMatchObject({ code: EXIT.done });
    changed.open();
    expect(await slow).toMatchObject({ code: EXIT.done });
    expect(mailed(on)).toEqual(each(1));
  });
});
