// What bundles have in place of node:assert. Node's own reads the file of a failed assertion and parses it, to quote it: of a bundle in one line that
// takes seconds in which nothing else runs, and a server's answer decides whether it happens (undici asserts what HTTP promises).
function assert(value, message) {
  if (value) return;
  if (message instanceof Error) throw message;
  throw Object.assign(new Error(message ?? "an assertion failed"), { name: "AssertionError", code: "ERR_ASSERTION" });
}
assert.ok = assert;
assert.strictEqual = (a, b, message) => assert(Object.is(a, b), message);
module.exports = assert;
