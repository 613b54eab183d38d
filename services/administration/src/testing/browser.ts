import { type ReceivedReply, send } from '@palisade/platform/testing'

/** As much of a browser as signing in needs: it keeps the cookies of each host, and follows redirects where it is told to. */
export class TestBrowser {
  readonly #hosts: ReadonlyMap<string, string>
  readonly #cookies = new Map<string, Map<string, string>>()

  /** @param hosts where the hosts of some origins really are, by origin */
  constructor(hosts: ReadonlyMap<string, string>) {
    this.#hosts = hosts
  }

  /** Opens one address, and follows nothing. */
  async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<ReceivedReply> {
    const { origin, pathname, search } = new URL(url)
    const cookies = this.cookiesOf(origin)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await send(`${this.#hosts.get(origin) ?? origin}${pathname}${search}`, {
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
    })
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }

  /** Opens an address and follows redirects until one leads to `until`, or none comes. */
  async follow(url: string, until: (next: URL) => boolean): Promise<{ reply: ReceivedReply; next: string }> {
    let address = url
    for (let hop = 0; hop < 10; hop++) {
      const reply = await this.open(address)
      const { location } = reply.headers
      const next = location === undefined ? '' : new URL(location, address).href
      if (next === '' || until(new URL(next))) return { reply, next }
      address = next
    }
    throw new Error(`redirects without end, at last to ${address}`)
  }

  /** The cookies of an origin, which may be changed. */
  cookiesOf(origin: string): Map<string, string> {
    const cookies = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, cookies)
    return cookies
  }
}
