import type { FirewallField } from '@palisade/sdk'

/** What a field holds: text, or the items of a list. */
export type Value = string | readonly string[]

/** The fields of a kind or of a section, by name. */
export type Fields = Readonly<Record<string, FirewallField>>

/** What somebody has changed and not yet saved, by the name of the field. */
export type Draft = Readonly<Record<string, Change>>

/** A change that is not saved. */
export interface Change {
  readonly value: Value
  /** What the field held when the change began. */
  readonly before: Value
}

/** What a reply shows of a field; nothing for a secret. */
export function shownValue(field: FirewallField, shown: unknown): Value {
  if (!field.isList) return shown === undefined || shown === null ? '' : [shown].flat().join('\n')
  if (Array.isArray(shown)) return shown.map(String)
  return shown === undefined || shown === null || shown === '' ? [] : String(shown).split(',')
}

/** What a field holds while nobody says otherwise. */
export function defaultOf(field: FirewallField): Value {
  return shownValue(field, field.default)
}

/** Whether two values are the same. A list is the same as the text that has its items in lines. */
export function isSame(one: Value, other: Value): boolean {
  return textOf(one) === textOf(other)
}

/** The value in a line for each item. */
export function textOf(value: Value): string {
  return typeof value === 'string' ? value : value.join('\n')
}

/** The value in one line. */
export function lineOf(value: Value): string {
  return typeof value === 'string' ? value : value.join(', ')
}

/** The items in a text, one a line. */
export function itemsOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** The body that makes the changes, and nothing else. */
export function bodyOf(draft: Draft): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(draft).map(([name, { value }]) => [name, value]))
}

/** A draft with one more change, or without it when the field holds again what it held. */
export function withChange(draft: Draft, name: string, value: Value, before: Value): Draft {
  const { [name]: earlier, ...others } = draft
  const start = earlier?.before ?? before
  return isSame(value, start) ? others : { ...others, [name]: { value, before: start } }
}
