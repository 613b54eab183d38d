import { Agent, request } from 'node:http'

/** Rules find nothing in them. */
const headers = { host: 'shop.example', 'user-agent': 'honest', accept: '*/*' }

/**
 * Asks for something again and again, one request after the other, in turns over a kept connection and over a new one, and notes how
 * long each took and what failed.
 */
export class HonestClient {
  /** Everything but 200 with the expected body, in words. */
  readonly failures: string[] = []
  readonly #latenciesMs: number[] = []
  readonly #kept = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #running: Promise<void>
  #isStopped = false

  /** @param expected what the body has to be */
  constructor(port: number, path: string, expected: string) {
    this.#running = this.#run(port, path, expected)
  }

  get count(): number {
    return this.#latenciesMs.length
  }

  /** The median of what requests took, in milliseconds; of none it is 0. */
  get medianMs(): number {
    const sorted = this.#latenciesMs.toSorted((one, other) => one - other)
    return sorted[Math.floor(sorted.length / 2)] ?? 0
  }

  /** The longest, in milliseconds. */
  get worstMs(): number {
    return Math.max(0, ...this.#latenciesMs)
  }

  /** Ends after the request that is under way, and closes its connection. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
    this.#kept.destroy()
  }

  async #run(port: number, path: string, expected: string): Promise<void> {
    for (let number = 0; !this.#isStopped; number++) {
      const begunAt = performance.now()
      const outcome = await ask(port, path, number % 2 === 0 && this.#kept)
      this.#latenciesMs.push(performance.now() - begunAt)
      if (outcome !== `200 ${expected}`) this.failures.push(outcome.slice(0, 200))
    }
  }
}

/** @returns status and body, or why there were none */
function ask(port: number, path: string, agent: Agent | false): Promise<string> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, agent, headers }, (reply) => {
      let body = ''
      reply.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      reply.on('error', (error) => resolve(error.message))
      reply.on('end', () => resolve(`${reply.statusCode} ${body}`))
    })
    sent.on('error', (error) => resolve(error.message)).end()
  })
}
