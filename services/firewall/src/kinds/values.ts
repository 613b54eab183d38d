import { isIP, isIPv4 } from 'node:net'
import { type Field, hasOlderForm, stringLengthMaxDefault } from './kind.ts'
import type { Pattern } from './patterns.ts'

/** What a field holds. A field that holds nothing has no value at all. */
export type Value = string | number | readonly string[]

/** The answer for what a field does not take; {@link expectation} says what it would have taken. */
export const unacceptable = Symbol('unacceptable')

/** The values of an object or of one of its sections, by field name. */
export type Values = Readonly<Record<string, Value>>

/**
 * Reads a value as clients send them: numbers also as text, lists also as one text with commas, named values in
 * any case.
 *
 * @returns the value, or `undefined` for an empty text, which stands for nothing
 */
export function readValue(field: Field, value: unknown): Value | undefined | typeof unacceptable {
  if (field.type === 'list') return readList(field.of, value)
  if (field.type === 'string' && field.linesInOlderVersions && isListOfTexts(value)) {
    return readValue(field, value.join('\n'))
  }
  if (typeof value !== 'string' && !isExactNumber(value)) return unacceptable
  const text = String(value)
  if (text === '') return undefined
  switch (field.type) {
    case 'string': {
      const { lengthMin = 0, lengthMax = stringLengthMaxDefault, pattern } = field
      const fits = text.length >= lengthMin && text.length <= lengthMax
      return fits && isPlainText(text) && (pattern === undefined || fitsPattern(text, pattern))
        ? text
        : unacceptable
    }
    case 'integer': {
      const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = field
      // Adding zero makes one zero of the two that numbers have.
      const number = /^-?\d{1,16}$/.test(text) ? Number(text) + 0 : Number.NaN
      return number >= min && number <= max ? number : unacceptable
    }
    case 'choice':
    case 'on-off':
    case 'yes-no':
      return readChoice(field, text) ?? unacceptable
    case 'ip-address':
      return isIP(text) !== 0 && !text.includes('%') ? text : unacceptable
    case 'netmask':
      return isNetmask(text) ? text : unacceptable
    case 'reference': {
      const word = field.orOneOf?.find((one) => one.toLowerCase() === text.toLowerCase())
      if (word !== undefined) return word
      return text.length <= stringLengthMaxDefault && isPlainText(text) ? text : unacceptable
    }
  }
}

function fitsPattern(text: string, { expression, accepts }: Pattern): boolean {
  return expression.test(text) && (accepts?.(text) ?? true)
}

/** Whether something is a number that says what was sent: of very many digits JSON's reader keeps the first ones only. */
function isExactNumber(value: unknown): value is number {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

type NamedValuesField = Extract<Field, { type: 'choice' | 'on-off' | 'yes-no' }>

function readChoice(field: NamedValuesField, text: string): string | undefined {
  const isMeant = (value: string) => value.toLowerCase() === text.toLowerCase()
  const choice = choicesOf(field).find(isMeant)
  if (choice !== undefined || field.type !== 'choice') return choice
  return Object.entries(field.alsoCalled ?? {}).find(([other]) => isMeant(other))?.[1]
}

/** Continues "The member … must be …". */
export function expectation(field: Field): string {
  switch (field.type) {
    case 'string': {
      const { lengthMin = 0, lengthMax = stringLengthMaxDefault, pattern } = field
      const length = lengthMin > 1 ? `${lengthMin} to ${lengthMax}` : `at most ${lengthMax}`
      return ['text', `of ${length} characters`, pattern?.meaning].filter(Boolean).join(' ')
    }
    case 'integer': {
      const { min, max } = field
      if (min !== undefined && max !== undefined) return `an integer from ${min} to ${max}`
      if (min !== undefined) return `an integer of at least ${min}`
      return max === undefined ? 'an integer' : `an integer of at most ${max}`
    }
    case 'choice':
    case 'on-off':
    case 'yes-no':
      return `one of ${choicesOf(field).join(', ')}`
    case 'ip-address':
      return field.version === undefined
        ? 'an IP address'
        : `an IP address of the version that ${field.version} says`
    case 'netmask':
      return 'a netmask, such as 255.255.255.0 or 24'
    case 'reference':
      return [`the name of a ${[field.to].flat().join(' or ')}`, ...(field.orOneOf ?? [])].join(', or ')
    case 'list':
      return `a list, or one text with commas, in which each item is ${expectation(field.of)}`
  }
}

/** The named values of a field that takes no others. */
export function choicesOf(field: NamedValuesField): readonly string[] {
  switch (field.type) {
    case 'choice':
      return field.values
    case 'on-off':
      return ['On', 'Off']
    case 'yes-no':
      return ['Yes', 'No']
  }
}

/**
 * A value as replies show it: everything is text, lists are lists of texts, nothing is "" or [], unless the field
 * says otherwise.
 */
export function shownValue(field: Field, value: Value | undefined): Value {
  if (field.type === 'list') {
    const items = Array.isArray(value) ? value : []
    return field.shownAs === 'text' ? items.join(',') : items
  }
  if (value === undefined) return ''
  return typeof value === 'number' && !(field.type === 'integer' && field.shownAs === 'number')
    ? String(value)
    : value
}

/** A value as replies to versions before v3.2 show it: as {@link shownValue}, unless the field has an older form. */
export function olderShownValue(field: Field, value: Value | undefined): Value {
  const shown = shownValue(field, value)
  if (typeof shown !== 'string' || !hasOlderForm(field)) return shown
  if (field.type === 'string') return shown.split(/\r?\n/).filter((line) => line !== '')
  const names = field.type === 'choice' ? Object.entries(field.alsoCalled ?? {}) : []
  return names.find(([, meant]) => meant === shown)?.[0] ?? shown
}

/** A list without items and a field that holds nothing are the same: both are shown as []. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  return a === b || JSON.stringify(a ?? []) === JSON.stringify(b ?? [])
}

function readList(of: Exclude<Field, { type: 'list' }>, parts: unknown): Value | typeof unacceptable {
  const items = typeof parts === 'string' ? splitAtCommas(parts) : parts
  if (!Array.isArray(items)) return unacceptable
  const values: string[] = []
  for (const item of items as unknown[]) {
    for (const value of readItem(of, item)) {
      if (value === unacceptable) return unacceptable
      if (value !== undefined) values.push(String(value))
    }
  }
  return values
}

/** An item of a list; some clients send several with commas between them in the place of one. */
function readItem(
  of: Exclude<Field, { type: 'list' }>,
  item: unknown,
): (Value | undefined | typeof unacceptable)[] {
  const value = readValue(of, item)
  if (value !== unacceptable || typeof item !== 'string' || !item.includes(',')) return [value]
  return splitAtCommas(item).map((part) => readValue(of, part))
}

function splitAtCommas(text: string): string[] {
  return text.split(',').map((item) => item.trim())
}

/** No control characters but tab and line ends, and no halves of surrogate pairs. */
function isPlainText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) && text.isWellFormed()
}

/** Contiguous ones from the left, as four octets or as their number. */
function isNetmask(text: string): boolean {
  if (/^\d{1,3}$/.test(text)) return Number(text) <= 128
  if (!isIPv4(text)) return false
  const bits = text.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
  const zeros = 2 ** 32 - bits
  return Number.isInteger(Math.log2(zeros))
}
