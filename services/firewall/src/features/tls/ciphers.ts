import { isOn, items, text } from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { service } from '../services/service.ts'

const tls13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']

const modern = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'DHE-RSA-AES128-GCM-SHA256',
  'DHE-RSA-AES256-GCM-SHA384',
]

const old = [
  'DHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-SHA256',
  'ECDHE-RSA-AES128-SHA256',
  'ECDHE-ECDSA-AES256-SHA384',
  'ECDHE-RSA-AES256-SHA384',
  'DHE-RSA-AES128-SHA256',
  'DHE-RSA-AES256-SHA256',
  'AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
  'AES128-SHA256',
  'AES256-SHA256',
]

/** What the presets offer: those of Mozilla's recommendations that are strong enough for the TLS library of our days. */
const presets: Readonly<Record<string, readonly string[]>> = {
  'Factory Preset': [...tls13, ...modern],
  'Mozilla Modern Compatibility': tls13,
  'Mozilla Intermediate Compatibility (Default, Recommended)': [...tls13, ...modern],
  'Mozilla Old Compatibility (Not Recommended, special purpose only)': [...tls13, ...modern, ...old],
}

/** Ciphers whose session keys cannot be found out later: those of TLS 1.3, and those that agree on a key of their own. */
const forwardSecret = /^(TLS_|ECDHE-|DHE-)/

/** What a service says of ciphers; a preset goes before the lists, which count where `ciphers` is "Custom". */
export const cipherReader = sectionReader(service, 'ssl-security', {
  preset: ['ssl-tls-presets', text],
  ciphers: ['ciphers', text],
  isForwardSecret: ['enable-pfs', isOn],
  selected: ['selected-ciphers', items],
  forTls12: ['override-ciphers-tls-1-2', items],
  forTls13: ['override-ciphers-tls-1-3', items],
})

/**
 * The ciphers that a service offers, as OpenSSL names them.
 *
 * @returns undefined for the TLS library's own choice
 */
export function compileCiphers(object: ConfigurationObject): string | undefined {
  const read = cipherReader.of(object)
  const ciphers = presets[read.preset] ?? (read.ciphers === 'Custom' ? customCiphers(read) : [])
  const offered = read.isForwardSecret ? withForwardSecrecy(ciphers) : ciphers
  return offered.length === 0 ? undefined : offered.join(':')
}

/** What overrides the selected ciphers of one version is offered in their place. */
function customCiphers({
  selected,
  forTls12,
  forTls13,
}: ReturnType<typeof cipherReader.of>): readonly string[] {
  const ofTls13 = selected.filter((name) => name.startsWith('TLS_'))
  const ofTls12 = selected.filter((name) => !name.startsWith('TLS_'))
  return [
    ...(forTls13.length > 0 ? forTls13 : ofTls13.length > 0 ? ofTls13 : tls13),
    ...(forTls12.length > 0 ? forTls12 : ofTls12),
  ]
}

function withForwardSecrecy(ciphers: readonly string[]): readonly string[] {
  const remaining = ciphers.filter((name) => forwardSecret.test(name))
  return remaining.length > 0 ? remaining : [...tls13, ...modern]
}
