import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface, type Interface } from 'node:readline'

const program = '/usr/sbin/dnsmasq'

/** Why tests that need a name server are left out; false where it is installed. */
export const withoutDnsServer =
  !existsSync(program) && 'dnsmasq is not installed: apt-get install dnsmasq-base'

/** What the server is to know: options of dnsmasq such as `--txt-record=a.example,text`. */
export type Zone = readonly string[]

/** A name server for all that ends in .example, on a free port of the loopback address. Refuses everything else. */
export class DnsServer {
  /** As a configuration names it. */
  readonly address: string
  readonly #port: number
  readonly #questions: string[] = []
  #process: ChildProcess | undefined
  #lines: Interface | undefined

  private constructor(port: number) {
    this.#port = port
    this.address = `127.0.0.1:${port}`
  }

  static async start(zone: Zone = []): Promise<DnsServer> {
    const server = new DnsServer(await freePort())
    await server.serve(zone)
    return server
  }

  /** From now on answers by this zone, and by nothing that it knew before. */
  async serve(zone: Zone): Promise<void> {
    await this.stop()
    const child = spawn(
      program,
      [
        ...['--no-daemon', '--conf-file=/dev/null', '--no-resolv', '--no-hosts', '--bind-interfaces'],
        ...['--listen-address=127.0.0.1', `--port=${this.#port}`, '--local=/example/', '--log-queries'],
        ...zone,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#process = child
    this.#lines = createInterface({ input: child.stderr })
    const started = Promise.withResolvers<void>()
    const questions: string[] = []
    this.#lines.on('line', (line) => {
      questions.push(line)
      if (line.includes('started, version')) started.resolve()
      const [, question] = /query\[(\w+\] \S+) from/.exec(line) ?? []
      if (question !== undefined) this.#questions.push(question.replace(']', ''))
    })
    child.once('exit', () => started.reject(new Error(`dnsmasq ended:\n${questions.join('\n')}`)))
    await started.promise
  }

  /** What was asked so far, such as "TXT a.example". */
  get questions(): readonly string[] {
    return this.#questions
  }

  /** Nobody answers at the address any more, until something is served again. */
  async stop(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill()
    await exited
    this.#lines?.close()
  }
}

/** One that is free over UDP and over TCP: a name server listens at both. */
async function freePort(): Promise<number> {
  for (;;) {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const socket = createSocket('udp4')
    try {
      await once(socket.bind(port, '127.0.0.1'), 'listening')
      return port
    } catch {
      // Somebody else has it over UDP.
    } finally {
      socket.close()
      await new Promise((resolve) => listener.close(resolve))
    }
  }
}
