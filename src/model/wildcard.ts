/**
 * Whether a pattern matches the whole text. `*` stands for any text, `?` for any character, everything else for itself. The number of steps is at
 * most the product of the lengths: a regular expression made from a pattern such as `*****x` would try every way to divide the text.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  // Most patterns begin with a literal text, and most texts with another one.
  const first = pattern.codePointAt(0);
  if (first !== STAR && first !== ANY && first !== text.codePointAt(0)) return false;
  const [wanted, characters] = [[...pattern], [...text]];
  let at = 0;
  // The last star, and how much of the text it matches so far: only that one is ever extended.
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < characters.length) {
    if (wanted[at] === "*") {
      star = at;
      resume = index;
      at += 1;
    } else if (at < wanted.length && (wanted[at] === "?" || wanted[at] === characters[index])) {
      at += 1;
      index += 1;
    } else if (star !== -1) {
      resume += 1;
      index = resume;
      at = star + 1;
    } else return false;
  }
  return wanted.slice(at).every((character) => character === "*");
}

const STAR = 0x2a;
const ANY = 0x3f;
