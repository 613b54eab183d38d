import type { SnapshotCookieSecurity, SnapshotKey } from '@palisade/proxy-protocol'
import { isOn, lowerCaseTexts, number, secondsOfMinutes, text, texts } from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

export const cookieReader = sectionReader(securityPolicy, 'cookie-security', {
  does: ['tamper-proof-mode', doesOf],
  exempted: ['cookies-exempted', texts],
  ageMaxSeconds: ['cookie-max-age', secondsOfMinutes],
  binding: ['cookie-replay-protection-type', text],
  headers: ['custom-headers', lowerCaseTexts],
  takesUnsealed: ['allow-unrecognized-cookies', text],
  takesUnsealedDays: ['days-allowed', number],
})

/** The attributes that cookies get. */
export const addedAttributes = sectionReader(securityPolicy, 'cookie-security', {
  httpOnly: ['http-only', isOn],
  secure: ['secure-cookie', isOn],
  sameSite: ['same-site', sameSiteOf],
})

const modes: Readonly<Record<string, SnapshotCookieSecurity['does']>> = {
  Encrypted: 'encrypt',
  Signed: 'sign',
  None: 'nothing',
}

function doesOf(mode: Value | undefined): SnapshotCookieSecurity['does'] {
  return modes[text(mode)] ?? 'nothing'
}

const sameSites: Readonly<Record<string, SnapshotCookieSecurity['adds']['sameSite']>> = {
  Lax: 'Lax',
  None: 'None',
  Strict: 'Strict',
}

function sameSiteOf(value: Value | undefined): SnapshotCookieSecurity['adds']['sameSite'] {
  return sameSites[text(value)]
}

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
