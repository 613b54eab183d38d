import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const palisade = fileURLToPath(new URL('../../../programs/palisade/bin/palisade.js', import.meta.url))

/** Base addresses of a running server. */
export interface Addresses {
  readonly firewall: string
  readonly services: string
}

/** The server and the agent of the tour. */
export class Programs {
  readonly #folder: string
  readonly #running: ChildProcess[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  async startServer(configuration: object): Promise<Addresses> {
    const file = join(this.#folder, 'palisade.json')
    const whole = { dataDirectory: join(this.#folder, 'data'), ...configuration }
    writeFileSync(file, JSON.stringify(whole), { mode: 0o600 })
    const line = await this.#start(['serve', '--config', file], /"msg":"ready"/)
    const { ports } = JSON.parse(line)
    return {
      firewall: `http://127.0.0.1:${ports.firewall.http}`,
      services: `http://127.0.0.1:${ports.services.http}`,
    }
  }

  /** @param image that the agent may read */
  async startAgent(services: string, enrolmentKey: string, image: string): Promise<void> {
    const keyFile = join(this.#folder, 'enrolment-key')
    writeFileSync(keyFile, enrolmentKey, { mode: 0o600 })
    await this.#start(
      [
        ...['agent', '--server', `${services}/backup`, '--account', 'tour', '--computer', '0001'],
        ...['--key-file', keyFile, '--state', join(this.#folder, 'agent')],
        ...['--image', image, '--restore-to', this.#folder],
      ],
      /"msg":"connected/,
    )
  }

  /** Ends the programs, the agent first. */
  async stop(): Promise<void> {
    for (const child of this.#running.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }
  }

  /** Starts a program and waits for the line that says it is there. */
  async #start(argv: readonly string[], ready: RegExp): Promise<string> {
    const child = spawn(process.execPath, [palisade, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#running.push(child)
    const lines: string[] = []
    child.stderr.on('data', (text) => lines.push(String(text)))
    const output = createInterface({ input: child.stdout })
    return new Promise((resolve, reject) => {
      output.on('line', (line) => {
        lines.push(line)
        if (ready.test(line)) resolve(line)
      })
      child.on('exit', (status) => reject(new Error(`${argv[0]} ended with ${status}:\n${lines.join('\n')}`)))
    })
  }
}
