import { cases } from "../../model/cases.ts";
/** The scenes of the demo: a title, and what happens. */
export const SCENES = {
  organization: [
    "An organization",
    "Acme Foundry: 10 people, 3 bots, 3 channels. It runs in this process and follows the server's rules; over HTTP it looks like a server.",
  ],
  file: [
    "The channels as they should be",
    "This is all that people edit and review. realmctl leaves alone what the file does not mention.",
  ],
  validate: [
    "Is the file valid?",
    "This needs no server: it finds typos, wrong values and combinations that no server would accept.",
  ],
  plan: [
    "What would change?",
    "plan reads the whole organization and changes nothing. What a reviewer must see comes first.",
  ],
  apply: ["Do it", "Exactly that, with the fewest requests; then the organization is read and planned again."],
  again: ["Nothing is left to do", "A plan after an apply is empty. Always."],
  edits: [
    "Somebody edits by hand",
    "Ben is an administrator too. On the settings page he lets everybody post announcements, and he changes a description.",
  ],
  drift: [
    "Who notices? A nightly job",
    "drift compares the organization with the file; exit code 2 makes the job fail.",
  ],
  conflict: [
    "Put it back, while Ben keeps editing",
    "Ada runs apply. While she reads the plan, Ben changes the same setting again. Nobody may overwrite his change without seeing it.",
  ],
  replan: ["Ada talks to Ben, looks again, and applies", "The new plan starts from what is there now."],
} as const satisfies { readonly [scene: string]: readonly [title: string, text: string] };

/** What Ben writes into the channel's description. */
export const BENS_DESCRIPTION = "One topic for each accident";

export const serverLine = (url: string, featureLevel: number): string => `${url}   feature level ${featureLevel}\n`;
export const credentialsCommand = (file: string): string => `export ZULIP_CONFIG=${file}   # Ada is an owner`;
export const exitCodeLine = (code: number): string => `exit code ${code}`;

export const AS_THE_FILE = "The organization matches the file.";
export const demoEnded = (requests: number, elapsedMs: number): string =>
  ` ${requests} requests in ${(elapsedMs / 1000).toFixed(1)} s. Try it on yours: docs/start.md.\n`;

/** What differs from the expected result of a scene. */
export type SurpriseFact =
  | { readonly kind: "exit-code"; readonly command: string; readonly code: number; readonly expected: number }
  | { readonly kind: "answer"; readonly channel: string; readonly answer: string }
  | { readonly kind: "no-account" | "no-channel" | "no-group"; readonly name: string };

export const surpriseText = (fact: SurpriseFact): string =>
  `\nThe demo did not go as expected: ${whatHappened(fact)}\n`;

const whatHappened = cases<SurpriseFact, "kind">("kind", {
  "exit-code": ({ command, code, expected }) => `${command} ended with exit code ${code}, not ${expected}`,
  answer: ({ channel, answer }) => `Ben's edit of #${channel} was answered with ${answer}`,
  "no-account": ({ name }) => `the demo's organization has no account ${name}`,
  "no-channel": ({ name }) => `the demo's organization has no channel ${name}`,
  "no-group": ({ name }) => `the demo's organization has no group ${name}`,
});
