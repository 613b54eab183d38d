import { byName, isOn } from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import { service } from '../services/service.ts'

const section = 'exception-profiling'

/** How many requests it takes; where exception profiling is off, as many as for the level that takes most. */
const requests = byName<number>({ High: 3, Medium: 10, Low: 30 }, 30)

/** Not for proxies: it decides which exceptions are proposed. */
export const exceptionProfilingReader = sectionReader(service, section, {
  requests: ['exception-profiling-level', requests],
  trustsHosts: ['exception-profiling-learn-from-trusted-host', isOn],
})

/** The group whose requests count as trusted when exceptions are proposed: one at most. */
export const exceptionProfilingTrustedHosts = sectionReferenceReader(
  service,
  section,
  'exception-profiling-trusted-host-group',
)
