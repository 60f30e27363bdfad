import type { GithubWork } from "../model/diagnostics/github.ts";
import { failureOf, isPassing } from "./github-failure.ts";
import type { Waiting } from "./github-patience.ts";

/** Before each repeat. GitHub's bad moments last seconds, or longer than a job should wait for. */
const PAUSES_MS = [2000, 6000, 18_000] as const;

/**
 * What the Action asks of GitHub. Where GitHub, or the way to it, breaks in the middle nobody knows whether a request was carried out:
 * reading, and writing what is the same when it is written twice, is repeated; what would be there twice is looked for first.
 * Whatever is refused is a Failure that names the permission.
 */
export class Requests {
  private readonly waiting: Waiting;

  constructor(waiting: Waiting) {
    this.waiting = waiting;
  }

  /**
   * Reads, or writes what may be written twice.
   * @param permission as `permissions:` of a workflow spells it
   * @throws Failure for whatever GitHub refuses
   */
  async repeat<T>(work: GithubWork, permission: string, run: () => Promise<T>): Promise<T> {
    return this.attempts(work, permission, run, async () => undefined);
  }

  /**
   * Makes something that must not be there twice.
   * @param find what an attempt before made although nobody heard of it; undefined when it made nothing
   * @throws Failure for whatever GitHub refuses
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
        // What a repeat is refused may be refused because the attempt before it did it.
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
