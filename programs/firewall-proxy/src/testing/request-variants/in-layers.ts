import { escaped, form, json, percent } from './forms-of-a-value.ts'
import { formType } from './in-forms.ts'
import { jsonType } from './in-json.ts'
import { boundary, field, parts } from './in-multipart.ts'
import { type RequestVariant, typed } from './request-variant.ts'

const base64 = (value: string) => Buffer.from(value).toString('base64')
const base64Url = (value: string) => Buffer.from(value).toString('base64url')
const hexadecimal = (value: string) => Buffer.from(value).toString('hex')
const entities = (value: string) => Array.from(value, (one) => `&#${one.charCodeAt(0)};`).join('')
const hexadecimalEntities = (value: string) =>
  Array.from(value, (one) => `&#x${one.charCodeAt(0).toString(16)}`).join('')
const utf7 = (value: string) =>
  value.replace(/[^A-Za-z0-9 ]/g, (one) => {
    const units = Buffer.from(one, 'utf16le').swap16()
    return `+${units.toString('base64').replace(/=+$/, '')}-`
  })
const percentTwice = (value: string) => encodeURIComponent(percent(value))
const escapedJson = (value: string) => `{"id":"${escaped(value)}"}`

/** Encodings that an application takes off a value after it has read it: their names, and whether clients use them in earnest. */
const encodings: readonly (readonly [
  name: string,
  encode: (value: string) => string,
  isOrdinary: boolean,
])[] = [
  ['Base64', base64, true],
  ['Base64 for addresses', base64Url, true],
  ['Base64 of Base64', (value) => base64(base64(value)), true],
  ['Base64 of escaped JSON', (value) => base64(escapedJson(value)), true],
  ['hexadecimal digits', hexadecimal, true],
  ['escapes', escaped, true],
  ['entities', entities, true],
  ['entities without their ends', hexadecimalEntities, true],
  ['UTF-7', utf7, true],
  ['percent signs, twice', percentTwice, true],
  ['percent signs, four times', (value) => encodeURIComponent(encodeURIComponent(percentTwice(value))), true],
  ['escaped JSON', escapedJson, true],
  ['escaped JSON in JSON', (value) => json(escapedJson(value)), true],
  ['entities in percent signs', (value) => percent(entities(value)), true],
]

/** Values in encodings of their own, in the places where values are. */
export const inLayers: readonly RequestVariant[] = [
  ...encodings.flatMap(([name, encode, isOrdinary]): RequestVariant[] => [
    {
      name: `layers, query, ${name}`,
      target: (value) => `/?id=${encodeURIComponent(encode(value))}`,
      isOrdinary,
    },
    typed(`layers, form, ${name}`, formType, (value) => form(encode(value)), isOrdinary),
    typed(`layers, JSON, ${name}`, jsonType, (value) => json(encode(value)), isOrdinary),
    typed(
      `layers, parts, ${name}`,
      `multipart/form-data; boundary=${boundary}`,
      (value) => parts(field(encode(value))),
      isOrdinary,
    ),
    typed(
      `layers, XML, ${name}`,
      'application/xml',
      (value) => `<q><a>1</a><id>${encode(value).replaceAll('&', '&amp;')}</id></q>`,
      isOrdinary,
    ),
  ]),
]
