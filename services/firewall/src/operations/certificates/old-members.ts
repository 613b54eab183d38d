import type { Body } from '../../changes/members.ts'
import { canonicalSpelling } from '../../kinds/field-set.ts'
import { isShown } from '../../kinds/kind.ts'
import { shownValue } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'

/** What the old address calls members that are called otherwise now, in hyphens. */
const presentNames: Readonly<Record<string, string>> = {
  'curve-type': 'elliptic-curve-name',
  'organization-unit': 'organizational-unit',
  type: 'certificate-type',
  key: 'certificate-key',
  password: 'certificate-password',
  'intermediary-certificate': 'intermediary-certificates',
  'trusted-certificate': 'certificate',
  'trusted-server-certificate': 'certificate',
}

/** Values that have other names now, by the present name of the member. */
const presentValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'certificate-type': { pem: 'PEM Certificate', pkcs12: 'PKCS12 Token', pkcs: 'PKCS12 Token' },
  // No such curve exists; a client offers it in the place of the one that is meant.
  'elliptic-curve-name': { secp512r1: 'secp521r1' },
  'download-type': { pkcs12: 'pkcs' },
}

/**
 * The members of an old request as they are called now.
 *
 * @param members names may come again, as fields of forms do; lists are made of them
 */
export function presentMembers(members: Iterable<readonly [name: string, value: unknown]>): Body {
  const present = new Map<string, unknown>()
  for (const [member, value] of members) {
    const spelt = canonicalSpelling(member)
    const name = presentNames[spelt] ?? spelt
    const earlier = present.get(name)
    present.set(name, earlier === undefined ? presentValue(name, value) : [earlier, value].flat())
  }
  return Object.fromEntries(present)
}

function presentValue(name: string, value: unknown): unknown {
  return typeof value === 'string' ? (presentValues[name]?.[value.toLowerCase()] ?? value) : value
}

/** The types of the old list, of which only the first is known from clients. */
const oldTypes: Readonly<Record<string, string>> = {
  'signed-certificate': 'uploaded_certificate',
  'self-signed-certificate': 'created_certificate',
  'trusted-ca-certificate': 'trusted_certificate',
  'trusted-server-certificate': 'trusted_server_certificate',
}

/** A certificate as the old address shows it: its shown members with underscores, and its type. */
export function oldView({ kind, content }: ConfigurationObject): Body {
  const members = Array.from(kind.fields)
    .filter(({ field }) => isShown(field))
    .map(({ name, field }) => [name.replaceAll('-', '_'), shownValue(field, content.values[name])])
  return { ...Object.fromEntries(members), type: oldTypes[kind.name] }
}
