import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { type Ran, World } from "../e2e/world.ts";
import { NEWER_SERVERS as ALL, newerServer } from "../support/newer-server.ts";
import { isSoak } from "../support/sample.ts";

/** The first and the last of them, the last with what nobody knows; all in `npm run soak`. */
export const NEWER_SERVERS = isSoak ? ALL : ALL.filter((_, index) => index === 0 || index === ALL.length - 1);

const EXAMPLE = join(import.meta.dirname, "../../examples/organization");

/** The example organization on a newer server, with `realm.yaml` that has every section; `run` expects that the command ends well. */
export interface Newer {
  readonly world: World;
  run(line: string, code?: number): Promise<Ran>;
}
/**
 * @param shown false: nothing stands in front of the sandbox
 * @param isFuture whether the server has what nobody knows, although its level is known (a changed server)
 */
export async function newer(level: number, shown = true, isFuture?: boolean): Promise<Newer> {
  const world = await World.start({ level, interceptors: shown ? [newerServer(level, isFuture)] : [] });
  cpSync(EXAMPLE, world.directory, { recursive: true });
  return {
    world,
    async run(line, code = EXIT.done) {
      const ran = await world.realmctl(line);
      expect({ line, code: ran.code, err: ran.err }).toMatchObject({
        code,
        err: expect.not.stringContaining("error["),
      });
      return ran;
    },
  };
}
