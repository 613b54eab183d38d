/**
 * Regular expressions as administrators write them: those of JavaScript but for what cannot be run in linear time, which is
 * looking around and referring back.
 *
 * @returns a sentence that says why a text is none
 */
export function problemOfExpression(source: string): string | undefined {
  const withoutClasses = source.replace(/\\[\s\S]|\[(?:[^\]\\]|\\[\s\S])*\]/g, (piece) =>
    /^\\[1-9k]/.test(piece) ? piece : '',
  )
  if (/\\[1-9k]/.test(withoutClasses)) return `"${source}" refers back to a group, which takes too long.`
  if (/\(\?<?[=!]/.test(withoutClasses)) return `"${source}" looks around, which takes too long.`
  try {
    new RegExp(source)
    return undefined
  } catch {
    return `"${source}" is no regular expression.`
  }
}

/** Tells the regular expressions among the old values of rewriting rules from texts in which `*` stands for any characters. */
export function isExpressionPattern(oldValue: string): boolean {
  return oldValue.includes('(') || oldValue.includes('.*')
}
