import type { Selector, VariableSyntax } from './syntax.ts'

/**
 * Parses the variables of a rule: `ARGS|!ARGS:token|&TX:/^score/`.
 *
 * A selector may stand in single quotes. One that begins with `/` is a regular expression and ends with a slash before
 * `|` or the end; only XML takes a path instead.
 *
 * @throws {Error} naming what was expected
 */
export function parseVariables(text: string): readonly VariableSyntax[] {
  const variables: VariableSyntax[] = []
  let at = 0
  while (at < text.length) {
    const head = /^\s*([!&]?)\s*([A-Za-z_]+)\s*/.exec(text.slice(at))
    if (head === null) throw new Error(`a variable was expected at "${excerpt(text, at)}"`)
    const name = (head[2] ?? '').toUpperCase()
    const mode = head[1] === '!' ? 'exclude' : head[1] === '&' ? 'count' : 'read'
    at += head[0].length
    if (text[at] === ':') {
      const { selector, end } = parseSelector(text, at + 1, name)
      variables.push({ mode, name, selector })
      at = end
    } else {
      variables.push({ mode, name })
    }
    at = skipSeparator(text, at)
  }
  if (variables.length === 0) throw new Error('a variable was expected')
  return variables
}

/** Parses one selector, as `ctl:ruleRemoveTargetById` has it after the colon. */
export function selectorOf(text: string): Selector {
  const isPattern = text.length > 1 && text.startsWith('/') && text.endsWith('/')
  return isPattern ? { kind: 'pattern', source: text.slice(1, -1) } : { kind: 'key', key: text }
}

function parseSelector(text: string, start: number, name: string): { selector: Selector; end: number } {
  const quoted = text[start] === "'"
  const { value, end } = quoted ? quotedSelector(text, start + 1) : plainSelector(text, start, name)
  if (value === '') throw new Error(`${name}: needs a key after the colon`)
  return { selector: name === 'XML' ? { kind: 'key', key: value } : selectorOf(value), end }
}

function quotedSelector(text: string, start: number): { value: string; end: number } {
  let value = ''
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === "'") return { value, end: at + 1 }
    if (character === '\\' && (text[at + 1] === "'" || text[at + 1] === '\\')) at++
    value += text[at]
  }
  throw new Error("the quote ' of a selector is not closed")
}

function plainSelector(text: string, start: number, name: string): { value: string; end: number } {
  const bar = text.indexOf('|', start)
  let end = bar === -1 ? text.length : bar
  if (text[start] === '/' && name !== 'XML' && !isClosedPattern(text, start, end)) {
    const close = text.indexOf('/|', start + 1)
    end = close === -1 ? text.length : close + 1
    if (!isClosedPattern(text, start, end))
      throw new Error(`the expression of ${name} is not closed by a slash`)
  }
  return { value: text.slice(start, end).trim(), end }
}

function isClosedPattern(text: string, start: number, end: number): boolean {
  return end - start > 1 && text[end - 1] === '/'
}

function skipSeparator(text: string, from: number): number {
  const rest = text.slice(from)
  if (rest.trim() === '') return text.length
  const separator = /^\s*[|,]/.exec(rest)
  if (separator === null) throw new Error(`| was expected at "${excerpt(text, from)}"`)
  return from + separator[0].length
}

function excerpt(text: string, at: number): string {
  return text.slice(at, at + 30)
}
