/**
 * White space as the server defines it, which differs from JavaScript: the byte order mark is not white space, but the next-line control (U+0085) is,
 * and so are the four separators U+001C to U+001F, for the server's own code but not for its parameter parser.
 */
const SPACE = "\\t-\\r\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SEPARATORS = "\\u001c-\\u001f";

const START = new RegExp(`^[${SPACE}${SEPARATORS}]+`);
const END = new RegExp(`[${SPACE}${SEPARATORS}]+$`);
const PARAMETER_START = new RegExp(`^[${SPACE}]+`);
const PARAMETER_END = new RegExp(`[${SPACE}]+$`);

/** Removes surrounding white space as the server's own code does. */
export const stripped = (text: string): string => strippedEnd(text.replace(START, ""));
export const strippedEnd = (text: string): string => text.replace(END, "");
/** Removes surrounding white space as the server does while it reads a parameter. */
export const strippedParameter = (text: string): string => text.replace(PARAMETER_START, "").replace(PARAMETER_END, "");
