import { isIP } from 'node:net'
import type { SnapshotBalancing, SnapshotPersistence } from '@palisade/proxy-protocol'
import {
  byName,
  ifGiven,
  number,
  secondsOfMinutes,
  text,
  textIfGiven,
  textOr,
} from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { optional } from '../../objects/reading.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from '../services/service.ts'

const algorithm = byName<SnapshotBalancing['algorithm']>(
  {
    'Round Robin': 'round-robin',
    'Weighted Round Robin': 'weighted-round-robin',
    'Least Requests': 'least-requests',
  },
  'round-robin',
)

const whenServerFails = byName<SnapshotBalancing['whenServerFails']>({ Error: 'error' }, 'another')

/** "255.255.255.0" and "24" are both 24; what is neither is a mask for single addresses. */
function prefixLength(value: Value | undefined): number {
  const mask = text(value)
  if (isIP(mask) === 4) {
    const bits = mask.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
    return bits.join('').replace(/0.*$/, '').length
  }
  const length = Number(mask)
  return Number.isInteger(length) && length >= 1 && length <= 32 ? length : 32
}

const shared = {
  method: ['persistence-method', text],
  whenServerFails: ['failover-method', whenServerFails],
  idleSeconds: ['persistence-idle-timeout', number],
  prefixLength: ['source-ip-netmask', prefixLength],
  cookie: ['persistence-cookie-name', textOr('persistence')],
  domain: ['persistence-cookie-domain', textIfGiven],
  path: ['persistence-cookie-path', textOr('/')],
  maxAgeSeconds: ['cookie-age', ifGiven(secondsOfMinutes)],
  header: ['header-name', textIfGiven],
  parameter: ['parameter-name', textIfGiven],
} as const

/** How a service spreads requests; which members count depends on `method`, the way of persistence. */
export const balancingReader = sectionReader(service, 'load-balancing', {
  algorithm: ['algorithm', algorithm],
  ...shared,
})

/** The same of a content rule, where one field has another name. */
export const balancingReaderOfContentRule = sectionReader(ruleGroup, 'load-balancing', {
  algorithm: ['lb-algorithm', algorithm],
  ...shared,
})

/** How the requests for a service are spread over its servers. @param key by which cookies name servers */
export function balancingOfService(object: ConfigurationObject, key: string): SnapshotBalancing {
  return balancing(balancingReader.of(object), key)
}

/** The same of the requests for a content rule. */
export function balancingOfContentRule(object: ConfigurationObject, key: string): SnapshotBalancing {
  return balancing(balancingReaderOfContentRule.of(object), key)
}

type Settings = ReturnType<typeof balancingReader.of>

function balancing(settings: Settings, key: string): SnapshotBalancing {
  const { algorithm, whenServerFails } = settings
  const persistence = persistenceOf(settings, key)
  return { algorithm, ...(persistence ? { persistence } : {}), whenServerFails }
}

function persistenceOf(settings: Settings, key: string): SnapshotPersistence | undefined {
  const { method, idleSeconds, prefixLength, cookie: name, header, parameter } = settings
  switch (method) {
    case 'Source IP':
      return { by: 'source-address', prefixLength }
    case 'Cookie Insert': {
      const { path, domain, maxAgeSeconds } = settings
      return {
        by: 'cookie-insert',
        name,
        key,
        path,
        ...optional('domain', domain),
        ...optional('maxAgeSeconds', maxAgeSeconds),
        idleSeconds,
      }
    }
    case 'Cookie Passive':
      return { by: 'cookie-passive', name, idleSeconds }
    case 'HTTP Header':
      return header === undefined ? undefined : { by: 'header', name: header }
    case 'URL Parameter':
      return parameter === undefined ? undefined : { by: 'parameter', name: parameter }
    default:
      return undefined
  }
}
