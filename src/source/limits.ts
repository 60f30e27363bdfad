/** Larger files are refused: a realm of 10,000 channels takes 4 MB. */
export const LARGEST_FILE_BYTES = 32 * 1024 * 1024;
/** Deeper files are refused; ours need about eight levels. */
export const DEEPEST = 100;
/** How many values aliases may stand for in one file: nobody writes this many, a bomb does at once. */
export const MOST_ALIASED_VALUES = 1_000_000;
/** More included files than this is an error in a glob. */
export const MOST_FILES = 1000;
/** Larger files are refused together: two of the largest. */
export const MOST_BYTES = 64 * 1024 * 1024;
/** Files that entries name beside what is included: pictures. Each is read to be hashed. */
export const MOST_NAMED_FILES = 1000;
export const MOST_NAMED_BYTES = 256 * 1024 * 1024;
/** A pattern of an include that looks at more files and directories than this starts too far up. */
export const MOST_LISTED = 10_000;
