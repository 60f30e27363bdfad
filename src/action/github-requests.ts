import type { GithubWork } from "../model/diagnostics/github.ts";
import { failureOf, isPassing } from "./github-failure.ts";
import type { Waiting } from "./github-patience.ts";

/** The wait before each repeat. GitHub's failures last seconds, or longer than a job should wait. */
const PAUSES_MS = [2000, 6000, 18_000] as const;

/**
 * Sends the Action's requests to GitHub. If GitHub or the connection fails, it is unknown whether a request was carried out. Reads are repeated, and
 * so are writes whose repetition has the same result. Before something is created again, the Action looks for the result of the first attempt. Every
 * refusal is a Failure that names the permission.
 */
export class Requests {
  private readonly waiting: Waiting;

  constructor(waiting: Waiting) {
    this.waiting = waiting;
  }

  /**
   * Reads, or writes something that may be written twice.
   * @param permission as `permissions:` in a workflow spells it
   * @throws Failure for every refusal of GitHub
   */
  async repeat<T>(work: GithubWork, permission: string, run: () => Promise<T>): Promise<T> {
    return this.attempts(work, permission, run, async () => undefined);
  }

  /**
   * Creates something that must not exist twice.
   * @param find returns what an earlier attempt created although its answer was lost; undefined if it created nothing
   * @throws Failure for every refusal of GitHub
   */
  async once<T>(
    work: GithubWork,
    permission: string,
    make: () => Promise<T>,
    find: () => Promise<T | undefined>,
  ): Promise<T> {
    return this.attempts(work, permission, make, find);
  }

  private async attempts<T>(
    work: GithubWork,
    permission: string,
    run: () => Promise<T>,
    find: () => Promise<T | undefined>,
  ): Promise<T> {
    for (let repeat = 0; ; repeat += 1) {
      try {
        return await run();
      } catch (error) {
        const passing = isPassing(error);
        // GitHub may refuse a repeat because the attempt before it succeeded.
        if (!passing && repeat === 0) throw failureOf(error, work, permission);
        const pauseMs = passing ? PAUSES_MS[repeat] : undefined;
        const waited = pauseMs !== undefined && (await this.waiting.pause("no-answer", pauseMs));
        const made = await find().catch(() => undefined);
        if (made !== undefined) return made;
        if (!waited) throw failureOf(error, work, permission);
      }
    }
  }
}
