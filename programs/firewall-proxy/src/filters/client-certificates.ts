import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { SnapshotCertificateRule, SnapshotService } from '@palisade/proxy-protocol'
import { wildcard } from '../patterns/wildcard.ts'
import { denyInEveryMode } from './deny-in-every-mode.ts'
import type { Filter, FilterDescriptor } from './filter.ts'

/**
 * Keeps clients out by the certificate that they show, in every mode. The first rule that fits decides; clients whose certificate
 * fits none come in, and so do clients without one, where the service takes these.
 */
export const clientCertificates: FilterDescriptor = {
  name: 'client-certificates',
  stage: 'arrival',
  isShared: true,
  make: clientCertificatesFilter,
}

function clientCertificatesFilter({ certificateRules = [] }: SnapshotService): Filter | undefined {
  if (certificateRules.length === 0) return undefined
  const rules = certificateRules.map((rule) => ({ rule, fits: certificateTest(rule) }))
  /** What was decided, by connection. */
  const decided = new WeakMap<object, SnapshotCertificateRule | undefined>()
  const ruleFor = (socket: object): SnapshotCertificateRule | undefined => {
    if (decided.has(socket)) return decided.get(socket)
    const certificate = certificateOf(socket)
    const rule = certificate && rules.find(({ fits }) => fits(certificate))?.rule
    decided.set(socket, rule)
    return rule
  }
  return {
    onRequest: (exchange) => {
      const rule = ruleFor(exchange.request.socket)
      if (rule?.does !== 'deny') return undefined
      const detail = 'A rule keeps clients with such certificates out.'
      return denyInEveryMode(exchange, { detail, rule: rule.name })
    },
  }
}

/** The certificate of a client, where it is trusted. Asked of the socket itself: what stands for it in HTTP/2 shows its members and does not list them. */
export function certificateOf(socket: object): X509Certificate | undefined {
  const tlsSocket = socket as Partial<TLSSocket>
  return tlsSocket.authorized === true ? tlsSocket.getPeerX509Certificate?.() : undefined
}

/** Of several values of one attribute, one has to fit. */
function certificateTest({ subject, serial }: SnapshotCertificateRule): (shown: X509Certificate) => boolean {
  const tests = Object.entries(subject).map(([name, value]) => ({ name, fits: wildcard(value) }))
  return (shown) => {
    const attributes = attributesOf(shown)
    const fitsSubject = tests.every(({ name, fits }) =>
      attributes.some(([attribute, value]) => attribute === name && fits(value)),
    )
    return (
      fitsSubject && (serial === undefined || shown.serialNumber.replace(/^0+/, '').toUpperCase() === serial)
    )
  }
}

/** Names and values of a subject, one in each line, a few characters behind a backslash. */
function attributesOf({ subject }: X509Certificate): [name: string, value: string][] {
  return (subject ?? '').split('\n').map((line) => {
    const sign = line.indexOf('=')
    return [line.slice(0, sign), line.slice(sign + 1).replace(/\\(.)/g, '$1')]
  })
}
