import type { OperatorSyntax } from './syntax.ts'

/** Parses `@name argument`, `!@name argument`, or a bare regular expression, which means `@rx`. */
export function parseOperator(text: string): OperatorSyntax {
  const trimmed = text.trimStart()
  const isNegated = trimmed.startsWith('!')
  const rest = isNegated ? trimmed.slice(1).trimStart() : trimmed
  const named = /^@([A-Za-z0-9_]+)\s*/.exec(rest)
  if (named === null) return { isNegated, name: 'rx', argument: rest }
  return { isNegated, name: (named[1] ?? '').toLowerCase(), argument: rest.slice(named[0].length) }
}
