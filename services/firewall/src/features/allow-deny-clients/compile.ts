import type { SnapshotCertificateRule } from '@palisade/proxy-protocol'
import { byName, isNotOff, number, text, textIfGiven } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { allowOrDenyClient } from './fields.ts'

/** Parts of the name of a certificate's subject, by their short names of X.520. */
export const certificateSubjectReader = fieldReader(allowOrDenyClient, {
  CN: ['common-name', textIfGiven],
  OU: ['organizational-unit', textIfGiven],
  O: ['organization', textIfGiven],
  L: ['locality', textIfGiven],
  ST: ['state', textIfGiven],
  C: ['country', textIfGiven],
})

/** What a rule for certificates says but for the subject; undefined where it is switched off. */
export const certificateRuleReader = whenOn(
  fieldReader(allowOrDenyClient, {
    isOn: ['status', isNotOff],
    sequence: ['sequence', number],
    does: ['action', byName({ Deny: 'deny' }, 'allow')],
    /** Hexadecimal, without colons and leading zeros, upper case; absent for any. */
    serial: ['certificate-serial', serialOf],
  }),
)

/** In hexadecimal digits without zeros before them; undefined for none. */
function serialOf(written: Value | undefined): string | undefined {
  const digits = text(written).replace(/[:\s]/g, '').replace(/^0+/, '').toUpperCase()
  return digits === '' ? undefined : digits
}

/** The rules of a service for clients with certificates; undefined when there are none. */
export function compileCertificateRules(service: ConfigurationObject): SnapshotCertificateRule[] | undefined {
  const rules = childrenOf(service, allowOrDenyClient.name)
    .flatMap((object) => certificateRule(object) ?? [])
    .toSorted((one, other) => one.sequence - other.sequence)
    .map(({ sequence: _, ...rule }) => rule)
  return rules.length === 0 ? undefined : rules
}

function certificateRule(object: ConfigurationObject) {
  const read = certificateRuleReader.of(object)
  return read && { name: object.name, ...read, subject: certificateSubjectReader.of(object) }
}

/** What a rule for certificates says itself. */
export type SnapshotCertificateRuleSettings = Omit<Settings<typeof certificateRuleReader>, 'sequence'>
