/**
 * An expression that means without the flag `i` what the given one means with it, for ASCII letters: the linear engine does not
 * know that flag.
 *
 * @param source a valid regular expression
 */
export function bothCases(source: string): string {
  return source.replace(pieces, (piece, characterClass?: string, letter?: string) => {
    if (letter !== undefined) return `[${letter.toLowerCase()}${letter.toUpperCase()}]`
    return characterClass === undefined ? piece : withBothCases(characterClass)
  })
}

/** Escapes, the beginnings of groups, classes, letters. */
const pieces =
  /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|c[a-z]|k<[^>]*>|[\s\S])|\(\?(?:<\w+>|:)|(\[(?:[^\]\\]|\\[\s\S])*\])|([a-z])/gi

const partsOfClass = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|c[a-z]|[\s\S])|([a-z])-([a-z])|([a-z])/gi

function withBothCases(characterClass: string): string {
  return characterClass.replace(partsOfClass, (part, from?: string, to?: string, letter?: string) => {
    if (letter !== undefined) return `${part}${otherCase(letter)}`
    return from !== undefined && to !== undefined && isLower(from) === isLower(to)
      ? `${part}${otherCase(from)}-${otherCase(to)}`
      : part
  })
}

function isLower(letter: string): boolean {
  return letter === letter.toLowerCase()
}

function otherCase(letter: string): string {
  return isLower(letter) ? letter.toUpperCase() : letter.toLowerCase()
}
