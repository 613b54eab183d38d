/** Characters by which the walk through a text goes on; strings are passed over as a whole. */
const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c

/**
 * The first member that an object in a JSON text has a second time, however deep the object lies and however the two are
 * spelt: `"a"` and `"\u0061"` are one name. Parsers differ in which of the two they believe (RFC 8259, section 4).
 *
 * @param text valid JSON; goes through it once
 * @returns the member's name, undefined when there is none
 */
export function repeatedMember(text: string): string | undefined {
  /** The names of each object around the place, outermost first; undefined for a list. */
  const around: (Set<string> | undefined)[] = []
  /** The names of the innermost object; undefined within a list. */
  let names: Set<string> | undefined
  /** Whether a string that begins here is the name of a member. */
  let isName = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at)
        if (isName && names) {
          const name = stringAt(text, at, end)
          if (names.has(name)) return name
          names.add(name)
          isName = false
        }
        at = end
        break
      }
      case openBrace:
        names = new Set()
        around.push(names)
        isName = true
        break
      case openBracket:
        names = undefined
        around.push(names)
        isName = false
        break
      case closeBrace:
      case closeBracket:
        around.pop()
        names = around.at(-1)
        isName = false
        break
      case comma:
        isName = names !== undefined
        break
    }
  }
  return undefined
}

/** The place of the quotation mark that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}

function stringAt(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end)
  return raw.includes('\\') ? String(JSON.parse(text.slice(start, end + 1))) : raw
}
