import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { eventually } from '../programs/calls.ts'
import { newFolder } from '../programs/server.ts'
import { freePort } from './proxy.ts'

/** The test authority of Let's Encrypt, and the name server and hosts that go with it. */
export const authorityPrograms = ['/usr/bin/pebble', '/usr/bin/pebble-challtestsrv'] as const

/** An external account that the authority knows. */
export const externalAccount = {
  keyId: 'kid-1',
  hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W',
}

/** A host for which it signs nothing. */
export const refusedHost = 'refused.example'

/** How an authority is to behave. */
export interface GivenAuthority {
  /** Where it looks for proofs over HTTP, and in handshakes. */
  readonly httpPort: number
  readonly tlsPort: number
  /** How long its certificates are good, in seconds. */
  readonly validitySeconds?: number
  readonly requiresExternalAccount?: boolean
}

const children: ChildProcess[] = []

/** Ends what the tests have started. */
export async function cleanUpAuthorities(): Promise<void> {
  await Promise.all(
    children.splice(0).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }),
  )
}

/** An authority on loopback that refuses good nonces at random, with a name server to which every host is loopback. */
export class TestAuthority {
  readonly directory: string
  /** PEM of who has signed the authority's own certificate. */
  readonly caFile: string
  /** A program that sets records in the name server. */
  readonly dnsHook: string
  readonly #rootAddress: string
  readonly #start: (onOutput: (text: string) => void) => ChildProcess
  #child: ChildProcess | undefined
  /** What it has printed. */
  #log = ''

  private constructor(deps: {
    readonly port: number
    readonly managementPort: number
    readonly caFile: string
    readonly dnsHook: string
    readonly start: (onOutput: (text: string) => void) => ChildProcess
  }) {
    this.directory = `https://127.0.0.1:${deps.port}/dir`
    this.#rootAddress = `https://127.0.0.1:${deps.managementPort}/roots/0`
    this.caFile = deps.caFile
    this.dnsHook = deps.dnsHook
    this.#start = deps.start
  }

  static async start(options: GivenAuthority): Promise<TestAuthority> {
    const { httpPort, tlsPort, validitySeconds, requiresExternalAccount = false } = options
    const folder = newFolder()
    const [port, managementPort, dnsPort, hostsPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    const [keyFile, caFile, file] = ['key.pem', 'certificate.pem', 'pebble.json'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '9'],
        ...[
          '-keyout',
          keyFile,
          '-out',
          caFile,
          '-subj',
          '/CN=authority',
          '-addext',
          'subjectAltName=IP:127.0.0.1',
        ],
      ],
      { stdio: 'ignore' },
    )
    const pebble = {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate: caFile,
      privateKey: keyFile,
      httpPort,
      tlsPort,
      ocspResponderURL: '',
      externalAccountBindingRequired: requiresExternalAccount,
      externalAccountMACKeys: { [externalAccount.keyId]: externalAccount.hmacKey },
      domainBlocklist: [refusedHost],
      ...(validitySeconds === undefined ? {} : { certificateValidityPeriod: validitySeconds }),
    }
    writeFileSync(file, JSON.stringify({ pebble }))
    run('/usr/bin/pebble-challtestsrv', [
      ...['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${hostsPort}`],
      ...['-defaultIPv4', '127.0.0.1', '-defaultIPv6', '', '-http01', '', '-https01', '', '-tlsalpn01', ''],
    ])
    const authority = new TestAuthority({
      port,
      managementPort,
      caFile,
      dnsHook: writeHook(folder, hostsPort),
      start: (onOutput) =>
        run(
          '/usr/bin/pebble',
          ['-config', file, '-dnsserver', `127.0.0.1:${dnsPort}`, '-strict'],
          { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '30' },
          onOutput,
        ),
    })
    await authority.again()
    return authority
  }

  /** How many orders were placed since the first start. */
  get orderCount(): number {
    return this.#log.match(/Added order /g)?.length ?? 0
  }

  /** What the authority signs with, PEM. It makes another one at each start. */
  root(): Promise<string> {
    return get(this.#rootAddress, readFileSync(this.caFile, 'utf8'))
  }

  /** Ends it; it forgets everything. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Starts it, at the same addresses as before. */
  async again(): Promise<void> {
    this.#child = this.#start((text) => {
      this.#log += text
    })
    await eventually('the start of the authority', () => this.root().catch(() => undefined))
  }
}

function run(
  program: string,
  argv: readonly string[],
  environment: Record<string, string> = {},
  onOutput?: (text: string) => void,
): ChildProcess {
  const child = spawn(program, argv, {
    stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'ignore'],
    env: { ...process.env, ...environment },
  })
  if (onOutput) child.stdout?.setEncoding('utf8').on('data', onOutput)
  children.push(child)
  return child
}

/** @returns the path of a program that tells the name server which records there are, and notes its calls beside itself */
function writeHook(folder: string, hostsPort: number): string {
  const file = join(folder, 'hook.mjs')
  const program = `#!${process.execPath}
import { appendFileSync } from 'node:fs'
const [action, name, value] = process.argv.slice(2)
appendFileSync(${JSON.stringify(`${file}.calls`)}, [action, name].join(' ') + '\\n')
const path = action === 'set' ? 'set-txt' : 'clear-txt'
const body = JSON.stringify({ host: name + '.', value })
const reply = await fetch('http://127.0.0.1:${hostsPort}/' + path, { method: 'POST', body })
process.exitCode = reply.ok ? 0 : 1
`
  writeFileSync(file, program, { mode: 0o700 })
  return file
}

function get(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      reply.on('error', reject).on('end', () => resolve(text))
    })
    sent.on('error', reject).end()
  })
}
