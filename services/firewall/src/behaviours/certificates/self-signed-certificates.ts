import { makeSelfSigned, type NewKey, readCertificate } from '../../certificates/index.ts'
import type { Behaviour, PreparedValues } from '../../changes/behaviour.ts'
import { mergeMembers } from '../../changes/members.ts'
import { text } from '../../kinds/conversions.ts'
import type { Values } from '../../kinds/values.ts'
import { lifeOf } from './facts.ts'
import { naming } from './unacceptable.ts'

/** The longest that browsers take of a certificate that somebody trusts by hand (Apple, since 2019). */
const validityDays = 825

/** Clients whose clocks are behind take a new certificate all the same. */
const clockDifferenceMs = 86_400_000

/** Makes the key and the certificate that the members describe. */
export function selfSignedCertificates(deps: {
  readonly refuseName: NonNullable<Behaviour['refuseName']>
  /** In milliseconds since 1970. */
  readonly now: () => number
}): Behaviour {
  const { refuseName, now } = deps
  return {
    kind: 'self-signed-certificate',
    refuseName,

    async prepare({ before, given, kind, snapshot }): Promise<PreparedValues> {
      if (before) return {}
      const request = mergeMembers(kind.fields.defaults, { values: given, problems: [] }, kind.fields)
      // What is missing is told by the engine's checks.
      if (['name', 'common-name', 'country-code'].some((member) => request[member] === undefined)) return {}
      refuseName([text(request.name)], snapshot)
      const certificate = await naming('san-certificate', () =>
        makeSelfSigned({
          commonName: text(request['common-name']),
          countryCode: text(request['country-code']),
          state: text(request.state),
          city: text(request.city),
          organizationName: text(request['organization-name']),
          organizationalUnit: text(request['organizational-unit']),
          subjectAlternativeNames: [request['san-certificate'] ?? []].flat().map(String),
          key: newKey(request),
          notBefore: validityStart(now()),
          validityDays,
        }),
      )
      return {
        ...lifeOf(readCertificate(certificate.certificatePem)),
        certificate: certificate.certificatePem,
        'private-key': certificate.privateKeyPem,
      }
    },
  }
}

/** When a certificate that is made now begins to be valid. */
export function validityStart(now: number): Date {
  return new Date(now - clockDifferenceMs)
}

/** The fields take the sizes and curves that can be made, and no others. */
function newKey(values: Values): NewKey {
  return values['key-type'] === 'ECDSA'
    ? { type: 'ECDSA', curve: text(values['elliptic-curve-name']) as EllipticCurve }
    : { type: 'RSA', bits: Number(values['key-size']) as KeySize }
}

type EllipticCurve = Extract<NewKey, { type: 'ECDSA' }>['curve']
type KeySize = Extract<NewKey, { type: 'RSA' }>['bits']
