import { upToNul } from '../c-string.ts'

/**
 * What a shell would not see: backslashes, quotes and carets go; blanks, commas and semicolons become one space; a space
 * before `/` or `(` goes; letters become small. A NUL ends the value.
 */
export function cmdLine(value: string): string {
  if (!/[A-Z\0\\"'^,;\t\r\n]| [ /(]/.test(value)) return value
  return upToNul(value)
    .replaceAll(/[\\"'^]+/g, '')
    .replaceAll(/[ ,;\t\r\n]+/g, ' ')
    .replaceAll(/ ([/(])/g, '$1')
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
