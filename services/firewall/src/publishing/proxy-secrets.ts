import { hkdfSync } from 'node:crypto'
import type { SnapshotKey } from '@palisade/proxy-protocol'

const keySizeBytes = 32

/** How long addresses are encrypted with one key. */
const rotationMs = 7 * 86_400_000

/** How many older keys still decrypt: what was encrypted is good for four weeks at least. */
const olderKeys = 4

/**
 * The keys with which proxies seal what they give to clients: links and cookies. They are derived from the secret of the
 * installation, so that all servers of an installation know the same ones, nothing has to be kept, and no proxy learns what they
 * were derived from.
 */
export class ProxySecrets {
  readonly #installationKey: Buffer
  /** By what they are for. Every change of the configuration needs all of them. */
  readonly #derived = new Map<string, string>()

  constructor(installationKey: Buffer) {
    this.#installationKey = installationKey
  }

  /** Changes whenever other keys are in use. @param now in milliseconds since 1970 */
  period(now: number): number {
    return Math.floor(now / rotationMs)
  }

  /** When the next period begins, in milliseconds since 1970. */
  periodEnd(now: number): number {
    return (this.period(now) + 1) * rotationMs
  }

  /**
   * Keys for links. The first encrypts; besides older ones the next one decrypts, too, for proxies that have not heard of it when
   * others begin to use it.
   */
  urlKeys(now: number): SnapshotKey[] {
    return this.#rotatingKeys(now, 'urls')
  }

  /** Keys for logins, in the same way. */
  loginKeys(now: number): SnapshotKey[] {
    return this.#rotatingKeys(now, 'logins')
  }

  #rotatingKeys(now: number, use: string): SnapshotKey[] {
    const period = this.period(now)
    const older = Array.from({ length: olderKeys }, (_, index) => period - 1 - index)
    return [period, ...older, period + 1].map((number) => ({
      id: number & 0xff,
      secret: this.#ofInstallation(`${use}/${number}`),
    }))
  }

  /** The key for cookies. @param own what administrators have set, as one key for several installations */
  cookieKeys(own: string): SnapshotKey[] {
    const secret = own === '' ? this.#ofInstallation('cookies') : derived(Buffer.from(own), 'cookies')
    return [{ id: 0, secret }]
  }

  /** The key with which proxies name servers in cookies that keep clients with them. */
  persistenceKey(): string {
    return this.#ofInstallation('persistence')
  }

  /** The key with which proxies tell values of requests apart that they learn from. */
  learningKey(): string {
    return this.#ofInstallation('learning')
  }

  #ofInstallation(use: string): string {
    const secret = this.#derived.get(use) ?? derived(this.#installationKey, use)
    this.#derived.set(use, secret)
    return secret
  }
}

function derived(source: Buffer, use: string): string {
  return Buffer.from(hkdfSync('sha256', source, '', `palisade-firewall/${use}`, keySizeBytes)).toString(
    'base64url',
  )
}
