/** For how long a server that was away is asked after the others. */
const awayMs = 30_000

/** No server of a realm can be asked at the moment. The message is a sentence for the log. */
export class ServersAway extends Error {}

/** Servers of which each knows the same users: the first that answers is believed. */
export class ServersInTurn<Server extends { readonly address: string }> {
  readonly #called: string
  readonly #servers: readonly Server[]
  readonly #awayUntil = new Map<Server, number>()

  /** @param called what one of them is, in a sentence */
  constructor(called: string, servers: readonly Server[]) {
    this.#called = called
    this.#servers = servers
  }

  /**
   * What the first server says that can be asked.
   *
   * @param now in milliseconds
   * @param isAsked all of them when left out
   * @throws ServersAway with what each has failed with
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
        this.#awayUntil.set(server, now() + awayMs)
        problems.push(`${server.address}: ${reasonOf(error)}`)
      }
    }
    throw new ServersAway(`No ${this.#called} can be asked (${problems.join('; ')}).`)
  }
}

function reasonOf(error: unknown): string {
  const { code, message, name } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : (message || name).slice(0, 200)
}
