import type { SnapshotCookieSecurity, SnapshotKey } from '@palisade/proxy-protocol'
import type { Values } from '../kinds/values.ts'
import { isOn, numberIn, textIn, texts } from './reading.ts'

const secondsPerMinute = 60

const modes: Readonly<Record<string, SnapshotCookieSecurity['does']>> = {
  Encrypted: 'encrypt',
  Signed: 'sign',
  None: 'nothing',
}

const sameSites: Readonly<Record<string, SnapshotCookieSecurity['adds']['sameSite']>> = {
  Lax: 'Lax',
  None: 'None',
  Strict: 'Strict',
}

/**
 * How cookies are protected.
 *
 * @param values of the section `cookie-security` of a policy @returns undefined when nothing is done to them
 */
export function compileCookieSecurity(
  values: Values,
  keys: readonly SnapshotKey[],
): SnapshotCookieSecurity | undefined {
  const does = modes[textIn(values, 'tamper-proof-mode')] ?? 'nothing'
  const sameSite = sameSites[textIn(values, 'same-site')]
  const adds = { httpOnly: isOn(values['http-only']), secure: isOn(values['secure-cookie']) }
  if (does === 'nothing' && !adds.httpOnly && !adds.secure && sameSite === undefined) return undefined
  const binding = textIn(values, 'cookie-replay-protection-type')
  return {
    keys,
    does,
    exempted: texts(values['cookies-exempted']),
    ageMaxSeconds: (numberIn(values, 'cookie-max-age') ?? 0) * secondsPerMinute,
    bindsToAddress: binding.startsWith('IP'),
    bindsToHeaders: binding.endsWith('Custom Headers')
      ? texts(values['custom-headers']).map((header) => header.toLowerCase())
      : [],
    ...takesUnsealed(values),
    adds: { ...adds, ...(sameSite === undefined ? {} : { sameSite }) },
  }
}

function takesUnsealed(values: Values): Pick<SnapshotCookieSecurity, 'takesUnsealedDays'> {
  const allowed = textIn(values, 'allow-unrecognized-cookies')
  if (allowed === 'Always') return {}
  return { takesUnsealedDays: allowed === 'Never' ? 0 : (numberIn(values, 'days-allowed') ?? 0) }
}
