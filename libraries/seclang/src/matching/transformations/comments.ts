/** Each comment of C becomes a space, one without an end too. */
export function replaceComments(value: string): string {
  return value.replaceAll(/\/\*.*?(?:\*\/|$)/gs, ' ')
}

/**
 * Takes comments of C, HTML, SQL and the shell out. After the end of a comment one character is copied unseen; where
 * there is none it is a NUL. A comment without an end becomes a space; `--` and `#` end the value.
 */
export function removeComments(value: string): string {
  let result = ''
  let at = 0
  while (at < value.length) {
    const opening = openingAt(value, at)
    if (opening === 0) {
      if (value.startsWith('--', at) || value[at] === '#') return result
      result += value.charAt(at++)
      continue
    }
    const end = /\*\/|-->/g
    end.lastIndex = at + opening
    const closing = end.exec(value)
    if (!closing) return `${result} `
    at = end.lastIndex
    result += value.charAt(at++) || '\0'
  }
  return result
}

function openingAt(value: string, at: number): number {
  if (value.startsWith('/*', at)) return 2
  return value.startsWith('<!--', at) ? 4 : 0
}

/** Takes the marks of comments out and leaves what they enclose. */
export function removeCommentsChar(value: string): string {
  return value.replaceAll(/\/\*|\*\/|<!--|-->|--|#/g, '')
}
