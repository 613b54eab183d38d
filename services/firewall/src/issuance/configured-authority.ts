import { isDeepStrictEqual } from 'node:util'
import type { Attention, Store, TextSeal, WatchedQueue } from '@palisade/platform'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { CertificateOrders, type Listening, type OrderDependencies } from './certificate-orders.ts'
import { Issuance } from './issuance.ts'
import type { ListenerCertificates } from './listener-certificates.ts'
import type { RenewalsDependencies } from './renewals.ts'
import type { AcmeSettings } from './settings.ts'

/** An authority that certificates are obtained from. */
export interface IssuingAuthority {
  readonly issuance: Issuance
  /** The address of its directory. */
  readonly directory: string
}

/** What certificates are obtained with, whichever authority the configuration names. */
export interface ConfiguredAuthorityDependencies
  extends Omit<OrderDependencies, 'settings'>,
    Pick<RenewalsDependencies, 'renewalLookMs'> {
  readonly configuration: LiveConfiguration
  readonly listenerCertificates: ListenerCertificates
  readonly store: Store
  readonly seal: TextSeal
}

/** The authority that the configuration names, which a reload may change. What is under way then ends as it was begun. */
export class ConfiguredAuthority {
  readonly #deps: ConfiguredAuthorityDependencies
  /** Those that were replaced while something was under way. */
  readonly #replaced = new Set<Issuance>()
  #settings: AcmeSettings | undefined
  #current: IssuingAuthority | undefined
  #areListenersOpen = false

  /** Has no authority before {@link use}. */
  constructor(deps: ConfiguredAuthorityDependencies) {
    this.#deps = deps
  }

  /** Undefined while the configuration names none. */
  get current(): IssuingAuthority | undefined {
    return this.#current
  }

  /** Which certificates of services are due. */
  get queue(): WatchedQueue | undefined {
    return this.#current?.issuance.queue
  }

  /** From now on certificates are obtained and renewed so; not at all when undefined. */
  use(settings: AcmeSettings | undefined): void {
    if (isDeepStrictEqual(settings, this.#settings)) return
    const before = this.#current
    this.#settings = settings
    this.#current = settings && {
      issuance: new Issuance({ ...this.#deps, settings }),
      directory: settings.authority.directory,
    }
    if (settings !== undefined) this.#deps.pending.follow()
    if (before !== undefined) void this.#replace(before.issuance)
    if (this.#areListenersOpen) this.#renewListenerCertificates()
  }

  /** Has certificates of listeners obtained and renewed; to be called once they are open. */
  renewListenerCertificates(): void {
    this.#areListenersOpen = true
    this.#renewListenerCertificates()
  }

  /** What could not be renewed. */
  async attention(): Promise<Attention[]> {
    return (await this.#current?.issuance.attention()) ?? []
  }

  /** Breaks off what goes on, and waits for its end. */
  async close(): Promise<void> {
    const all = [...this.#replaced, ...(this.#current ? [this.#current.issuance] : [])]
    await Promise.all(all.map((issuance) => issuance.close()))
  }

  async #replace(issuance: Issuance): Promise<void> {
    this.#replaced.add(issuance)
    await issuance.drain()
    this.#replaced.delete(issuance)
  }

  #renewListenerCertificates(): void {
    const { listenerCertificates, listeners } = this.#deps
    const settings = this.#settings
    if (settings === undefined) {
      listenerCertificates.suspend()
      return
    }
    // A listener that wants a certificate speaks TLS already, by the one that it has meanwhile.
    const ofListeners = (): Listening => ({ ...listeners(), tls: true })
    const ordering = { ...this.#deps, settings }
    const orders = new CertificateOrders({ ...ordering, listeners: ofListeners })
    listenerCertificates.begin({ ...ordering, orders })
  }
}
