import type { Behaviour } from '../changes/behaviour.ts'
import type { Content } from '../objects/content.ts'
import { type Destination, type Guarding, refuseForbidden } from './refuse-forbidden.ts'

/** Refuses to have proxies download the list from where the operator has forbidden it. */
export function customIpBlocklists({ guard }: Guarding): Behaviour {
  return {
    kind: 'custom-ip-blocklist',
    complete: (change) => refuseForbidden(change, destinationOf, guard()),
  }
}

function destinationOf({ values }: Content): Destination {
  const url = URL.parse(String(values['download-url'] ?? ''))
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return { member: 'download-url', host, port: Number(url?.port) || (url?.protocol === 'http:' ? 80 : 443) }
}
