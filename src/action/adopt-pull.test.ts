import { expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { isOurs, sealed, TRAILER } from "./adopt-pull.ts";

const OWN = `Take what chat.example.org has into realm.yaml\n\n${TRAILER}0123456789abcdef\n`;
const [TREE, PARENT] = ["1".repeat(40), "2".repeat(40)];
const MESSAGE = sealed(OWN, TREE, [PARENT]);

test("a commit that the Action made is recognised, even with git's line ends", () => {
  for (const message of [MESSAGE, MESSAGE.trimEnd(), `${MESSAGE}\n`])
    expect(isOurs({ message, tree: TREE, parents: [PARENT] })).toBe(true);
});

test("a commit that somebody changed is not the Action's: other words, other files, or another position in the history", () => {
  const sha = fc.stringMatching(/^[0-9a-f]{40}$/);
  const edit = fc.record({ at: fc.nat(MESSAGE.length), take: fc.nat(12), put: fc.string({ maxLength: 12 }) });
  fc.assert(
    fc.property(
      edit,
      fc.option(sha),
      fc.option(fc.array(sha, { maxLength: 3 })),
      ({ at, take, put }, tree, parents) => {
        const message = MESSAGE.slice(0, at) + put + MESSAGE.slice(at + take);
        const changed = { message, tree: tree ?? TREE, parents: parents ?? [PARENT] };
        const isSame = message.trim() === MESSAGE.trim() && tree === null && parents === null;
        expect(isOurs(changed)).toBe(isSame);
        // A commit on top has the same message, but other files and another parent.
        expect(isOurs({ message: MESSAGE, tree: tree ?? "3".repeat(40), parents: ["4".repeat(40)] })).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});

test("a seal that was moved, repeated or followed by other text does not count", () => {
  const by = (message: string) => isOurs({ message, tree: TREE, parents: [PARENT] });
  const seal = MESSAGE.slice(OWN.length);
  expect(by(`${MESSAGE}Signed-off-by: Kim <kim@example.org>\n`)).toBe(false);
  expect(by(`By hand\n\n${seal}`)).toBe(false);
  expect(by(MESSAGE + seal)).toBe(false);
  expect(by(sealed("By hand\n\n", TREE, [PARENT]))).toBe(false);
});
