/**
 * What a shell would not see: backslashes, quotes and carets go; blanks, commas and semicolons become one space; a space
 * before `/` or `(` goes; letters become small.
 */
export function cmdLine(value: string): string {
  return value
    .replaceAll(/[\\"'^]+/g, '')
    .replaceAll(/[ ,;\t\r\n]+/g, ' ')
    .replaceAll(/ ([/(])/g, '$1')
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
