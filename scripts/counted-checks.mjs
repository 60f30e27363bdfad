// Checks in hand-written programs (the package, the site): each has a name and is counted, and a failed one does not end the others.

/** The results of the checks so far: the last line of a program's output. */
export const counts = { passed: 0, failed: 0 };

/**
 * @param {string} name
 * @param {() => unknown} work throws if the check fails
 */
export async function check(name, work) {
  try {
    await work();
    counts.passed += 1;
    console.log(`ok      ${name}`);
  } catch (error) {
    counts.failed += 1;
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.message : error}`);
  }
}
