/** The kind in an address: `linkifier` in `linkifier:#(?P<id>[0-9]+):x`. */
export const kindOf = (address: string): string => address.slice(0, address.indexOf(":"));
export const nameIn = (address: string): string => address.slice(address.indexOf(":") + 1);
