/** Somebody at the terminal said no, or cancelled. */
export class Cancelled extends Error {}

/** @throws Cancelled */
export async function answer<T>(asked: Promise<T | undefined>): Promise<T> {
  const given = await asked;
  if (given === undefined) throw new Cancelled();
  return given;
}
