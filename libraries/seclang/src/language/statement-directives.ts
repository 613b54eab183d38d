import { byIds } from './id-ranges.ts'
import { parseActions } from './parse-actions.ts'
import { parseVariables } from './parse-variables.ts'
import type { Position } from './rule-set-failure.ts'
import type { OperatorSyntax, RuleSelection, Statement } from './syntax.ts'

/** Makes a statement of the words after a directive's name. Throws an Error that says what was expected. */
type StatementDirective = (at: Position, words: readonly string[]) => Statement

/** The directives that state a rule or something about rules, by lower-cased name. */
export const statementDirectives: ReadonlyMap<string, StatementDirective> = new Map<
  string,
  StatementDirective
>([
  [
    'secrule',
    (at, words) => {
      const [variables = '', operator = '', actions = ''] = expectWords(words, 2, 3)
      return {
        kind: 'rule',
        at,
        variables: parseVariables(variables),
        operator: parseOperator(operator),
        actions: parseActions(actions),
      }
    },
  ],
  [
    'secaction',
    (at, words) => {
      const [actions = ''] = expectWords(words, 1, 1)
      return { kind: 'rule', at, variables: [], actions: parseActions(actions) }
    },
  ],
  [
    'secmarker',
    (at, words) => {
      const [label = ''] = expectWords(words, 1, 1)
      return { kind: 'marker', at, label }
    },
  ],
  [
    'secdefaultaction',
    (at, words) => {
      const [actions = ''] = expectWords(words, 1, 1)
      return { kind: 'default-action', at, actions: parseActions(actions) }
    },
  ],
  [
    'secruleremovebyid',
    (at, words) => {
      expectWords(words, 1, Number.POSITIVE_INFINITY)
      return { kind: 'remove', at, rules: byIds(words.join(' ')) }
    },
  ],
  [
    'secruleremovebytag',
    (at, words) => {
      const [pattern = ''] = expectWords(words, 1, 1)
      return { kind: 'remove', at, rules: { by: 'tag', pattern } }
    },
  ],
  [
    'secruleremovebymsg',
    (at, words) => {
      const [pattern = ''] = expectWords(words, 1, 1)
      return { kind: 'remove', at, rules: { by: 'message', pattern } }
    },
  ],
  ['secruleupdatetargetbyid', updateTarget(byIds)],
  ['secruleupdatetargetbytag', updateTarget((pattern) => ({ by: 'tag', pattern }))],
  ['secruleupdatetargetbymsg', updateTarget((pattern) => ({ by: 'message', pattern }))],
  [
    'secruleupdateactionbyid',
    (at, words) => {
      const [rule = '', actions = ''] = expectWords(words, 2, 2)
      const parsed = /^(\d+)(?::(\d+))?$/.exec(rule)
      if (parsed === null)
        throw new Error(`a rule id was expected, with ":1" for the next of its chain, not "${rule}"`)
      return {
        kind: 'update-action',
        at,
        id: Number(parsed[1]),
        chainOffset: Number(parsed[2] ?? 0),
        actions: parseActions(actions),
      }
    },
  ],
])

function updateTarget(select: (text: string) => RuleSelection): StatementDirective {
  return (at, words) => {
    const [rules = '', variables = '', replaced] = expectWords(words, 2, 3)
    return {
      kind: 'update-target',
      at,
      rules: select(rules),
      variables: parseVariables(variables),
      ...(replaced === undefined ? {} : { replaced: parseVariables(replaced) }),
    }
  }
}

function expectWords(words: readonly string[], min: number, max: number): readonly string[] {
  if (words.length < min || words.length > max) {
    const expected = min === max ? `${min}` : `${min} to ${max}`
    throw new Error(`${expected} words were expected after the directive, not ${words.length}`)
  }
  return words
}

/** Parses `@name argument`, `!@name argument`, or a bare regular expression, which means `@rx`. */
export function parseOperator(text: string): OperatorSyntax {
  const trimmed = text.trimStart()
  const isNegated = trimmed.startsWith('!')
  const rest = isNegated ? trimmed.slice(1).trimStart() : trimmed
  const named = /^@([A-Za-z0-9_]+)\s*/.exec(rest)
  if (named === null) return { isNegated, name: 'rx', argument: rest }
  return { isNegated, name: (named[1] ?? '').toLowerCase(), argument: rest.slice(named[0].length) }
}
