import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const apacheProgram = '/usr/sbin/apache2'
export const apacheModules = '/usr/lib/apache2/modules'

/** Whether Apache with ModSecurity 2 is installed. */
export function hasApache(): boolean {
  return existsSync(apacheProgram) && existsSync(join(apacheModules, 'mod_security2.so'))
}

/** What Apache made of a request. */
export interface ApacheAnswer {
  /** Undefined when it closed the connection without an answer. */
  readonly status: number | undefined
  /** Its log, in order, one for each match. */
  readonly matches: readonly ApacheMatch[]
}

/** A line of Apache's log that a rule wrote. */
export interface ApacheMatch {
  readonly ruleId: number
  /** `msg` and `logdata`, as byte strings. */
  readonly message: string
  readonly data: string
}

/** Apache with ModSecurity 2 and some rules, on a free port of the loopback. */
export class Apache {
  readonly #folder = mkdtempSync(join(tmpdir(), 'apache-'))
  readonly #rules: string
  #process: ChildProcess | undefined
  #exited: Promise<unknown> | undefined
  #port = 0

  /** @param rules directives of ModSecurity, `Include` among them */
  constructor(rules: string) {
    this.#rules = rules
  }

  async start(): Promise<void> {
    // Apache cannot be asked for any free port; one that was free a moment ago nearly always still is.
    this.#port = await freePort()
    // The server's children run as another user.
    chmodSync(this.#folder, 0o755)
    writeFileSync(join(this.#folder, 'index.html'), 'hello\n')
    writeFileSync(join(this.#folder, 'apache.conf'), this.#configuration())
    const options = ['-d', this.#folder, '-f', join(this.#folder, 'apache.conf'), '-DFOREGROUND']
    // When it ends, Apache sends a signal to its whole process group: it must have one of its own.
    this.#process = spawn(apacheProgram, options, { stdio: 'ignore', detached: true })
    this.#exited = once(this.#process, 'exit')
    await this.#untilOpen()
  }

  /** Ends the server, if it runs, and removes its files. */
  async stop(): Promise<void> {
    await this.#end()
    rmSync(this.#folder, { recursive: true })
  }

  /**
   * Sends requests one after another and ends the server, since only then all lines are in the log; that tells the requests
   * apart by the loopback address from which each came.
   */
  async answers(requests: readonly Buffer[]): Promise<readonly ApacheAnswer[]> {
    const statuses: (number | undefined)[] = []
    for (const [number, request] of requests.entries())
      statuses.push(await this.#send(request, addressOf(number)))
    await this.#end()
    const matches = this.#loggedMatches()
    return statuses.map((status, number) => ({ status, matches: matches.get(addressOf(number)) ?? [] }))
  }

  async #end(): Promise<void> {
    this.#process?.kill('SIGTERM')
    await this.#exited
  }

  /** By the address of the client. */
  #loggedMatches(): ReadonlyMap<string, readonly ApacheMatch[]> {
    const matchesByAddress = new Map<string, ApacheMatch[]>()
    for (const line of readFileSync(join(this.#folder, 'error.log'), 'latin1').split('\n')) {
      const address = /\[client ([\d.]+):\d+\]/.exec(line)?.[1]
      const id = /\[id "(\d+)"\]/.exec(line)?.[1]
      // A pattern that gave up is no match.
      if (address === undefined || id === undefined || line.includes('PCRE limits exceeded')) continue
      const matches = matchesByAddress.get(address) ?? []
      matches.push({ ruleId: Number(id), message: textIn(line, 'msg'), data: textIn(line, 'data') })
      matchesByAddress.set(address, matches)
    }
    return matchesByAddress
  }

  /** The status of the answer. */
  async #send(request: Buffer, localAddress: string): Promise<number | undefined> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress })
    await once(socket, 'connect')
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
    })
    // A reset is an answer too: the server had enough.
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.end(request)
    await closed
    const status = /^HTTP\/\S+ (\d{3})/.exec(answer)?.[1]
    return status === undefined ? undefined : Number(status)
  }

  async #untilOpen(): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const socket = connect(this.#port, '127.0.0.1')
      const isOpen = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'close').then(() => false),
      ]).catch(() => false)
      socket.destroy()
      if (isOpen) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('Apache did not open its port within 5 seconds')
  }

  #configuration(): string {
    const loaded = ['mpm_prefork', 'authz_core', 'dir', 'mime', 'unique_id', 'security2']
    return `
      ServerRoot ${this.#folder}
      Listen 127.0.0.1:${this.#port}
      ServerName localhost
      PidFile ${this.#folder}/pid
      ErrorLog ${this.#folder}/error.log
      DocumentRoot ${this.#folder}
      ${loaded.map((name) => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`).join('\n')}
      User nobody
      Group nogroup
      TypesConfig /etc/mime.types
      StartServers 1
      MaxRequestWorkers 1
      KeepAlive Off
      Timeout 2
      <Directory />
        Require all granted
      </Directory>
      FallbackResource /index.html
      ${this.#rules}
      SecAuditEngine Off
    `
  }
}

/** A text of a log line: ModSecurity escapes it, and then Apache escapes the line. */
function textIn(line: string, name: string): string {
  const escaped = new RegExp(` \\[${name} "((?:[^"\\\\]|\\\\.)*)"\\]`).exec(line)?.[1] ?? ''
  return unescapeLog(unescapeLog(escaped))
}

const namedEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v' }

function unescapeLog(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|([\\"nrtbv]))/g,
    (_, digits: string | undefined, letter: string) =>
      digits === undefined
        ? (namedEscapes[letter] ?? letter)
        : String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

function addressOf(number: number): string {
  return `127.1.${number >> 8}.${number & 255}`
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const closed = once(server, 'close')
  server.close()
  await closed
  return typeof address === 'object' && address !== null ? address.port : 0
}
