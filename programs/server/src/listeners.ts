import { X509Certificate } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { Challenges } from '@palisade/acme-challenges'
import {
  type AuditWriter,
  expiryOf,
  type HttpService,
  Listener,
  type Log,
  mountService,
  type OpenApiDocument,
  type RequestMetrics,
  type Scheme,
  type ServerCertificate,
  type ServiceWarning,
  serverCertificate,
  systemClock,
} from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { ClosedPorts, type ListenerMember, type ListenerName } from './closed-ports.ts'
import { acmeMember } from './configuration/certificates.ts'
import type { Configuration } from './configuration/schema.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

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
  /** What certificate authorities are answered. */
  readonly challenges: Challenges
  /** The certificate that was obtained by ACME for a member such as "services.tls.acme"; undefined while there is none. */
  readonly obtained: (member: string) => ServerCertificate | undefined
}

const schemes = ['http', 'https'] as const

interface MountedListener {
  readonly listener: Listener
  services: readonly HttpService[]
  /** Whether its certificate is obtained by ACME, so that nobody has to replace it. */
  readonly isRenewed: boolean
  presented: ServerCertificate
}

/** The listeners of the server, each with its services, and the certificates that they present. */
export class Listeners {
  readonly #deps: ListenersDependencies
  readonly #mounted = new Map<ListenerName, MountedListener>()
  readonly #closed: ClosedPorts
  /** Of all services that are mounted, by their names. */
  readonly documents = new Map<string, OpenApiDocument>()

  constructor(deps: ListenersDependencies) {
    this.#deps = deps
    this.#closed = new ClosedPorts(deps.log, async (name, scheme, at) => {
      const port = await this.#mounted.get(name)?.listener.open(scheme, at, `${name}.listen`)
      if (port === undefined) throw new Error(`${name} is mounted before its ports are opened`)
      await deps.own.add(at.host, [port])
      return port
    })
  }

  /**
   * Opens a listener without which the server is of no use.
   *
   * @returns the ports that were opened
   * @throws Error that names the member whose address, or certificate, cannot be used
   */
  async open(
    name: ListenerName,
    at: Configuration[ListenerName],
    services: readonly HttpService[],
  ): Promise<Record<Scheme, number>> {
    const { listener, presented } = await this.#mount(name, at, services)
    const opened = await listener.listen(at.listen, presented, `${name}.listen`)
    await this.#deps.own.add(at.listen.host, [opened.http, opened.https])
    return opened
  }

  /**
   * Opens a listener, each port now or, where that cannot be, as soon as it can: it is tried again ever more seldom, every half minute at
   * last, and with each {@link openClosed}. Until then {@link warnings} tells of it.
   *
   * @param opened is told of each port that is opened, also of those that are opened now
   * @returns the ports that were opened, or are going to be
   * @throws Error that names the certificate that cannot be used
   */
  async openWhenFree(
    name: ListenerName,
    at: Configuration[ListenerName],
    services: readonly HttpService[],
    opened: (scheme: Scheme, port: number) => void,
  ): Promise<Record<Scheme, number>> {
    const { listener, presented } = await this.#mount(name, at, services)
    listener.present(presented)
    const ports = { http: at.listen.http, https: at.listen.https }
    for (const scheme of schemes) {
      await this.#closed.openWhenFree(name, scheme, at.listen, (port) => {
        ports[scheme] = port
        opened(scheme, port)
      })
    }
    return ports
  }

  /**
   * Has other services answer at a listener's ports from now on, which are mounted. Requests under way are answered by those that
   * they came to.
   */
  async replaceServices(name: ListenerName, services: readonly HttpService[]): Promise<void> {
    const mounted = this.#mounted.get(name)
    if (mounted === undefined) throw new Error(`${name} is mounted before its services are replaced`)
    await mounted.listener.replaceApp((app) => this.#mountServices(app, name, services))
    for (const { name: former } of mounted.services) {
      if (!services.some((service) => service.name === former)) this.documents.delete(former)
    }
    mounted.services = services
  }

  /**
   * Tries to open what could not be opened, where a changed configuration says.
   *
   * @returns the members that say where the ports are that were opened, such as "firewall.listen.http"
   */
  openClosed(configuration: Configuration): Promise<readonly ListenerMember[]> {
    return this.#closed.tryAgain(configuration)
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
    for (const [name, { services, isRenewed }] of this.#mounted) {
      // How a certificate is come by changes with a restart.
      if (isRenewed) continue
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
    return [...this.#mounted].flatMap(([name, open]) => {
      const certificate = certificates.get(name)
      if (certificate === undefined || certificate.cert === open.presented.cert) return []
      open.listener.present(certificate)
      open.presented = certificate
      return [name]
    })
  }

  /** Presents what was obtained by ACME, to whoever connects from now on. */
  presentObtained(): void {
    const obtained = [...this.#mounted.keys()].flatMap((name) => {
      const certificate = this.#deps.obtained(acmeMember(name))
      return certificate === undefined ? [] : [[name, certificate] as const]
    })
    for (const name of this.present(new Map(obtained))) {
      this.#deps.log.info({ listener: `${name}.listen.https` }, 'presents another certificate')
    }
  }

  /** The certificates that are presented now. */
  get presented(): ReadonlyMap<ListenerName, ServerCertificate> {
    return new Map(Array.from(this.#mounted, ([name, { presented }]) => [name, presented]))
  }

  /** Of ports that could not be opened, and of certificates that have expired or will within three weeks. */
  warnings(): readonly ServiceWarning[] {
    const expiring = [...this.#mounted].flatMap(([name, { presented, isRenewed }]) => {
      // That one could not be renewed is told of by whoever renews it.
      if (isRenewed) return []
      const expiry = expiryOf(new X509Certificate(presented.cert).validToDate, systemClock.now())
      if (expiry === undefined) return []
      const message = `The certificate of ${name}.listen.https ${expiry}: replace it, and reload the configuration.`
      return [{ condition: 'certificate-expiry', message }]
    })
    return [...this.#closed.warnings(), ...expiring]
  }

  /** Opens nothing more; whatever was on its way is open or closed by then. */
  endOpening(): Promise<void> {
    return this.#closed.end()
  }

  /** Lets running requests finish, and closes the listeners, the last one first. */
  async close(): Promise<void> {
    await this.endOpening()
    for (const { listener } of [...this.#mounted.values()].reverse()) await listener.close(graceMs)
  }

  /** What the configuration file says goes before what was chosen through a service; that serves until what is to be obtained is there. */
  async #certificateOf(
    name: ListenerName,
    { listen, certificate, tls }: Configuration[ListenerName],
    services: readonly HttpService[],
  ): Promise<ServerCertificate> {
    const obtained = tls && this.#deps.obtained(acmeMember(name))
    if (obtained !== undefined) return obtained
    const configured = certificate && { ...certificate, named: `${name}.certificate` }
    const ofServices = configured
      ? undefined
      : services.map((service) => service.certificate?.()).find((one) => one !== undefined)
    return (
      ofServices ?? serverCertificate(this.#deps.dataDirectory, configured, certificateNames(listen.host))
    )
  }

  /** One listener with its services, and nobody to come to it yet; the envelope of the longest base path answers for an address. */
  async #mount(
    name: ListenerName,
    at: Configuration[ListenerName],
    services: readonly HttpService[],
  ): Promise<MountedListener> {
    const { log, trustedProxies, challenges } = this.#deps
    const presented = await this.#certificateOf(name, at, services)
    if (services.length === 0) throw new Error('a listener needs a service')
    const listener = new Listener({
      log,
      trustedProxies,
      challenges,
      envelopeAt: (path) => serviceAt(this.#mounted.get(name)?.services ?? services, path).envelope,
    })
    await this.#mountServices(listener.app, name, services)
    const mounted = { listener, services, presented, isRenewed: at.tls !== undefined }
    this.#mounted.set(name, mounted)
    return mounted
  }

  async #mountServices(
    app: FastifyInstance,
    name: ListenerName,
    services: readonly HttpService[],
  ): Promise<void> {
    const { metrics, audit } = this.#deps
    // Browsers come here, and pages are told what they may do.
    if (name === 'services') await app.register(helmet)
    for (const service of services) {
      this.documents.set(service.name, await mountService(app, service, metrics, audit))
    }
  }
}

/** The service with the longest base path that an address is below; the shortest is the root. */
function serviceAt(services: readonly HttpService[], path: string): HttpService {
  const byLength = services.toSorted((a, b) => b.basePath.length - a.basePath.length)
  const service = byLength.find(({ basePath }) => path.startsWith(basePath)) ?? byLength.at(-1)
  if (service === undefined) throw new Error('a listener needs a service')
  return service
}

function certificateNames(host: string): string[] {
  return [...new Set(['localhost', '127.0.0.1', '::1', host])].filter(
    (name) => name !== '0.0.0.0' && name !== '::',
  )
}
