import { linearForm, NoLinearForm } from './linear-form.ts'

/**
 * Regular expressions as administrators write them: those of JavaScript but for what cannot be run in linear time, which is
 * looking around, referring back, and repetitions that are too large when they are written out.
 *
 * @param options whether what its groups take is needed, as in rewriting
 * @returns a sentence that says why a text is none
 */
export function problemOfExpression(
  source: string,
  options: { readonly keepsGroups?: boolean } = {},
): string | undefined {
  return problemOfSyntax(source) ?? problemOfRepetitions(source, options)
}

/**
 * What is wrong with the repetitions of a regular expression: a sentence; undefined for one that can be run in bounded time, and for
 * texts that are refused for something else.
 *
 * @param options whether what its groups take is needed, as in rewriting
 */
export function problemOfRepetitions(
  source: string,
  options: { readonly keepsGroups?: boolean } = {},
): string | undefined {
  if (problemOfSyntax(source) !== undefined) return undefined
  try {
    linearForm(source, options)
    return undefined
  } catch (error) {
    if (!(error instanceof NoLinearForm)) throw error
    return `"${source}" cannot be run in bounded time: it ${error.message}.`
  }
}

function problemOfSyntax(source: string): string | undefined {
  const withoutClasses = source.replace(/\\[\s\S]|\[(?:[^\]\\]|\\[\s\S])*\]?/g, (piece) =>
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

/** What is wrong with the old value of a rewriting rule: a sentence; undefined for none. */
export function problemOfOldValue(oldValue: string): string | undefined {
  return isExpressionPattern(oldValue) ? problemOfExpression(oldValue, { keepsGroups: true }) : undefined
}
