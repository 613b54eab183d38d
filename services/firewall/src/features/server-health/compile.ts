import type { SnapshotHealth, SnapshotProbe } from '@palisade/proxy-protocol'
import { isOn, items, number, numberOr, text, textIfGiven } from '../../kinds/conversions.ts'
import { type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { optional } from '../../objects/reading.ts'
import { ruleGroupServer } from '../content-rules/rule-group-server.ts'
import { server } from '../servers/server.ts'

const servers = [server, ruleGroupServer] as const

/** Failures in the traffic. */
export const countedFailures = sectionReader(servers, 'in-band-health-checks', {
  /** Failures one after the other, 0 for not counting them. */
  refusedMax: ['max-refused', number],
  timeoutsMax: ['max-timeout-failure', number],
  httpErrorsMax: ['max-http-errors', number],
  otherFailuresMax: ['max-other-failure', number],
})

/** How often a server is probed; undefined where it is not. */
export const probeInterval = whenOn(
  sectionReader(servers, 'out-of-band-health-checks', {
    isOn: ['enable-oob-health-checks', isOn],
    everySeconds: ['interval', numberOr(10)],
  }),
)

/** The request of a probe, and what its answer has to be. Without a path, only a connection is opened. */
export const probeRequest = sectionReader(servers, 'application-layer-health-checks', {
  path: ['url', textIfGiven],
  method: ['method', text],
  host: ['domain', textIfGiven],
  headers: ['additional-headers', headers],
  status: ['status-code', numberOr(200)],
  contains: ['match-content-string', textIfGiven],
})

/** When a server is taken out of service by itself. */
export function compileHealth(object: ConfigurationObject): SnapshotHealth {
  const interval = probeInterval.of(object)
  return { ...countedFailures.of(object), ...optional('probe', interval && probe(object, interval)) }
}

function probe(object: ConfigurationObject, interval: Pick<SnapshotProbe, 'everySeconds'>): SnapshotProbe {
  const { path, ...request } = probeRequest.of(object)
  return path === undefined ? interval : { ...interval, request: { path, ...request } }
}

/** Names and values in turn; lines that are something else are left out. */
function headers(value: Value | undefined): string[] {
  return items(value).flatMap((line) => {
    const [, name, of] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []
    return name === undefined || of === undefined ? [] : [name, of]
  })
}

/** After how many failures in the traffic a server is passed over. */
export type SnapshotFailureLimits = Settings<typeof countedFailures>
