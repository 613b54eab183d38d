import fc from 'fast-check'
import { bodyFor, type GeneratedBody, validMembers } from './bodies.ts'
import type { DescribedOperation } from './described-operations.ts'

/** What stands in the place of one name in braces. */
export type GeneratedName =
  | { readonly type: 'existing'; readonly index: number }
  /** As it stands in the address, encoded or not. */
  | { readonly type: 'given'; readonly segment: string }

export type Credentials = 'token' | 'newest token' | 'none' | 'damaged'

/** A request before it is known which objects are there. */
export interface GeneratedRequest {
  readonly operation: DescribedOperation
  readonly names: readonly GeneratedName[]
  /** What follows the question mark. */
  readonly query: string
  readonly body: GeneratedBody | undefined
  readonly credentials: Credentials
  readonly version: string
  /** Whether hyphens of the address are sent as underscores. */
  readonly isUnderscored: boolean
}

const oddSegments = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a%2Fb',
  '..%2f..',
  '.',
  '..',
  '%2e%2e',
  '%00',
  '%0d%0aX-A:%20b',
  '%E0%A4%A',
  '%ff%fe',
  '%zz',
  '%F0%9F%98%80',
  'e%CC%81',
  '%20default%20',
  'default%20',
  'DEFAULT',
  "';--",
  '*',
  '{name}',
  '_ALL_',
  '-1',
  '0',
  'x'.repeat(300),
  'x'.repeat(3_000),
]

const existingName = fc.nat(1_000).map((index): GeneratedName => ({ type: 'existing', index }))

const name: fc.Arbitrary<GeneratedName> = fc.oneof(
  { weight: 16, arbitrary: existingName },
  { weight: 1, arbitrary: fc.constant<GeneratedName>({ type: 'given', segment: 'nobody' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...oddSegments).map((segment): GeneratedName => ({ type: 'given', segment })),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      // Blanks at the end of an address are dropped, so blanks alone would lead to the list.
      .filter((text) => text.trim() !== '')
      .map((text): GeneratedName => ({ type: 'given', segment: encodeURIComponent(text) })),
  },
)

const credentials = fc.oneof(
  { weight: 90, arbitrary: fc.constant<Credentials>('token') },
  { weight: 6, arbitrary: fc.constant<Credentials>('newest token') },
  { weight: 2, arbitrary: fc.constant<Credentials>('none') },
  { weight: 2, arbitrary: fc.constant<Credentials>('damaged') },
)

const oddQueries = [
  'groups',
  'groups=&parameters=',
  'groups=__proto__',
  'parameters=constructor',
  'parameters=%00',
  'groups=%ff',
  'limit=-1',
  'limit=0',
  'limit=999999999999',
  'limit=1&limit=2',
  'offset=1.5',
  'offset[]=1',
  'no-such-parameter=1',
  '__proto__=1',
  '__proto__[a]=1',
  'filters=(',
  'filters=%5B%5D',
  'category=operational',
  'fields=name',
  '&&==&',
  `parameters=${'name,'.repeat(2_000)}`,
]

/** Requests for one operation that are as documented, with required members only, for names that are there. */
export function validRequestsFor(operation: DescribedOperation): fc.Arbitrary<GeneratedRequest> {
  return fc.record<GeneratedRequest>({
    operation: fc.constant(operation),
    names: fc.tuple(...namesIn(operation, existingName)),
    query: fc.constant(''),
    body: validMembers(operation.body ?? {}, 0).map((value): GeneratedBody => ({ type: 'json', value })),
    credentials: fc.constant<Credentials>('token'),
    version: fc.constant('v3.2'),
    isUnderscored: fc.constant(false),
  })
}

function namesIn({ path }: DescribedOperation, arbitrary: fc.Arbitrary<GeneratedName>) {
  return Array.from(path.matchAll(/\{/g), () => arbitrary)
}

/** How much more often something is created than done in other ways: whatever is to be done needs something there. */
const creationWeight = 4

/** Requests for the operations of a document. */
export function requestsFor(operations: readonly DescribedOperation[]): fc.Arbitrary<GeneratedRequest> {
  const kinds = operations.map((operation) =>
    fc.record<GeneratedRequest>({
      operation: fc.constant(operation),
      names: fc.tuple(...namesIn(operation, name)),
      query: queryFor(operation),
      body: bodyFor(operation.body),
      credentials,
      version: fc.oneof({ weight: 8, arbitrary: fc.constant('v3.2') }, fc.constantFrom('v3', 'v3.1')),
      isUnderscored: fc.nat(19).map((chance) => chance === 0),
    }),
  )
  return fc.oneof(
    ...kinds.map((arbitrary, index) => ({
      weight: operations[index]?.method === 'POST' ? creationWeight : 1,
      arbitrary,
    })),
  )
}

function queryFor({ queryParameters }: DescribedOperation): fc.Arbitrary<string> {
  const documented = queryParameters.map(({ name, schema }) => {
    const examples = schema?.items?.examples ?? schema?.enum ?? []
    const value: fc.Arbitrary<string> =
      examples.length > 0
        ? fc
            .subarray([...examples], { minLength: 1, maxLength: Math.min(3, examples.length) })
            .map((some) => some.join(','))
        : fc.oneof(fc.nat(20).map(String), fc.string({ maxLength: 8 }))
    return value.map((text) => `${name}=${encodeURIComponent(text)}`)
  })
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: fc.constantFrom(...oddQueries) },
    ...(documented.length > 0
      ? [
          { weight: 4, arbitrary: fc.oneof(...documented) },
          { weight: 1, arbitrary: fc.tuple(...documented).map((all) => all.join('&')) },
        ]
      : []),
  )
}
