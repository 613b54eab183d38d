import { Agent, request } from 'node:http'

/** A request that takes longer was lost. */
const answerMaxMs = 30_000

/** One request. @returns its status, or why there was none */
export function get(
  port: number,
  agent: Agent | false,
  path = '/',
  timeoutMs = answerMaxMs,
): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, agent }, (reply) => {
      reply.on('error', (error) => resolve(error.message))
      reply.on('end', () => resolve(reply.statusCode ?? 0)).resume()
    })
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error('no answer')))
    sent.on('error', (error) => resolve(error.message)).end()
  })
}

/** Sends requests over some connections without a break until it is stopped, and counts what came back. */
export class RequestLoad {
  readonly outcomes = new Map<number | string, number>()
  /** The longest time between two answers with status 200, in milliseconds. */
  longestGapMs = 0
  readonly #agent: Agent | false
  readonly #running: Promise<void>[]
  #answeredAt = performance.now()
  #isStopped = false

  /** @param keepsConnections whether each connection serves all requests of its client, or each only one */
  constructor(port: number, clients: number, keepsConnections: boolean) {
    this.#agent = keepsConnections && new Agent({ keepAlive: true, maxSockets: clients })
    this.#running = Array.from({ length: clients }, () => this.#run(port))
  }

  count(outcome: number | string): number {
    return this.outcomes.get(outcome) ?? 0
  }

  get failures(): number {
    return this.outcomes.values().reduce((sum, count) => sum + count, 0) - this.count(200)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#running)
    if (this.#agent) this.#agent.destroy()
  }

  async #run(port: number): Promise<void> {
    while (!this.#isStopped) {
      const outcome = await get(port, this.#agent)
      this.outcomes.set(outcome, this.count(outcome) + 1)
      if (outcome !== 200) continue
      const now = performance.now()
      this.longestGapMs = Math.max(this.longestGapMs, now - this.#answeredAt)
      this.#answeredAt = now
    }
  }
}
