import { Links } from "./markdown-text.ts";

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
 * @param links the addresses that the items mention, which follow the text
 */
export function fillBlocks(blocks: readonly Block[], budget: number, links = new Links()): string {
  const sizeOf = (text: string): number => [text, ...links.below(text)].reduce((sum, line) => sum + line.length + 1, 0);
  let room = budget - 1;
  for (const block of blocks) room -= reserved(block);
  const text = blocks
    .map((block) => {
      if ("fixed" in block) return block.fixed === "" ? "" : `${block.fixed}\n`;
      if (block.items.length === 0) return "";
      const sizes = block.items.map(sizeOf);
      const whole = sizes.reduce((sum, size) => sum + size, 0);
      // The minimum size of a later list is known; a short one leaves its share to the others.
      const allowed = Math.floor(room * block.share);
      const shown: string[] = [];
      let used = 0;
      let left = 0;
      for (const [index, item] of block.items.entries()) {
        const size = sizes[index] ?? 0;
        if (whole > allowed && used + size > allowed) {
          left += block.weights?.[index] ?? 1;
          // Very long items are skipped, so that they do not hide the others.
          if (size > allowed * LONG) continue;
          left += sumFrom(block, index + 1);
          break;
        }
        shown.push(item);
        used += size;
      }
      room -= used;
      const lines = left === 0 ? shown : [...shown, block.left(left)];
      return `${block.before ?? ""}${lines.join("\n")}\n${block.after ?? ""}`;
    })
    .filter((part) => part !== "")
    .join("");
  const below = links.below(text);
  return below.length === 0 ? text : `${text}\n${below.join("\n")}\n`;
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
