import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort } from '../firewall/proxy.ts'

/** A real name server for names that end in .example; what it knows can be changed. */
export class NameServer {
  readonly port: number
  #process: ChildProcess | undefined

  private constructor(port: number) {
    this.port = port
  }

  static async start(): Promise<NameServer> {
    const server = new NameServer(await freePort())
    await server.serve([])
    return server
  }

  /** @param records TXT records, each "name,value" */
  async serve(records: readonly string[]): Promise<void> {
    await this.stop()
    const child = spawn(
      '/usr/sbin/dnsmasq',
      [
        ...['--no-daemon', '--conf-file=/dev/null', '--no-resolv', '--no-hosts', '--bind-interfaces'],
        ...['--listen-address=127.0.0.1', `--port=${this.port}`, '--local=/example/'],
        ...records.map((record) => `--txt-record=${record}`),
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#process = child
    for await (const line of createInterface({ input: child.stderr })) {
      if (line.includes('started, version')) break
    }
    assert.equal(child.exitCode, null, 'dnsmasq runs')
  }

  async stop(): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null) return
    child.kill()
    await once(child, 'exit')
  }
}
