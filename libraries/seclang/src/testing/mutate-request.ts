import type { Random } from './random.ts'

/** What attacks are made of, and what hides them. */
const fragments: readonly string[] = [
  '%00',
  '%0a',
  '%u0041',
  '%c0%af',
  '&#x3c;',
  '\\x3c',
  '\\u003c',
  '/**/',
  '+',
  '%25',
  "'",
  '"',
  '`',
  '\\',
  '../',
  '<',
  '>',
  '&a=',
  '\0',
  '\xff',
  '\u00e9',
  'SELECT',
  'script',
  '${',
  '|',
  ';',
  ' ',
  'or 1=1',
  'x'.repeat(300),
]

/**
 * Makes another request of one: pieces of it left out, doubled, put elsewhere, their letters changed, or joined with pieces of
 * another request. The lines of its head mostly survive.
 */
export function mutateRequest(request: Buffer, other: Buffer, random: Random): Buffer {
  let text = request.toString('latin1')
  for (let change = random.below(4); change >= 0; change--)
    text = mutate(text, other.toString('latin1'), random)
  return Buffer.from(withLength(text), 'latin1')
}

function mutate(text: string, other: string, random: Random): string {
  const at = text.indexOf(' ') + 1 + random.below(text.length)
  const end = at + 1 + random.below(12)
  const before = text.slice(0, at)
  const piece = text.slice(at, end)
  const after = text.slice(end)
  switch (random.below(6)) {
    case 0:
      return before + after
    case 1:
      return before + piece + piece + after
    case 2:
      return before + piece + random.pick(fragments) + after
    case 3:
      return before + flipCase(piece) + after
    case 4:
      return before + encodeURIComponent(piece) + after
    default: {
      const from = random.below(other.length)
      return before + other.slice(from, from + random.below(60)) + after
    }
  }
}

function flipCase(text: string): string {
  return text.replace(/[a-zA-Z]/g, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

/** The length of the body as it is now. */
function withLength(text: string): string {
  const end = text.indexOf('\r\n\r\n')
  return text.replace(/^(content-length:) *\d+/im, (_, name: string) => `${name} ${text.length - end - 4}`)
}
