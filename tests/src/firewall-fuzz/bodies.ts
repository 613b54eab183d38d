import fc from 'fast-check'
import type { Schema } from './described-operations.ts'

/** Stands in a generated body for the name of an object that is there when the request is sent. */
export class ExistingName {
  readonly kinds: readonly string[]
  readonly index: number

  constructor(kinds: readonly string[], index: number) {
    this.kinds = kinds
    this.index = index
  }
}

/** A body as it is generated: JSON in which existing names are still to be put, or bytes as they are. */
export type GeneratedBody =
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'raw'; readonly bytes: Buffer; readonly contentType: string }

/** Text that fields with a form may take: each is tried where the form is too hard to generate from. */
const plausibleTexts = [
  'shop',
  'a',
  '10',
  '/*',
  '/shop/*',
  '*.example.com',
  'www.example.com',
  'someone@example.com',
  'https://www.example.com/login',
  'ldap.example.com',
  '192.0.2.10',
  '192.0.2.0/24',
  '198.51.100.1-198.51.100.9',
  '2001:db8::1',
  '2001:db8:1::/48',
  '255.255.255.0',
  '24',
  'text/html',
  'services:write',
  'Header eq value',
  '8080',
  '80,443',
  '02:00:5e:10:00:00',
  '2030-01-01',
  '10:30',
]

/** Text for members whose names say what they hold, where the document has no form for them. */
const textsByHint: Readonly<Record<string, readonly string[]>> = {
  password: ['a long enough Secret-1'],
  email: ['someone@example.com'],
  mask: ['255.255.255.0', '24'],
  address: ['192.0.2.10', '198.51.100.7'],
  'server-ip': ['192.0.2.10'],
  gateway: ['192.0.2.1'],
}

const json = 'application/json'

/** Values that no field expects, and some that one may. */
const wildValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    [],
    {},
    '',
    ' ',
    ',',
    [[]],
    [null],
    [''],
    '\u0000',
    '\ud800',
    '\u202e',
    'é'.repeat(64),
    '😀'.repeat(300),
    'x'.repeat(5_000),
    '__proto__',
    'constructor',
    "'; drop table firewall_object; --",
    '{{7*7}}',
    '../../etc/passwd',
    '%00',
    '0x50',
    '1e3',
    '-0',
    '٣',
    'NONE',
    'custom...',
    '_ALL_:write',
  ),
  fc.constantFrom<unknown>(0, -0, -1, 1, 0.5, 65_536, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e300),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 5 }),
  fc.dictionary(fc.string({ maxLength: 8 }), fc.integer(), { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Whole bodies that nobody should send. */
const rawBody: fc.Arbitrary<GeneratedBody> = fc
  .constantFrom<[text: string | Buffer, contentType: string]>(
    ['', json],
    ['{', json],
    ['{"name":"x",}', json],
    ['{"__proto__":{"role":"admin"}}', json],
    ['{"name":"x","__proto__":null}', json],
    ['{"constructor":{"prototype":{"role":"admin"}}}', json],
    ['{"name":"a","name":"b"}', json],
    ['{"name":1e400}', json],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, json],
    [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, json],
    [`{"name":"${'x'.repeat(200_000)}"}`, json],
    [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), json],
    ['\ufeff{}', json],
    ['{"name":"x"}', 'text/plain'],
    ['name=x', 'application/x-www-form-urlencoded'],
    ['--x--', 'multipart/form-data; boundary=x'],
    [
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nv\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['{}', ';;;'],
  )
  .map(([text, contentType]) => ({ type: 'raw', bytes: Buffer.from(text), contentType }))

const wildBody: fc.Arbitrary<GeneratedBody> = fc.oneof(
  { weight: 2, arbitrary: rawBody },
  { weight: 1, arbitrary: wildValue.map((value): GeneratedBody => ({ type: 'json', value })) },
  {
    weight: 1,
    arbitrary: fc
      .dictionary(fc.string({ unit: 'grapheme', maxLength: 20 }), wildValue, {
        maxKeys: 8,
        noNullPrototype: true,
      })
      .map((value): GeneratedBody => ({ type: 'json', value })),
  },
)

const optionalPercentUsual = 8

/** Bodies for an operation: most are what its schema says, some nearly, some not at all. */
export function bodyFor(schema: Schema | undefined): fc.Arbitrary<GeneratedBody | undefined> {
  if (schema === undefined) return fc.oneof({ weight: 19, arbitrary: fc.constant(undefined) }, rawBody)
  const valid = validMembers(schema, optionalPercentUsual)
  const names = Object.keys(schema.properties ?? {})
  const fault = fc.record({ name: fc.constantFrom(...names, 'no-such-member', 'name'), value: wildValue })
  const nearlyValid = fc
    .record({ members: valid, faults: fc.array(fault, { minLength: 1, maxLength: 3 }) })
    .map(({ members, faults }) => ({
      ...members,
      ...Object.fromEntries(faults.map(({ name, value }) => [name, value])),
    }))
  const asBody = (value: unknown): GeneratedBody => ({ type: 'json', value })
  return fc.oneof(
    { weight: 6, arbitrary: valid.map(asBody) },
    { weight: 3, arbitrary: nearlyValid.map(asBody) },
    { weight: 1, arbitrary: wildBody },
  )
}

/**
 * The required members and some of the others, each as its schema says.
 *
 * @param optionalPercent how likely each of the others is
 */
export function validMembers(
  { properties = {}, required = [] }: Schema,
  optionalPercent: number,
): fc.Arbitrary<Record<string, unknown>> {
  const isIncluded = (name: string) =>
    required.includes(name) ? fc.constant(true) : fc.nat(99).map((chance) => chance < optionalPercent)
  const members = Object.entries(properties).map(([name, schema]) =>
    fc.tuple(fc.constant(name), isIncluded(name), validValue(name, schema)),
  )
  return fc
    .tuple(...members)
    .map((all) => Object.fromEntries(all.filter(([, is]) => is).map(([name, , value]) => [name, value])))
}

function validValue(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? 'string'].flat()
  const kind = /Names a ([a-z0-9 -]+)\./.exec(schema.description ?? '')?.[1]
  if (kind !== undefined && !types.includes('array')) {
    return fc.nat(50).map((index) => new ExistingName(kind.split(' or '), index))
  }
  if (types.includes('array')) {
    const item = validValue(name, { ...schema.items, description: schema.description ?? '' })
    return fc.array(item, { maxLength: 3 })
  }
  if (types.includes('integer')) {
    const min = schema.minimum ?? 0
    const max = Math.min(schema.maximum ?? 100_000, Number.MAX_SAFE_INTEGER)
    const within = fc.integer({ min: Math.min(min, max), max: Math.max(min, max) })
    return fc.oneof(within, within.map(String), fc.constantFrom(min, max))
  }
  return validText(name, schema)
}

function validText(name: string, { pattern = '', maxLength = 64 }: Schema): fc.Arbitrary<string> {
  const form = pattern.replace(/^\^\$\|/, '')
  const fits = (text: string) => text.length <= maxLength && new RegExp(form).test(text)
  const hinted =
    Object.entries(textsByHint)
      .find(([hint]) => name.includes(hint))?.[1]
      .filter(fits) ?? []
  if (hinted.length > 0) return fc.constantFrom(...hinted)
  const plausible = plausibleTexts.filter(fits)
  const texts: fc.Arbitrary<string>[] = []
  if (plausible.length > 0) texts.push(fc.constantFrom(...plausible))
  if (/name|id$/.test(name) && fits('n40')) texts.push(fc.nat(40).map((index) => `n${index}`))
  if (form === '') texts.push(fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 12) }))
  else texts.push(matching(form).map((text) => (text.length <= maxLength ? text : '')))
  return fc.oneof(...texts)
}

/** Texts of a form; the empty one where the form uses words that the generator does not have. */
function matching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern), { size: 'small' })
  } catch {
    return fc.constant('')
  }
}
