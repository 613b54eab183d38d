import type { SnapshotAccessLimits, SnapshotUrlPolicy } from '@palisade/proxy-protocol'
import {
  bytesOfKilobytes,
  isNotOff,
  isOn,
  isPassive,
  number,
  numberOr,
  ranges,
  text,
} from '../../kinds/conversions.ts'
import { fieldReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { inOrder, placeMembers } from '../places/compile.ts'
import { urlPolicy } from './fields.ts'

export const urlPolicyReader = whenOn(
  fieldReader(urlPolicy, {
    isOn: ['status', isNotOff],
    ...placeMembers,
    isPassive: ['mode', isPassive],
    protectsData: ['enable-data-theft-protection', isOn],
  }),
)

export const accessLimitReader = whenOn(
  fieldReader(urlPolicy, {
    isOn: ['enable-bruteforce-prevention', isOn],
    windowSeconds: ['count-window', numberOr(60)],
    counts: ['counting-criterion', countsOf],
    countsFailures: ['enable-count-auth-resp-code', isOn],
    failuresBy: ['count-auth-resp-identifier', text],
    failureText: ['count-auth-resp-text-to-match', text],
    exceptions: ['exception-clients', ranges],
  }),
)

/** Limits for each client; a third point of view would be the client's fingerprint. */
export const limitsOfEachClient = fieldReader(urlPolicy, {
  accesses: ['max-allowed-accesses-per-ip', number],
  failures: ['max-failed-accesses-per-ip', number],
  bandwidthBytes: ['max-bandwidth-per-ip', bytesOfKilobytes],
})

export const limitsOfAllClients = fieldReader(urlPolicy, {
  accesses: ['max-allowed-accesses-from-all-sources', number],
  failures: ['max-failed-accesses-from-all-sources', number],
  bandwidthBytes: ['max-bandwidth-from-all-sources', bytesOfKilobytes],
})

function countsOf(criterion: Value | undefined): SnapshotAccessLimits['counts'] {
  return criterion === 'All Sources' ? 'all-clients' : 'each-client'
}

/** The URL policies of a service, but for those that are switched off, or ask for nothing that is done. */
export function compileUrlPolicies(service: ConfigurationObject): SnapshotUrlPolicy[] {
  const policies = childrenOf(service, urlPolicy.name).flatMap((object) => {
    const read = urlPolicyReader.of(object)
    const limits = accessLimits(object)
    if (read === undefined || !(read.protectsData || limits)) return []
    return { name: object.name, ...read, ...(limits ? { accessLimits: limits } : {}) }
  })
  return inOrder(policies)
}

function accessLimits(object: ConfigurationObject): SnapshotAccessLimits | undefined {
  const read = accessLimitReader.of(object)
  if (read === undefined) return undefined
  const { countsFailures, failuresBy, failureText, ...rest } = read
  const limits = (read.counts === 'all-clients' ? limitsOfAllClients : limitsOfEachClient).of(object)
  const isByText = failuresBy === 'Response Page Text' && failureText !== ''
  return {
    ...rest,
    ...limits,
    failures: countsFailures ? limits.failures : 0,
    ...(isByText ? { failureText } : {}),
  }
}
