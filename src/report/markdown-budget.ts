/** A part of a text that may have to be cut. */
export type Block =
  | { readonly fixed: string }
  | {
      readonly items: readonly string[];
      /** How many objects an item stands for; default: one. */
      readonly weights?: readonly number[];
      /** The maximum share of the remaining room, so that later blocks also get some. */
      readonly share: number;
      /** The line that says how many objects are left out. */
      readonly left: (number: number) => string;
      readonly before?: string;
      readonly after?: string;
    };

/** An item counts as long if it takes more than this share of its block's room. */
const LONG = 0.25;

/**
 * Fills a text up to a budget: fixed parts always, lists item by item, each followed by a line that says exactly how much was left out. Never longer
 * than the budget, unless the fixed parts alone are.
 * @param budget UTF-16 units
 */
export function fillBlocks(blocks: readonly Block[], budget: number): string {
  let room = budget;
  for (const block of blocks) room -= reserved(block);
  return blocks
    .map((block) => {
      if ("fixed" in block) return block.fixed === "" ? "" : `${block.fixed}\n`;
      if (block.items.length === 0) return "";
      const whole = block.items.reduce((sum, item) => sum + item.length + 1, 0);
      // The minimum size of a later list is known; a short one leaves its share to the others.
      const allowed = Math.floor(room * block.share);
      const shown: string[] = [];
      let used = 0;
      let left = 0;
      for (const [index, item] of block.items.entries()) {
        if (whole > allowed && used + item.length + 1 > allowed) {
          left += block.weights?.[index] ?? 1;
          // Very long items are skipped, so that they do not hide the others.
          if (item.length > allowed * LONG) continue;
          left += sumFrom(block, index + 1);
          break;
        }
        shown.push(item);
        used += item.length + 1;
      }
      room -= used;
      const lines = left === 0 ? shown : [...shown, block.left(left)];
      return `${block.before ?? ""}${lines.join("\n")}\n${block.after ?? ""}`;
    })
    .filter((text) => text !== "")
    .join("");
}

/** The number of objects in this item and all following ones. */
function sumFrom({ items, weights }: Exclude<Block, { readonly fixed: string }>, from: number): number {
  let sum = 0;
  for (let index = from; index < items.length; index += 1) sum += weights?.[index] ?? 1;
  return sum;
}

/** The size of a block if none of its items fits. */
function reserved(block: Block): number {
  if ("fixed" in block) return block.fixed === "" ? 0 : block.fixed.length + 1;
  if (block.items.length === 0) return 0;
  const most = sumFrom(block, 0);
  return (block.before ?? "").length + (block.after ?? "").length + block.left(most).length + 2;
}
