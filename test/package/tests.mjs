/** What every Node tries with the installed package: each command once, and what these files have of files and organizations. */
const EVERYWHERE = ["each-command", "commands", "organizations"].map((name) => `test/e2e/${name}.test.ts`);

/** What depends on the Node more than on the package: `npm test` tries it on the Node that it runs on, with the same program. */
const OF_NODE = [
  "test/e2e/process.test.ts",
  // One of the plans whose processes are killed.
  "test/e2e/crash-changed.test.ts",
  "test/init/terminal.test.ts",
  "test/completion.test.ts",
  ...["proxy", "socks"].map((name) => `test/network/${name}.test.ts`),
];

/**
 * The files with end-to-end tests for a Node.
 * @param {boolean} isTried whether `npm test` runs on this Node
 * @returns {string[]}
 */
export const testsOn = (isTried) => (isTried ? EVERYWHERE : [...EVERYWHERE, ...OF_NODE]);
