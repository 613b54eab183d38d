import type { SnapshotCredentialChecks } from '@palisade/proxy-protocol'
import { type Argument, parseJsonBody } from '@palisade/seclang'
import { headerValues } from '../../exchange/headers.ts'
import { formParts, queryParameters } from '../request-protection/request-parts.ts'

/** What a request tries to log in with, as byte strings. Several of either where it says them several times. */
export interface SentCredentials {
  readonly userNames: readonly string[]
  readonly passwords: readonly string[]
}

const jsonLimits = { depthMax: 100, argumentsMax: 10_000 }

/** So many bytes of a form are looked at beside files: as many as of any body. */
const formMax = 16 * 1024 * 1024

/** Those of HTTP Basic authentication (RFC 7617): user names have no colon. */
export function basicCredentials(headers: readonly string[]): SentCredentials {
  const pairs = headerValues(headers, 'authorization').flatMap((value) => {
    const [, encoded] = /^\s*basic\s+(\S+)/i.exec(value) ?? []
    const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('latin1')
    const colon = text.indexOf(':')
    return colon < 0 ? [] : [[text.slice(0, colon), text.slice(colon + 1)] as const]
  })
  return { userNames: pairs.map(([name]) => name), passwords: pairs.map(([, password]) => password) }
}

/**
 * Those in the parameters of an address and of a body. Many applications take a form in the place of JSON, and the other way round, so a body
 * is read as whatever it may be, whatever its type.
 */
export function parameterCredentials(
  target: string,
  headers: readonly string[],
  body: Buffer | undefined,
  { userNameField, passwordField }: SnapshotCredentialChecks,
): SentCredentials {
  const all = [...queryParameters(target, '&'), ...(body ? parametersOf(body, headers) : [])]
  const valuesOf = (field: string) => {
    const fits = nameTest(field)
    return all.filter(({ name, value }) => value !== '' && fits(name)).map(({ value }) => value)
  }
  return { userNames: valuesOf(userNameField), passwords: valuesOf(passwordField) }
}

function parametersOf(body: Buffer, headers: readonly string[]): readonly Argument[] {
  const text = body.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const { parameters } = formParts(body, headers, '&', formMax)
  return /^\s*[[{]/.test(text)
    ? [...parameters, ...(parseJsonBody(text, jsonLimits).arguments ?? [])]
    : parameters
}

/**
 * Whether a parameter is the field that is meant, as lenient applications read names: without case, `user[name]` as `user.name`, and blanks,
 * dots and underscores alike. In JSON a field without a path is meant anywhere.
 */
function nameTest(field: string): (name: string) => boolean {
  const plainField = plainName(Buffer.from(field, 'utf8').toString('latin1'))
  return (name) => {
    const plain = plainName(name)
    return plain === plainField || plain.endsWith(`_${plainField}`)
  }
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\0.*$/s, '')
    .replace(/[\s.[\]_]+/g, '_')
    .replace(/^_+|_+$/g, '')
}
