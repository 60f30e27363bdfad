import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { oneIn } from "../support/sample.ts";
import { calmRun, fingerprint, MIXED_FILE } from "./example.ts";
import { isWrite, worldOfTest } from "./world.ts";

const json = (status: number, body: object, headers: { readonly [name: string]: string } = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

/** A fault of one request: an answer of its own, or a dropped connection. */
const FAULTS: { readonly [name: string]: () => Response } = {
  "the connection is dropped": () => {
    throw new Error("dropped");
  },
  "the server fails with 500": () => json(500, { result: "error", msg: "Internal server error" }),
  "a proxy answers 502 in HTML": () =>
    new Response("<html>Bad Gateway</html>", { status: 502, headers: { "content-type": "text/html" } }),
  "a proxy answers 200 in HTML": () =>
    new Response("<html>Maintenance</html>", { status: 200, headers: { "content-type": "text/html" } }),
  "half an answer comes": () =>
    new Response('{"result":"success","ms', { status: 200, headers: { "content-type": "application/json" } }),
};

/** Hits the n-th request that `counts`, once: before or after the server carries it out. */
function strike(fault: () => Response, when: "before" | "after", n: number, counts: typeof isWrite): Interceptor {
  let count = 0;
  const act = async (request: Parameters<typeof isWrite>[0]): Promise<Response | undefined> => {
    if (!counts(request)) return undefined;
    count += 1;
    return count === n ? fault() : undefined;
  };
  return when === "before" ? { before: act } : { after: act };
}

describe("one apply, with a fault in one of its requests", async () => {
  const calm = await calmRun(MIXED_FILE);
  const writes = calm.writes.map((_, index) => index + 1);
  const rows = Object.keys(FAULTS).flatMap((fault) =>
    (["before", "after"] as const).flatMap((when) => writes.map((n) => ({ fault, when, n }))),
  );

  // Seven calls: every fault meets some of them, and every call some of the faults.
  test.each(oneIn(11, rows))("$fault $when call $n is carried out", async ({ fault, when, n }) => {
    const make = FAULTS[fault];
    if (make === undefined) throw new RangeError(fault);
    const world = await worldOfTest({ interceptors: [strike(make, when, n, isWrite)] });
    world.file("realm.yaml", MIXED_FILE);
    const ran = await world.realmctl("apply --yes");
    expect(ran).toMatchObject({ code: EXIT.done, err: "" });
    expect(fingerprint(world)).toEqual(calm.realm);
    // The server carried out every call once; one more reading showed whether it had.
    expect(world.writes()).toEqual(calm.writes);
    expect(world.sandbox.log.length).toBeLessThanOrEqual(calm.requests + 3);
  });

  const readings = [1, 2, 3];
  const isReading = ({ path }: { readonly path: string }): boolean => path.endsWith("/register");
  test.each(Object.keys(FAULTS).flatMap((fault) => readings.map((n) => ({ fault, n }))))(
    "$fault at reading $n: it is requested again",
    async ({ fault, n }) => {
      const make = FAULTS[fault];
      if (make === undefined) throw new RangeError(fault);
      const world = await worldOfTest({ interceptors: [strike(make, "after", n, isReading)] });
      world.file("realm.yaml", MIXED_FILE);
      expect(await world.realmctl("apply --yes")).toMatchObject({ code: EXIT.done, err: "" });
      expect(fingerprint(world)).toEqual(calm.realm);
      expect(world.writes()).toEqual(calm.writes);
    },
  );

  test.each(writes)("repeated 429 answers at call %i are waited out, and the call is sent once", async (n) => {
    let count = 0;
    const storm: Interceptor = {
      before: async (request) => {
        if (!isWrite(request)) return undefined;
        count += 1;
        if (count < n || count >= n + 5) return undefined;
        const message = {
          result: "error",
          code: "RATE_LIMIT_HIT",
          msg: "API usage exceeded rate limit",
          "retry-after": 0.01,
        };
        return json(429, message, { "retry-after": "0.01", "x-ratelimit-remaining": "0" });
      },
    };
    const world = await worldOfTest({ interceptors: [storm] });
    world.file("realm.yaml", MIXED_FILE);
    expect(await world.realmctl("apply --yes")).toMatchObject({ code: EXIT.done, err: "" });
    expect(fingerprint(world)).toEqual(calm.realm);
  });

  test("a server that stays unreachable: known results are reported, and nothing is guessed", async () => {
    let count = 0;
    const gone: Interceptor = {
      before: async (request) => {
        count += isWrite(request) ? 1 : 0;
        if (count < 3) return undefined;
        throw new Error("dropped");
      },
    };
    const world = await worldOfTest({ interceptors: [gone] });
    world.file("realm.yaml", MIXED_FILE);
    const { code, out } = await world.realmctl("apply --yes");
    expect(code).toBe(EXIT.appliedInPart);
    expect(out).toContain("done 2");
    expect(out).toContain("failed 1");
    expect(out).toContain(`not sent ${writes.length - 3}`);
  });
});
