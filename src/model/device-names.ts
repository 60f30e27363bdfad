/** Names that no file can have on Windows, whatever follows the first dot. */
export const isDeviceName = (name: string): boolean => /^(?:con|prn|aux|nul|com\d|lpt\d) *(?:\.|$)/i.test(name);
