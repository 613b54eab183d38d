import { isUtf8 } from 'node:buffer'
import type { TokenKeys } from './token-keys.ts'

/** Clocks of computers may differ by as much, in seconds. */
const leewaySeconds = 30

/** Longer ones are not looked at; those of users with hundreds of groups have a few thousand characters. */
const tokenCharactersMax = 16_384

/** Base64url without padding, as RFC 7515 has it. */
const part = /^[\w-]+$/

/** When a token may be used; in seconds since 1970, without leeway. */
export interface TokenTimes {
  readonly notBefore: number
  readonly expires: number
}

/** A token whose signature is right, or what is wrong with it: a part of a sentence that says nothing of what is in it. */
export type TokenJudgement = TokenTimes | TokenProblem

/** What is wrong with a token. */
export interface TokenProblem {
  readonly problem: string
  /** Whether it could be good by keys that are not known yet. */
  readonly lacksKey?: true
}

/**
 * Verifies the signature of a JSON Web Token in its compact form. Keys and addresses of keys that its header brings (`jwk`, `jku`, `x5c`,
 * `x5u`) are not looked at.
 *
 * @param nowMs in milliseconds since 1970
 */
export function judgeToken(token: string, keys: TokenKeys, nowMs: number): TokenJudgement {
  if (token.length > tokenCharactersMax) return { problem: 'is too long' }
  const parts = token.split('.')
  const [head = '', payload = '', signature = ''] = parts
  if (parts.length !== 3 || !parts.every((one) => part.test(one) && one.length % 4 !== 1)) {
    return { problem: 'is none that is signed, in its compact form' }
  }
  const header = objectIn(head)
  if (header === undefined) return { problem: 'has a header that cannot be read' }
  const { alg, kid, crit } = header
  // Whoever does not understand such a member has to refuse the token (RFC 7515, section 4.1.11).
  if (crit !== undefined) return { problem: 'has members that have to be understood, and are not' }
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string')) {
    return { problem: 'has a header that does not say how it is signed' }
  }
  const signed = Buffer.from(`${head}.${payload}`, 'latin1')
  const problem = keys.problemOf(
    { algorithm: alg, keyId: kid },
    signed,
    Buffer.from(signature, 'base64url'),
    nowMs,
  )
  return problem === undefined ? timesOf(objectIn(payload)) : { problem, lacksKey: true }
}

/** Why a token may not be used now: a part of a sentence; undefined where it may. @param nowMs in milliseconds since 1970 */
export function problemOfTime({ notBefore, expires }: TokenTimes, nowMs: number): string | undefined {
  const now = nowMs / 1_000
  if (now >= expires + leewaySeconds) return 'has expired'
  return now < notBefore - leewaySeconds ? 'is not valid yet' : undefined
}

/** What is issued in the future is not valid before that. @param claims undefined where they cannot be read */
export function timesOf(claims: Readonly<Record<string, unknown>> | undefined): TokenJudgement {
  if (claims === undefined) return { problem: 'has claims that cannot be read' }
  const { exp = Number.POSITIVE_INFINITY, nbf = 0, iat = 0 } = claims
  if (typeof exp !== 'number' || typeof nbf !== 'number' || typeof iat !== 'number') {
    return { problem: 'has a time that is no number' }
  }
  return { notBefore: Math.max(nbf, iat), expires: exp }
}

function objectIn(base64url: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = Buffer.from(base64url, 'base64url')
  if (!isUtf8(bytes)) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
