import type { FirewallField } from '@palisade/sdk'
import { texts } from './texts.ts'
import type { Value } from './values.ts'

const said = texts.problems

/**
 * What is wrong with a value, as far as the contract says; the service has the last word.
 *
 * @returns a sentence, or undefined when nothing is
 */
export function problemOf(field: FirewallField, value: Value): string | undefined {
  const items = typeof value === 'string' ? [value] : value
  if (field.isRequired && items.every((item) => item === '')) return said.required
  for (const item of items) {
    const problem = item === '' ? undefined : problemOfItem(field, item)
    if (problem !== undefined) return items.length > 1 ? `${item}: ${problem}` : problem
  }
  return undefined
}

function problemOfItem(field: FirewallField, item: string): string | undefined {
  const { isNumber, values, lengthMax, pattern } = field
  if (isNumber) return isInRange(field, item) ? undefined : rangeOf(field)
  if (values !== undefined && !values.includes(item)) return `${said.oneOf} ${values.join(', ')}.`
  if (lengthMax !== undefined && item.length > lengthMax)
    return `${said.atMost} ${lengthMax} ${said.characters}`
  if (pattern !== undefined && !new RegExp(pattern).test(item))
    return `${said.form} ${pattern.replace('^$|', '')}`
  return undefined
}

function isInRange(
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: FirewallField,
  item: string,
) {
  return /^\s*[+-]?\d+\s*$/.test(item) && Number(item) >= min && Number(item) <= max
}

/** "A whole number from 1 to 1024." */
export function rangeOf({ min, max }: FirewallField): string {
  if (min !== undefined && max !== undefined) return `${said.number} ${said.from} ${min} ${said.to} ${max}.`
  if (min !== undefined) return `${said.number}, ${min} ${said.orMore}.`
  if (max !== undefined) return `${said.number}, ${max} ${said.orLess}.`
  return `${said.number}.`
}

/**
 * The service's words about a body, by the members that they are about.
 *
 * @returns under '' what is about none of them
 */
export function problemsByMember(
  message: string,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {}
  for (const sentence of message.split(/(?<=[.!?]) (?=The member )/)) {
    const [, named = ''] = /^The member ([\w-]+)/.exec(sentence) ?? []
    const member = names.includes(named) ? named : ''
    problems[member] = [problems[member], sentence].filter((part) => part !== undefined).join(' ')
  }
  return problems
}
