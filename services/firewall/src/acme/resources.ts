import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { AcmeFailure } from './acme-failure.ts'

/** What authorities answer (RFC 8555, section 7.1), as far as it is read. Other members are passed over. */

const address = Type.String({ minLength: 1, maxLength: 4096 })

/** Why the authority refuses something (RFC 7807), with a subproblem for each name that it concerns (RFC 8555, section 6.7.1). */
export const Problem = Type.Object({
  type: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  subproblems: Type.Optional(
    Type.Array(
      Type.Object({
        detail: Type.Optional(Type.String()),
        identifier: Type.Optional(Type.Object({ value: Type.String() })),
      }),
    ),
  ),
})

/** The addresses at which the authority takes requests (RFC 8555, section 7.1.1). */
export const Directory = Type.Object({
  newNonce: address,
  newAccount: address,
  newOrder: address,
  /** RFC 9773. */
  renewalInfo: Type.Optional(address),
})

/**
 * A certificate that was asked for (RFC 8555, section 7.1.3): `finalize` takes the signing request, `certificate` comes once it is
 * issued.
 */
export const Order = Type.Object({
  status: Type.String(),
  authorizations: Type.Array(address, { maxItems: 200 }),
  finalize: address,
  certificate: Type.Optional(address),
  error: Type.Optional(Problem),
})

const Challenge = Type.Object({
  type: Type.String(),
  url: address,
  status: Type.Optional(Type.String()),
  /** Of characters that need no encoding in an address, as it will stand in one. */
  token: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}$' })),
  error: Type.Optional(Problem),
})

/** What has to be proven about one name, and in which ways it can be (RFC 8555, section 7.1.4). */
export const Authorization = Type.Object({
  status: Type.String(),
  identifier: Type.Object({ value: Type.String() }),
  challenges: Type.Array(Challenge),
})

/** When a certificate is to be renewed (RFC 9773, section 4.2). */
export const RenewalInfo = Type.Object({
  suggestedWindow: Type.Object({ start: Type.String(), end: Type.String() }),
})

export type Directory = Static<typeof Directory>
export type Order = Static<typeof Order>
export type Challenge = Static<typeof Challenge>
export type Authorization = Static<typeof Authorization>
export type Problem = Static<typeof Problem>

/**
 * Reads an answer.
 *
 * @throws AcmeFailure when it is not what it has to be
 */
export function readResource<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> {
  const value = parsed(text)
  if (Check(schema, value)) return value
  throw new AcmeFailure('The authority answers with something that ACME does not have there.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Whatever it is, it is no JSON; the sentence above says so.
    return undefined
  }
}

/** The last part of a problem's type; empty where it has another form. */
export function problemType({ type = '' }: Problem): string {
  return /^urn:ietf:params:acme:error:(\w+)$/.exec(type)?.[1] ?? ''
}

/** What a problem says, in one line. */
export function inWords(problem: Problem): string {
  const parts = (problem.subproblems ?? []).map(({ identifier, detail }) =>
    [identifier?.value, detail].filter(Boolean).join(': '),
  )
  const details = [problem.detail ?? '', ...parts].filter(Boolean).join('; ')
  const text = details === '' ? problemType(problem) : details
  return text
    .replace(/[\s\p{C}]+/gu, ' ')
    .slice(0, 500)
    .replace(/\.$/, '')
}
