/**
 * Where a parser of JSON stopped, if it says so: " (line 2 column 5)". The rest of what it says may repeat a part of the text, and a secret in it.
 */
export function placeInJson({ message }: Error): string {
  const [place = ''] = / \(line \d+ column \d+\)$/.exec(message) ?? []
  return place
}
