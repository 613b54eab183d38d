import type { SnapshotCookieSecurity, SnapshotKey } from '@palisade/proxy-protocol'
import {
  byName,
  isOn,
  lowerCaseTexts,
  number,
  secondsOfMinutes,
  text,
  texts,
} from '../../kinds/conversions.ts'
import { type Settings, sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

/** How a policy seals the cookies of servers, and what it takes of clients that is not sealed. */
export const cookieReader = sectionReader(securityPolicy, 'cookie-security', {
  does: ['tamper-proof-mode', byName({ Encrypted: 'encrypt', Signed: 'sign' }, 'nothing')],
  /** Names of cookies that are left alone; `*` stands for any characters. */
  exempted: ['cookies-exempted', texts],
  /** For how long a sealed cookie is taken, in seconds; 0 for any time. */
  ageMaxSeconds: ['cookie-max-age', secondsOfMinutes],
  binding: ['cookie-replay-protection-type', text],
  headers: ['custom-headers', lowerCaseTexts],
  takesUnsealed: ['allow-unrecognized-cookies', text],
  takesUnsealedDays: ['days-allowed', number],
})

/** Attributes (RFC 6265bis) that cookies get besides their own; `sameSite` is left out where none is added. */
export const addedAttributes = sectionReader(securityPolicy, 'cookie-security', {
  httpOnly: ['http-only', isOn],
  secure: ['secure-cookie', isOn],
  sameSite: ['same-site', byName({ Lax: 'Lax', None: 'None', Strict: 'Strict' }, undefined)],
})

/** How a policy protects cookies; undefined when it does nothing to them. */
export function compileCookieSecurity(
  policy: ConfigurationObject,
  keys: readonly SnapshotKey[],
): SnapshotCookieSecurity | undefined {
  const { binding, headers, takesUnsealed, takesUnsealedDays, ...read } = cookieReader.of(policy)
  const adds = addedAttributes.of(policy)
  if (read.does === 'nothing' && !adds.httpOnly && !adds.secure && adds.sameSite === undefined)
    return undefined
  return {
    keys,
    ...read,
    bindsToAddress: binding.startsWith('IP'),
    bindsToHeaders: binding.endsWith('Custom Headers') ? headers : [],
    ...(takesUnsealed === 'Always'
      ? {}
      : { takesUnsealedDays: takesUnsealed === 'Never' ? 0 : takesUnsealedDays }),
    adds,
  }
}

/** Which cookies are protected, and how. */
export type SnapshotCookieProtection = Omit<
  Settings<typeof cookieReader>,
  'binding' | 'headers' | 'takesUnsealed' | 'takesUnsealedDays'
>

/** The attributes that cookies get. */
export type SnapshotAddedAttributes = Settings<typeof addedAttributes>
