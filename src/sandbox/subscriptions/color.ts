import { valueError } from "../errors.ts";

/** @throws ApiError that names the object at `path` with the invalid color */
export function checkColor(color: string, name: string, path: string): void {
  if (!/^#[a-fA-F0-9]{3,6}$/.test(color)) throw valueError(path, `${name} is not a valid hex color code`);
}

/** The colors in the order in which the server assigns them. */
const COLORS: readonly string[] = [
  "#76ce90",
  "#fae589",
  "#a6c7e5",
  "#e79ab5",
  "#bfd56f",
  "#f4ae55",
  "#b0a5fd",
  "#addfe5",
  "#f5ce6e",
  "#c2726a",
  "#94c849",
  "#bd86e5",
  "#ee7e4a",
  "#a6dcbf",
  "#95a5fd",
  "#53a063",
  "#9987e1",
  "#e4523d",
  "#c2c2c2",
  "#4f8de4",
  "#c6a8ad",
  "#e7cc4d",
  "#c8bebf",
  "#a47462",
];

/**
 * One color for each new subscription of a user: the first colors that none of the user's subscriptions has, in the order of the channels'
 * recipients. When all are in use, the recipient determines the color.
 * @param used the colors of all past and present subscriptions of the user
 * @returns channel id → color
 */
export function pickColors(
  used: Iterable<string>,
  channels: readonly { readonly stream_id: number; readonly recipient_id: number }[],
): ReadonlyMap<number, string> {
  const taken = new Set(used);
  const free = COLORS.filter((color) => !taken.has(color));
  return new Map(
    channels
      .toSorted((a, b) => a.recipient_id - b.recipient_id)
      .map(({ stream_id, recipient_id }, place) => [
        stream_id,
        free[place] ?? COLORS[recipient_id % COLORS.length] ?? "#c2c2c2",
      ]),
  );
}
