import { X509Certificate } from 'node:crypto'
import helmet from '@fastify/helmet'
import {
  type AuditWriter,
  expiryOf,
  type HttpService,
  Listener,
  type Log,
  mountService,
  type OpenApiDocument,
  type RequestMetrics,
  type ServerCertificate,
  type ServiceWarning,
  serverCertificate,
  systemClock,
} from '@palisade/platform'
import type { Configuration } from './configuration/schema.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

/** The parts of the configuration that say where to listen. */
export type ListenerName = 'firewall' | 'services'

/** Requests have this long to finish when the server is asked to end. */
const graceMs = 7_000

interface ListenersDependencies {
  readonly log: Log
  readonly metrics: RequestMetrics
  readonly dataDirectory: string
  readonly trustedProxies: readonly string[]
  /** Writes down what clients change. */
  readonly audit: AuditWriter
  /** Is told of what is opened. */
  readonly own: OwnEndpoints
}

interface OpenListener {
  readonly listener: Listener
  readonly services: readonly HttpService[]
  presented: ServerCertificate
}

/** The listeners of the server, each with its services, and the certificates that they present. */
export class Listeners {
  readonly #deps: ListenersDependencies
  readonly #open = new Map<ListenerName, OpenListener>()
  /** Of all services that are mounted, by their names. */
  readonly documents = new Map<string, OpenApiDocument>()

  constructor(deps: ListenersDependencies) {
    this.#deps = deps
  }

  /**
   * Opens a listener.
   *
   * @returns the ports that were opened
   * @throws Error that names the member whose address, or certificate, cannot be used
   */
  async open(
    name: ListenerName,
    at: Configuration[ListenerName],
    services: readonly HttpService[],
  ): Promise<{ http: number; https: number }> {
    const { own } = this.#deps
    const presented = await this.#certificateOf(name, at, services)
    const listener = await this.#mount(services, name === 'services')
    this.#open.set(name, { listener, services, presented })
    const opened = await listener.listen(at.listen, presented, `${name}.listen`)
    await own.add(at.listen.host, [opened.http, opened.https])
    return opened
  }

  /**
   * Reads what the listeners would present now by another configuration.
   *
   * @throws FileFailure when a file that it names cannot be used
   */
  async readCertificates(
    configuration: Configuration,
  ): Promise<ReadonlyMap<ListenerName, ServerCertificate>> {
    const certificates = new Map<ListenerName, ServerCertificate>()
    for (const [name, { services }] of this.#open) {
      certificates.set(name, await this.#certificateOf(name, configuration[name], services))
    }
    return certificates
  }

  /**
   * Presents other certificates to whoever connects from now on.
   *
   * @returns the listeners whose certificate is another one than before
   */
  present(certificates: ReadonlyMap<ListenerName, ServerCertificate>): readonly ListenerName[] {
    return [...this.#open].flatMap(([name, open]) => {
      const certificate = certificates.get(name)
      if (certificate === undefined || certificate.cert === open.presented.cert) return []
      open.listener.present(certificate)
      open.presented = certificate
      return [name]
    })
  }

  /** Of certificates that have expired or will within three weeks. */
  warnings(): readonly ServiceWarning[] {
    return [...this.#open].flatMap(([name, { presented }]) => {
      const expiry = expiryOf(new X509Certificate(presented.cert).validToDate, systemClock.now())
      if (expiry === undefined) return []
      const message = `The certificate of ${name}.listen.https ${expiry}: replace it, and reload the configuration.`
      return [{ condition: 'certificate-expiry', message }]
    })
  }

  /** Lets running requests finish, and closes the listeners, the last one first. */
  async close(): Promise<void> {
    for (const { listener } of [...this.#open.values()].reverse()) await listener.close(graceMs)
  }

  /** What the configuration file says goes before what was chosen through a service. */
  async #certificateOf(
    name: ListenerName,
    { listen, certificate }: Configuration[ListenerName],
    services: readonly HttpService[],
  ): Promise<ServerCertificate> {
    const configured = certificate && { ...certificate, named: `${name}.certificate` }
    const chosen = configured
      ? undefined
      : services.map((service) => service.certificate?.()).find((one) => one !== undefined)
    return chosen ?? serverCertificate(this.#deps.dataDirectory, configured, certificateNames(listen.host))
  }

  /**
   * One listener with its services; the envelope of the longest base path answers for an address.
   *
   * @param facesBrowsers whether browsers come here, so that pages are told what they may do
   */
  async #mount(services: readonly HttpService[], facesBrowsers: boolean): Promise<Listener> {
    const { log, trustedProxies, metrics, audit } = this.#deps
    const byLength = [...services].sort((a, b) => b.basePath.length - a.basePath.length)
    const root = byLength.at(-1)
    if (root === undefined) throw new Error('a listener needs a service')
    const listener = new Listener({
      log,
      trustedProxies,
      envelopeAt: (path) => (byLength.find(({ basePath }) => path.startsWith(basePath)) ?? root).envelope,
    })
    if (facesBrowsers) await listener.app.register(helmet)
    for (const service of services) {
      this.documents.set(service.name, await mountService(listener.app, service, metrics, audit))
    }
    return listener
  }
}

function certificateNames(host: string): string[] {
  return [...new Set(['localhost', '127.0.0.1', '::1', host])].filter(
    (name) => name !== '0.0.0.0' && name !== '::',
  )
}
