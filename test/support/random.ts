import fc from "fast-check";

/**
 * fast-check with one seed for a whole run of the tests. By default it is always the same one: if a run fails, the change under test made it fail,
 * and it fails again for everybody who looks. Other seeds are used on request: `REALMCTL_SEED=random`, or a number that a failure named
 * (docs/internals/decisions/0023-random-tests-are-seeded.md).
 */
const wanted = process.env.REALMCTL_SEED;
const seed = wanted === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(wanted ?? 20_261_121);
if (!Number.isSafeInteger(seed)) throw new RangeError(`REALMCTL_SEED is a whole number or "random", not ${wanted}`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

export default fc;
