import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@palisade/platform/testing'
import { basic, eventually, firewallToken } from '../programs/calls.ts'
import { Program } from '../programs/program.ts'
import { newFolder, type Server } from '../programs/server.ts'

export { freePort }

/** A proxy process that obeys a server, with a folder for its state. */
export class ProxyProcess {
  readonly program: Program
  readonly folder: string

  private constructor(folder: string, program: Program) {
    this.folder = folder
    this.program = program
  }

  /**
   * Starts a proxy and waits until it is ready. The same folder again means the same proxy. It has no spare worker, which takes the
   * processor two seconds, unless its configuration says so.
   *
   * @param more members of its configuration
   * @param environment variables for it and its workers
   */
  static async start(
    server: Server,
    folder = newFolder(),
    more: object = {},
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ProxyProcess> {
    const file = join(folder, 'proxy.json')
    const keyFile = join(server.folder, 'data', 'firewall-proxy.key')
    const own = {
      server: server.firewall,
      keyFile,
      stateDirectory: folder,
      spareWorker: false,
    }
    writeFileSync(file, JSON.stringify({ ...own, ...more }))
    const proxy = new ProxyProcess(folder, new Program(['proxy', '--config', file], environment))
    await proxy.program.line(/"msg":"carrying traffic"/)
    return proxy
  }
}

/**
 * Configuration of a proxy that is to carry traffic and nothing else: one worker does what any number of them do, and a spare one
 * takes the processor two seconds to start.
 */
export const oneWorker = { workers: 1, spareWorker: false } as const

/** Processes of a proxy's workers that have become ready so far, in that order; those that have ended since are among them. */
export function workerPids(proxy: ProxyProcess): number[] {
  return [...proxy.program.output.matchAll(/"workerPid":(\d+),"msg":"a worker is ready"/g)].map(([, pid]) =>
    Number(pid),
  )
}

/** Calls of the firewall's management, with one token. */
export class Management {
  readonly #root: string
  readonly #headers: Record<string, string>

  /**
   * @param root of its addresses, without a slash at the end
   * @param headers with the token
   */
  constructor(root: string, headers: Record<string, string>) {
    this.#root = root
    this.#headers = headers
  }

  static async connect(server: Pick<Server, 'firewall'>): Promise<Management> {
    return new Management(`${server.firewall}/restapi/v3.2`, basic(await firewallToken(server)))
  }

  /** @throws Error with the reply when it is a refusal */
  async call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const reply = await fetch(`${this.#root}/${path}`, {
      method,
      headers: { ...this.#headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return JSON.parse(text)
  }

  /** Has the firewall make a self-signed certificate, with an RSA key of 2048 bits. */
  async makeCertificate(name: string, host: string): Promise<void> {
    await this.call('POST', 'self-signed-certificate', {
      name,
      'common-name': host,
      'country-code': 'DE',
      'key-size': 2048,
    })
  }

  /** A service on loopback with one server behind it. @returns its port */
  async protect(name: string, serverPort: number, more: object = {}): Promise<number> {
    const port = await freePort()
    await this.call('POST', 'services', { name, 'ip-address': '127.0.0.1', port, ...more })
    await this.addServer(name, 'one', serverPort)
    return port
  }

  async addServer(service: string, name: string, port: number): Promise<void> {
    await this.call('POST', `services/${service}/servers`, { name, 'ip-address': '127.0.0.1', port })
  }

  /** Waits until the proxy has taken every change and says of the object what is expected. */
  untilHealth(path: string, status: string, reason = /^/): Promise<true> {
    return eventually(`${path} being ${status}, ${reason}`, async () => {
      const { data } = await this.call('GET', `${path}?category=operational`)
      const [members] = Object.values(data as Record<string, Record<string, string>>)
      const given = members?.['status-reason'] ?? ''
      const isTaken = !given.includes('on its way')
      return isTaken && members?.['operational-status'] === status && reason.test(given) ? true : undefined
    })
  }

  /** The entries of a log that fit, newest first, as soon as there are as many as are waited for. */
  entries(
    log: string,
    fits: (entry: Record<string, string>) => boolean,
    countMin = 1,
  ): Promise<Record<string, string>[]> {
    return eventually(`${countMin} entries in ${log}`, async () => {
      const { data = {} } = await this.call('GET', `${log}?limit=1000`)
      const entries = Object.values(data as Record<string, Record<string, string>>).filter(fits)
      return entries.length < countMin ? undefined : entries
    })
  }
}

const applications: HttpServer[] = []

/** An application to be protected, on a free port of loopback; `cleanUpApplications` ends it. */
export async function application(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  applications.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Ends every application of {@link application}; for a file's `after`. */
export function cleanUpApplications(): void {
  for (const server of applications.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
}
