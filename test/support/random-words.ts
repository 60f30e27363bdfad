/** Words that have nothing in common, for names and texts of random objects. */
export const WORDS = (
  "anchor basil cedar dolphin ember falcon garnet harbor island jasmine kettle lantern meadow nickel orchid pepper quarry ribbon saddle timber umbrella " +
  "velvet walnut yarrow zephyr acorn barley canyon dahlia eagle ferry glacier hazel indigo juniper kernel lagoon maple needle olive pebble quartz raven " +
  "sparrow thistle urchin violet willow yonder zigzag almond bronze copper desert engine forest granite hammer ivory jungle kiosk ladder magnet nectar"
).split(" ");
