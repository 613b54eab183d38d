import type { Behaviour } from '../changes/behaviour.ts'
import { syslogPort } from '../log-export/export-settings.ts'
import type { Content } from '../objects/content.ts'
import { type Destination, type Guarding, refuseForbidden } from './refuse-forbidden.ts'

/** Refuses a receiver of logs where the operator has forbidden it. */
export function syslogServers({ guard }: Guarding): Behaviour {
  return {
    kind: 'syslog-server',
    complete: (change) => refuseForbidden(change, destinationOf, guard()),
  }
}

function destinationOf({ values }: Content): Destination {
  return { member: 'ip-address', host: String(values['ip-address'] ?? ''), port: syslogPort(values) }
}
