import type { SnapshotInspection } from '@palisade/proxy-protocol'
import { isNotOff, text } from '../../kinds/conversions.ts'
import { fieldReader, sectionReader } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { referenceReader, sectionReferenceReader } from '../../objects/reference-reader.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from './service.ts'

export const inspectionSwitch = sectionReader(service, 'advanced-configuration', {
  isInspected: ['enable-web-application-firewall', isNotOff],
})

export const inspectionModeReader = sectionReader(service, 'basic-security', { mode: ['mode', text] })

export const inspectionDetails = sectionReader(service, 'basic-security', {
  ignoresCase: ['ignore-case', isNotOff],
  logLevel: ['web-firewall-log-level', levelOf],
})

/** The security policy of a service: one at most. */
export const policyOfService = sectionReferenceReader(service, 'basic-security', 'web-firewall-policy')

/** Of a content rule: whether it blocks although its service only logs. */
export const contentRuleMode = fieldReader(ruleGroup, {
  isActive: ['mode', (mode: Value | undefined) => mode === 'Active'],
})

/** The security policy of a content rule: one at most. */
export const policyOfContentRule = referenceReader(ruleGroup, 'web-firewall-policy')

/** Whether the requests of a service are inspected, and refused for what is found. */
export function inspectionMode(object: ConfigurationObject): SnapshotInspection['mode'] {
  if (!inspectionSwitch.of(object).isInspected) return 'off'
  return inspectionModeReader.of(object).mode === 'Active' ? 'active' : 'passive'
}

/** "5-Notice" is 5. */
function levelOf(level: Value | undefined): number {
  return Number.parseInt(text(level), 10) || 0
}
