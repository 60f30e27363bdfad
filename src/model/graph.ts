/** The positions that each position is linked to; duplicates and links to itself are allowed. */
export type Links = readonly (readonly number[])[];

function reversed(links: Links): Links {
  const back = links.map((): number[] => []);
  links.forEach((others, at) => {
    for (const other of others) back[other]?.push(at);
  });
  return back;
}

/** For each position the number of its strongly connected component: two have the same number if each can be reached from the other. */
export function componentsOf(links: Links): readonly number[] {
  const component = links.map((_, at) => at);
  for (const positions of componentsInOrder(links)) for (const at of positions) component[at] = positions[0] ?? at;
  return component;
}

/** The strongly connected components, each after those that it links to. */
export function componentsInOrder(links: Links): readonly (readonly number[])[] {
  // Kosaraju's two walks, each with an explicit stack: chains can be as long as the list.
  const finished: number[] = [];
  const seen = new Set<number>();
  for (const start of links.keys()) {
    const path = seen.has(start) ? [] : [{ at: start, next: 0 }];
    seen.add(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const other = links[top.at]?.[top.next];
      top.next += 1;
      if (other === undefined) {
        finished.push(top.at);
        path.pop();
      } else if (!seen.has(other)) {
        seen.add(other);
        path.push({ at: other, next: 0 });
      }
    }
  }
  const back = reversed(links);
  const placed = new Set<number>();
  const components: number[][] = [];
  for (const start of finished.reverse()) {
    if (placed.has(start)) continue;
    placed.add(start);
    const component = [start];
    // Positions that are added during the loop are visited as well.
    for (const at of component)
      for (const other of back[at] ?? []) {
        if (placed.has(other)) continue;
        placed.add(other);
        component.push(other);
      }
    components.push(component);
  }
  return components.reverse();
}
