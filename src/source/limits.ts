/** Larger files are refused: a realm of 10,000 channels takes 4 MB. */
export const LARGEST_FILE_BYTES = 32 * 1024 * 1024;
/** Deeper files are refused; ours need about eight levels. */
export const DEEPEST = 100;
/** The maximum number of values that the aliases of one file stand for: nobody writes this many, but an alias bomb reaches it at once. */
export const MOST_ALIASED_VALUES = 1_000_000;
/** More included files than this mean an error in a pattern. */
export const MOST_FILES = 1000;
/** The maximum size of all files together: two of the largest. */
export const MOST_BYTES = 64 * 1024 * 1024;
/** The maximum number of other files that entries name (pictures). Each is read and hashed. */
export const MOST_NAMED_FILES = 1000;
export const MOST_NAMED_BYTES = 256 * 1024 * 1024;
/** The maximum number of files and directories that an include pattern may visit. */
export const MOST_LISTED = 10_000;
