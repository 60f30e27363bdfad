/** "1 person", "31 people", "31 more people". */
export function people(count: number, more = ""): string {
  return `${count} ${more}${count === 1 ? "person" : "people"}`;
}
