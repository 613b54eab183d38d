import type { SnapshotDenial, SnapshotPage } from '@palisade/proxy-protocol'
import { encodedAddress, hostOf, pathOf } from '../exchange/address.ts'
import type { Answer } from '../exchange/answer.ts'
import { escapedHtml } from '../exchange/escaped-html.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** How a refused client is answered, as an administrator wants it. */
export class DenialAnswer {
  readonly #denial: SnapshotDenial

  constructor(denial: SnapshotDenial) {
    this.#denial = denial
  }

  /** @param attack the name of what the request is refused for */
  answer(exchange: Exchange, attack: string): Answer {
    const denial = this.#denial
    switch (denial.kind) {
      case 'close':
        return { status: 403, resets: true }
      case 'page':
        return pageAnswer(denial.page, exchange, attack)
      case 'redirect':
        return {
          status: denial.status,
          headers: { location: locationOf(denial.location, exchange), 'cache-control': 'no-store' },
        }
    }
  }
}

/** A page with what is known of the request in the place of its variables. */
export function pageAnswer(
  { status, headers, body }: SnapshotPage,
  exchange: Exchange,
  attack: string,
): Answer {
  const type =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'text/html'
  const escaped = escapeFor(type)
  const values: Readonly<Record<string, string>> = {
    'action-id': exchange.id,
    'attack-name': attack,
    'attack-time': new Date(exchange.runtime.now()).toISOString(),
    'client-ip': exchange.clientAddress,
    host: hostOf(exchange),
    'log-id': exchange.id,
    s: addressOf(exchange),
  }
  const filled = body.replace(variables, (_, name: string) => escaped(values[name] ?? ''))
  return { status, headers, body: filled }
}

const variables = /%(action-id|attack-name|attack-time|client-ip|host|log-id|s)(?![\w-])/g

/** What clients sent must stay text in a page. */
function escapeFor(contentType: string): (text: string) => string {
  if (/json/i.test(contentType)) return (text) => JSON.stringify(text).slice(1, -1)
  return escapedHtml
}

function locationOf(location: string, exchange: Exchange): string {
  if (location === '%s') return addressOf(exchange)
  return location === '%b' ? `${originOf(exchange)}/` : encodedAddress(location)
}

function addressOf(exchange: Exchange): string {
  return `${originOf(exchange)}${pathOf(exchange.request.url ?? '/')}`
}

/** A host that is none is left out: it must not lead elsewhere. */
function originOf(exchange: Exchange): string {
  const host = hostOf(exchange)
  return /^[\w.:[\]-]+$/.test(host) ? `http${exchange.isSecure ? 's' : ''}://${host}` : ''
}
