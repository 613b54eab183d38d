import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServedService } from '@palisade/platform/testing'
import { type ProxySnapshot, proxyAddresses, readSnapshot, snapshotFormat } from '@palisade/proxy-protocol'
import { callAsProxy } from './as-proxy.ts'

/** Takes every snapshot of a management and reports it, as a proxy does that carries nothing. */
export class FakeProxy {
  snapshot: ProxySnapshot | undefined
  readonly #name: string
  readonly #served: ServedService
  readonly #dataDirectory: string
  #isStopped = false

  private constructor(served: ServedService, dataDirectory: string, name: string) {
    this.#served = served
    this.#dataDirectory = dataDirectory
    this.#name = name
  }

  /** Ends with the test; comes again when the management does not answer. */
  static follow(t: TestContext, served: ServedService, dataDirectory: string, name = 'one'): FakeProxy {
    const proxy = new FakeProxy(served, dataDirectory, name)
    t.after(() => proxy.stop())
    void proxy.#run()
    return proxy
  }

  stop(): void {
    this.#isStopped = true
  }

  /** Whether it would answer an authority. */
  hasProof(token: string, keyAuthorization: string): boolean {
    const all = this.snapshot?.challenges?.http ?? []
    return all.some((one) => one.token === token && one.keyAuthorization === keyAuthorization)
  }

  /** The certificate that clients of a service are shown who ask for a host, PEM; that of all others where none is for it. */
  chainOf(service: string, host: string): string | undefined {
    const tls = this.snapshot?.services.find(({ name }) => name === service)?.tls
    const certificates = tls?.domains.find(({ name }) => name === host)?.certificates ?? tls?.certificates
    return certificates?.[0]?.chain
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) await this.#follow().catch(() => pause(100))
  }

  async #follow(): Promise<void> {
    const path = `${proxyAddresses.snapshot}?format=${snapshotFormat}&except=${this.snapshot?.digest ?? ''}`
    const { status, text } = await this.#call(path)
    if (status !== 200) return
    this.snapshot = readSnapshot(text)
    const { version, digest } = this.snapshot
    const report = { proxy: this.#name, version, digest, problem: '', rulesProblem: '', services: [] }
    await this.#call(proxyAddresses.report, report)
  }

  #call(path: string, body?: object) {
    return callAsProxy(this.#served, this.#dataDirectory, path, body)
  }
}
