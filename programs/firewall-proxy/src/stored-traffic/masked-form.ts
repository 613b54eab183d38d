/** A character that may be percent-encoded once or more, an escaped one of JSON, or one that stands for itself. */
const character = /(%(?:25)*)([0-9a-f]{2})|(\\u)([0-9a-f]{4})|(\\.)|([a-z0-9\x80-\uffff])/gis

/**
 * A secret with its form kept: "x" for a letter, "X" for a capital, "1" for a digit, and everything else as it is. Encoded characters
 * stay encoded, so that what reads the value reads one of the same length.
 *
 * @param isInJson whether a backslash begins a character of two, which stays as it is
 */
export function maskedForm(secret: string, isInJson = false): string {
  return secret.replace(
    character,
    (whole: string, percent?: string, byte = '', unicode?: string, unit = '', escaped?: string) => {
      if (percent !== undefined) return percent + encodedForm(byte, 2)
      if (unicode !== undefined) return isInJson ? unicode + encodedForm(unit, 4) : `\\${formOf(`u${unit}`)}`
      if (escaped !== undefined) return isInJson ? whole : `\\${formOf(escaped.slice(1))}`
      return formOf(whole)
    },
  )
}

function encodedForm(digits: string, length: number): string {
  const code = Number.parseInt(digits, 16)
  const masked = formOf(String.fromCharCode(code))
  return masked.charCodeAt(0) === code ? digits : masked.charCodeAt(0).toString(16).padStart(length, '0')
}

function formOf(text: string): string {
  return text
    .replace(/[0-9]/g, '1')
    .replace(/[A-Z]/g, 'X')
    .replace(/[a-z\x80-\uffff]/g, 'x')
}
