import type { ActionSyntax } from './syntax.ts'

/**
 * Parses the actions of a rule: `id:1,phase:2,msg:'it\'s',t:none`. An argument in single quotes may hold commas; in it a
 * backslash takes away the meaning of a quote and of a backslash.
 *
 * @throws {Error} naming what was expected
 */
export function parseActions(text: string): readonly ActionSyntax[] {
  const actions: ActionSyntax[] = []
  let at = skipSeparators(text, 0)
  while (at < text.length) {
    const name = nameAt(text, at)
    if (name === undefined) throw new Error(`an action was expected at "${text.slice(at, at + 30)}"`)
    at = skipBlanks(text, at + name.length)
    if (text[at] === ':') {
      const { argument, end } = parseArgument(text, skipBlanks(text, at + 1), name)
      actions.push({ name: name.toLowerCase(), argument })
      at = skipBlanks(text, end)
    } else {
      actions.push({ name: name.toLowerCase() })
    }
    if (at < text.length && text[at] !== ',') {
      throw new Error(`a comma was expected after the action ${name} at "${text.slice(at, at + 30)}"`)
    }
    at = skipSeparators(text, at)
  }
  return actions
}

function nameAt(text: string, at: number): string | undefined {
  const name = /[A-Za-z]+/y
  name.lastIndex = at
  return name.exec(text)?.[0]
}

function parseArgument(text: string, start: number, name: string): { argument: string; end: number } {
  if (text[start] === "'") return quotedArgument(text, start + 1, name)
  const comma = text.indexOf(',', start)
  const end = comma === -1 ? text.length : comma
  return { argument: text.slice(start, end).trim(), end }
}

function quotedArgument(text: string, start: number, name: string): { argument: string; end: number } {
  const end = text.indexOf("'", start)
  const plain = end < 0 ? '' : text.slice(start, end)
  if (end >= 0 && !plain.includes('\\')) return { argument: plain, end: end + 1 }
  let argument = ''
  for (let at = start; at < text.length; at++) {
    if (text[at] === "'") return { argument, end: at + 1 }
    if (text[at] === '\\' && (text[at + 1] === "'" || text[at + 1] === '\\')) at++
    argument += text[at]
  }
  throw new Error(`the quote ' of the action ${name} is not closed`)
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at++
  return at
}

function skipSeparators(text: string, from: number): number {
  let at = from
  while (/[\s,]/.test(text[at] ?? '')) at++
  return at
}
