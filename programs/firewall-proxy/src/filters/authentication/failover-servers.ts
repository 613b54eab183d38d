/** For how long a server that did not answer is asked after the others. */
const retryAfterMs = 30_000

/** None of a realm's servers answers at the moment. The message is a sentence for the log. */
export class ServersUnavailable extends Error {}

/** Servers that all know the same users: the first that answers decides, and those that failed lately are asked last. */
export class FailoverServers<Server extends { readonly address: string }> {
  readonly #kind: string
  readonly #servers: readonly Server[]
  readonly #awayUntil = new Map<Server, number>()

  /** @param kind what one of them is, in a sentence: "directory" */
  constructor(kind: string, servers: readonly Server[]) {
    this.#kind = kind
    this.#servers = servers
  }

  /**
   * The answer of the first server that gives one.
   *
   * @param now in milliseconds
   * @param isAsked which servers may be asked; all of them when left out
   * @throws ServersUnavailable with the failure of each
   */
  async firstAnswer<Answer>(
    now: () => number,
    ask: (server: Server) => Promise<Answer>,
    isAsked: (server: Server) => boolean = () => true,
  ): Promise<Answer> {
    const isAway = (server: Server) => (this.#awayUntil.get(server) ?? 0) > now()
    const inTurn = this.#servers
      .filter(isAsked)
      .toSorted((one, other) => Number(isAway(one)) - Number(isAway(other)))
    const problems: string[] = []
    for (const server of inTurn) {
      try {
        const answer = await ask(server)
        this.#awayUntil.delete(server)
        return answer
      } catch (error) {
        this.#awayUntil.set(server, now() + retryAfterMs)
        problems.push(`${server.address}: ${reasonOf(error)}`)
      }
    }
    throw new ServersUnavailable(`No ${this.#kind} can be asked (${problems.join('; ')}).`)
  }
}

function reasonOf(error: unknown): string {
  const { code, message, name } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : (message || name).slice(0, 200)
}
