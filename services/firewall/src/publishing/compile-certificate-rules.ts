import type { SnapshotCertificateRule } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { numberIn, switchedOn, textIn } from './reading.ts'

/** By the short names of X.520. */
const members = {
  CN: 'common-name',
  OU: 'organizational-unit',
  O: 'organization',
  L: 'locality',
  ST: 'state',
  C: 'country',
}

/** The rules of a service for clients with certificates; undefined when there are none. */
export function compileCertificateRules(service: ConfigurationObject): SnapshotCertificateRule[] | undefined {
  const rules = switchedOn(service, 'allow-or-deny-client')
  if (rules.length === 0) return undefined
  return rules
    .toSorted((one, other) => sequenceOf(one) - sequenceOf(other))
    .map(({ name, content: { values } }) => {
      const serial = textIn(values, 'certificate-serial')
        .replace(/[:\s]/g, '')
        .replace(/^0+/, '')
        .toUpperCase()
      const subject = Object.entries(members).map(
        ([short, member]) => [short, textIn(values, member)] as const,
      )
      return {
        name,
        does: values.action === 'Deny' ? ('deny' as const) : ('allow' as const),
        subject: Object.fromEntries(subject.filter(([, value]) => value !== '')),
        ...(serial === '' ? {} : { serial }),
      }
    })
}

function sequenceOf({ content }: ConfigurationObject): number {
  return numberIn(content.values, 'sequence') ?? 0
}
