import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { manualClock } from "./clock.ts";
import { FaultPlan, type FaultRule, Faults } from "./faults.ts";
import { createSandbox } from "./sandbox.ts";
import { serve } from "./serve.ts";

const RECORDED = JSON.parse(readFileSync(new URL("../../test/recordings/realm.json", import.meta.url), "utf8"));
const CHANNEL = 3;

function world(rules: readonly object[], seed: string | number = 0) {
  const clock = manualClock(Date.UTC(2027, 0, 1));
  const faults = new Faults({ clock, plan: FaultPlan.parse({ seed, faults: rules }) });
  const sandbox = createSandbox({ from: RECORDED, clock, interceptors: [faults] });
  const headersOf = (as: string) => {
    const account = sandbox.accounts[as];
    return {
      authorization: `Basic ${Buffer.from(`${account?.email}:${account?.api_key}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    };
  };
  const describeChannel = (text: string, base = "http://localhost", as = "owner"): [string, RequestInit] => [
    `${base}/api/v1/streams/${CHANNEL}`,
    { method: "PATCH", headers: headersOf(as), body: `description=${text}` },
  ];
  return {
    clock,
    faults,
    sandbox,
    describeChannel,
    /** The result: a status, or "dropped". */
    async change(text: string, as = "owner"): Promise<number | string> {
      try {
        return (await sandbox.fetch(new Request(...describeChannel(text, undefined, as)))).status;
      } catch {
        return "dropped";
      }
    },
    description: () => sandbox.state().channels[CHANNEL]?.description,
  };
}

describe("the result, and whether the call was executed", () => {
  test.each([
    ["drop", "dropped"],
    ["error", 500],
    ["bad-gateway", 502],
    ["rate-limit", 429],
    ["truncate", 200],
  ])("%s → %s", async (fault, outcome) => {
    for (const when of ["before", "after"]) {
      const { change, description } = world([{ calls: "PATCH /streams/*", when, do: fault }]);
      expect(await change("struck")).toBe(outcome);
      expect(description() === "struck").toBe(when === "after");
    }
  });

  test("half an answer is not valid JSON; a gateway answers in HTML; a rate limit states the time to wait", async () => {
    const { sandbox, describeChannel } = world([
      { at: 1, when: "after", do: "truncate" },
      { at: 2, do: "bad-gateway" },
      { at: 3, do: "rate-limit", seconds: 2.5 },
      { at: 4, do: "error" },
    ]);
    const next = () => sandbox.fetch(new Request(...describeChannel("x")));
    expect(await (await next()).text()).toBe('{"result":"suc');
    const gateway = await next();
    expect([gateway.headers.get("content-type"), (await gateway.text()).slice(0, 6)]).toEqual(["text/html", "<html>"]);
    const limited = await next();
    expect(limited.headers.get("retry-after")).toBe("2.5");
    expect(await limited.json()).toMatchObject({ code: "RATE_LIMIT_HIT", "retry-after": 2.5 });
    expect(await (await next()).json()).toEqual({ result: "error", msg: "Internal server error" });
  });

  test("hang answers nothing until its time is up; delay then continues", async () => {
    const { change, clock, description } = world([
      { at: 1, do: "hang", seconds: 30 },
      { at: 2, do: "delay", seconds: 30 },
    ]);
    const hanging = change("hung");
    await new Promise(setImmediate);
    clock.advance(30_000);
    expect([await hanging, description() === "hung"]).toEqual(["dropped", false]);
    const delayed = change("delayed");
    await new Promise(setImmediate);
    clock.advance(29_000);
    expect(description()).not.toBe("delayed");
    clock.advance(1000);
    expect([await delayed, description()]).toEqual([200, "delayed"]);
  });

  test("a hang ends when the caller disconnects", async () => {
    const { sandbox, describeChannel } = world([{ do: "hang" }]);
    const leaving = new AbortController();
    const [url, init] = describeChannel("x");
    const hanging = sandbox.fetch(new Request(url, { ...init, signal: leaving.signal }));
    await new Promise(setImmediate);
    leaving.abort();
    await expect(hanging).rejects.toThrow("dropped");
  });

  test("slow delivers the whole answer, cut half of it, also over HTTP", async () => {
    const { sandbox, describeChannel, clock, description } = world([
      { at: 1, when: "after", do: "slow", seconds: 8 },
      { at: 2, when: "after", do: "cut" },
      { at: 3, do: "drop" },
    ]);
    const served = await serve(sandbox, { port: 0 });
    const slow = fetch(...describeChannel("slow", served.url)).then((response) => response.json());
    const ticking = setInterval(() => clock.advance(1000), 1);
    expect(await slow).toEqual({ result: "success", msg: "" });
    clearInterval(ticking);
    await expect(fetch(...describeChannel("cut", served.url)).then((response) => response.text())).rejects.toThrow();
    expect(description()).toBe("cut");
    await expect(fetch(...describeChannel("never", served.url))).rejects.toThrow();
    expect(description()).toBe("cut");
    await served.close();
  });
});

describe("which requests a rule affects", () => {
  const rows: readonly [string, object, readonly (number | string)[]][] = [
    ["all that match", {}, [500, 500, 500, 500]],
    ["the second", { at: 2 }, [200, 500, 200, 200]],
    ["the first and the fourth", { at: [1, 4] }, [500, 200, 200, 500]],
    ["no more than two", { most: 2 }, [500, 500, 200, 200]],
    ["those of an account, by name", { as: "owner" }, [500, 500, 200, 500]],
    ["those of an account, by address", { as: "BEN@acme.example" }, [200, 200, 500, 200]],
    ["the second of an account", { as: "owner", at: 2 }, [200, 500, 200, 200]],
    ["a template", { calls: "PATCH /streams/{stream_id}" }, [500, 500, 500, 500]],
    ["any method", { calls: "* /streams/*" }, [500, 500, 500, 500]],
    ["any path", { calls: "PATCH **" }, [500, 500, 500, 500]],
    ["another method", { calls: "DELETE /streams/*" }, [200, 200, 200, 200]],
    ["a shorter path", { calls: "PATCH /streams" }, [200, 200, 200, 200]],
    ["a longer path", { calls: "PATCH /streams/*/members" }, [200, 200, 200, 200]],
  ];
  test.each(rows)("%s", async (_, rule, outcomes) => {
    const { change } = world([{ do: "error", ...rule }]);
    const found: (number | string)[] = [];
    for (const [n, as] of ["owner", "owner", "admin", "owner"].entries()) found.push(await change(`n${n}`, as));
    expect(found).toEqual(outcomes);
  });

  test("the first rule that applies decides; the others still count the request", async () => {
    const { change, faults } = world([
      { at: 2, do: "error" },
      { at: [2, 3], do: "bad-gateway" },
    ]);
    expect([await change("a"), await change("b"), await change("c")]).toEqual([200, 500, 502]);
    expect(faults.strikes.map(({ rule, call, fault, when }) => [rule, call, fault, when])).toEqual([
      [0, 2, "error", "before"],
      [1, 3, "bad-gateway", "before"],
    ]);
    faults.restart();
    expect(await change("again")).toBe(200);
    expect(await change("and again")).toBe(500);
  });

  test("chance is determined by the seed alone", async () => {
    const rule = { chance: 0.5, when: "either", do: ["drop", "error", "bad-gateway"] };
    const outcomes = async (seed: number) => {
      const { change, faults } = world([rule], seed);
      const found: (number | string)[] = [];
      for (let n = 0; n < 40; n++) found.push(await change(`n${n}`));
      return { found, whens: new Set(faults.strikes.map(({ when }) => when)) };
    };
    const first = await outcomes(1);
    expect(await outcomes(1)).toEqual(first);
    expect((await outcomes(2)).found).not.toEqual(first.found);
    expect(new Set(first.found)).toEqual(new Set([200, "dropped", 500, 502]));
    expect(first.whens).toEqual(new Set(["before", "after"]));
    const calm = first.found.filter((outcome) => outcome === 200).length;
    expect(calm).toBeGreaterThan(8);
    expect(calm).toBeLessThan(32);
  });
});

describe("an invalid plan is refused", () => {
  const bad: readonly [string, Partial<Record<keyof FaultRule, unknown>>, string][] = [
    ["an unknown fault", { do: "explode" }, "faults.0.do"],
    ["no fault", {}, "faults.0.do"],
    ["no method", { do: "drop", calls: "/streams" }, "faults.0.calls"],
    ["call 0", { do: "drop", at: 0 }, "faults.0.at"],
    ["a probability above 1", { do: "drop", chance: 1.1 }, "faults.0.chance"],
    ["both at and chance", { do: "drop", at: 1, chance: 0.5 }, "faults.0.chance"],
    ["a slow answer of a call that never happens", { do: "slow" }, "faults.0.do"],
    ["a cut answer of a call that may never happen", { do: ["cut"], when: "either" }, "faults.0.do"],
  ];
  test.each(bad)("%s", (_, rule, where) => {
    const parsed = FaultPlan.safeParse({ faults: [rule] });
    expect(parsed.error?.issues.map(({ path }) => path.join("."))).toEqual([where]);
  });
});
