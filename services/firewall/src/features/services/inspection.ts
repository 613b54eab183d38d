import type { SnapshotInspection } from '@palisade/proxy-protocol'
import { isNotOff, text } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { referenceReader, sectionReferenceReader } from '../../objects/reference-reader.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from './service.ts'

/** Whether the traffic of a service is inspected at all; unless it says otherwise, it is. */
export const inspectionSwitch = sectionReader(service, 'advanced-configuration', {
  isInspected: ['enable-web-application-firewall', isNotOff],
})

/** Blocks where the mode is "Active", only logs with every other one; {@link inspectionMode} puts it together. */
export const inspectionModeReader = sectionReader(service, 'basic-security', { mode: ['mode', text] })

/** What holds while a service is inspected, in either mode. */
export const inspectionDetails = sectionReader(service, 'basic-security', {
  /** Whether URLs and names of parameters fit rules in any case. */
  ignoresCase: ['ignore-case', isNotOff],
  /** The least grave severity that is logged, as syslog numbers them: 0 to 7. */
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

/** How the requests to a service are inspected. */
export type SnapshotInspectionDetails = Settings<typeof inspectionDetails>
