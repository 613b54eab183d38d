import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'

/** What somebody gets who opens an address. */
export interface Visited {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly location: string
  readonly setCookies: readonly string[]
  readonly body: string
}

/** As much of a browser as logging in needs: it keeps the cookies of each origin, and goes where it is told to. */
export class Visitor {
  readonly #jars = new Map<string, Map<string, string>>()
  /** Sent with every request. */
  readonly headers: Record<string, string>

  constructor(headers: Record<string, string> = {}) {
    this.headers = headers
  }

  /** Opens one address, and follows nothing. @param form sent by POST, as browsers send forms */
  async open(
    address: string,
    { form, method, path, headers = {}, connection }: VisitOptions = {},
  ): Promise<Visited> {
    const url = new URL(address)
    const jar = this.cookiesOf(url.origin)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = request(url, {
      method: method ?? (form === undefined ? 'GET' : 'POST'),
      ...(connection === undefined ? { agent: false } : { createConnection: () => connection }),
      ...(path === undefined ? {} : { path }),
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...this.headers,
        ...headers,
      },
    })
    sent.end(form === undefined ? undefined : new URLSearchParams(form).toString())
    const [response]: IncomingMessage[] = await once(sent, 'response')
    if (response === undefined) throw new Error('no answer came')
    const setCookies = response.headers['set-cookie'] ?? []
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece)
    const { location = '' } = response.headers
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      location: location === '' ? '' : new URL(location, url).href,
      setCookies,
      body: Buffer.concat(pieces).toString('utf8'),
    }
  }

  /** Opens an address and everything that it leads to. */
  async follow(address: string, options: VisitOptions = {}): Promise<Visited> {
    let visited = await this.open(address, options)
    for (let hop = 0; visited.location !== '' && hop < 10; hop++) visited = await this.open(visited.location)
    return visited
  }

  /** The cookies of an origin, which may be changed. */
  cookiesOf(origin: string): Map<string, string> {
    const jar = this.#jars.get(origin) ?? new Map<string, string>()
    this.#jars.set(origin, jar)
    return jar
  }
}

interface VisitOptions {
  readonly form?: Readonly<Record<string, string>>
  readonly method?: string
  /** In the place of that of the address, written as it is. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Over which it is asked, rather than a new one; closed afterwards. */
  readonly connection?: Socket
}
