/**
 * A text that an agent sent, fit for every store, log and terminal: one line, without control characters and
 * halves of characters.
 *
 * @param lengthMax what is longer is cut
 */
export function singleLine(text: string, lengthMax: number): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, lengthMax)
    .toWellFormed()
}
