import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { type Field, isShown, stringLengthMaxDefault } from '../kinds/kind.ts'
import type { Pattern } from '../kinds/patterns.ts'
import { choicesOf } from '../kinds/values.ts'

/** A JSON Schema, draft 2020-12, as OpenAPI 3.1 holds it. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * What a field takes: numbers and lists also as text, and the empty text for nothing. Defaults are told in words, and as `x-default`:
 * the keyword would make the member required in what is generated from the document. `x-enforced` is there, and false, when the
 * member is kept and nothing obeys it.
 */
function givenSchema(field: Field, isKept: boolean): Schema {
  return withoutUndefined({
    ...givenType(field),
    ...remarks(field),
    'x-default': field.readOnly ? undefined : field.default,
    'x-enforced': isKept ? false : undefined,
  })
}

/** What a field is shown as: text, or a list of texts, unless it says otherwise. */
export function shownSchema(field: Field): Schema {
  return withoutUndefined({ ...shownType(field), ...remarks(field) })
}

/** A text in v3.2; a list of its lines in v3 and v3.1. Every version takes both. */
const textOrLines: Schema = { type: ['string', 'array'], items: { type: 'string' } }

function shownType(field: Field): Schema {
  if (field.type === 'list' && field.shownAs !== 'text') return { type: 'array', items: { type: 'string' } }
  if (field.type === 'integer' && field.shownAs === 'number') return { type: ['integer', 'string'] }
  if (field.type === 'string' && field.linesInOlderVersions) return textOrLines
  return { type: 'string' }
}

/**
 * The members that a body may have.
 *
 * @param kept the names of those that nothing obeys
 */
export function givenMembers(
  title: string,
  fields: FieldSet,
  required: readonly string[],
  kept: ReadonlySet<string> = new Set(),
): Schema {
  const properties = Array.from(fields)
    .filter(({ field }) => !field.readOnly && !field.hidden)
    .map(({ name, field }) => [name, givenSchema(field, kept.has(name))])
  return withoutUndefined({
    title,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: required.length > 0 ? required : undefined,
    additionalProperties: false,
  })
}

/** The members that a reply shows of these fields. */
export function shownMembers(title: string, fields: FieldSet, more: Readonly<Record<string, Schema>> = {}) {
  const properties = Array.from(fields)
    .filter(({ field }) => isShown(field))
    .map(({ name, field }) => [name, shownSchema(field)])
  return {
    title,
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...more },
  } satisfies Schema
}

/** The names of the fields that a new object needs. */
export function requiredFields({ fields }: CompiledKind): string[] {
  return Array.from(fields)
    .filter(({ field }) => field.required)
    .map(({ name }) => name)
}

function givenType(field: Field): Schema {
  switch (field.type) {
    case 'string':
      return {
        ...(field.linesInOlderVersions ? textOrLines : { type: 'string' }),
        maxLength: field.lengthMax ?? stringLengthMaxDefault,
        pattern:
          field.pattern && isPortable(field.pattern) ? `^$|${field.pattern.expression.source}` : undefined,
      }
    case 'integer':
      return { type: ['integer', 'string'], minimum: field.min, maximum: field.max }
    case 'choice':
      return { type: 'string', enum: choicesOf(field) }
    case 'on-off':
      return { $ref: '#/components/schemas/OnOff' }
    case 'yes-no':
      return { $ref: '#/components/schemas/YesNo' }
    case 'list':
      return { type: ['array', 'string'], items: givenType(field.of) }
    case 'ip-address':
    case 'netmask':
    case 'reference':
      return { type: 'string' }
  }
}

/**
 * Whether the expression means the same without flags, with which JSON Schema has no way to write it: tools that read Unicode's
 * classes of characters literally would refuse what is right.
 */
function isPortable({ expression }: Pattern): boolean {
  return !expression.ignoreCase && !expression.source.includes('\\p{')
}

function remarks(field: Field): Schema {
  const { description, createOnly, readOnly, writeOnly } = field
  const unit = field.type === 'integer' && field.unit !== undefined ? `In ${field.unit}.` : undefined
  const target = field.type === 'reference' ? `Names a ${[field.to].flat().join(' or ')}.` : undefined
  const form =
    field.type === 'string' && field.pattern && !isPortable(field.pattern) && `Text ${field.pattern.meaning}.`
  const lines = field.type === 'string' && field.linesInOlderVersions && 'In v3 and v3.1 a list of its lines.'
  const once = createOnly && 'Decided at creation.'
  const isToldDefault = field.default !== undefined && !readOnly
  const initially = !isToldDefault ? undefined : `${field.default} when left out.`
  const sentences = [description, unit, form, lines, target, once, initially].filter(Boolean)
  return { description: sentences.length > 0 ? sentences.join(' ') : undefined, readOnly, writeOnly }
}

function withoutUndefined(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}
