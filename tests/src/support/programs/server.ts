import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Program, palisadeCommand } from './program.ts'

/** Who may do what on the servers of these tests. */
export const provisioned = {
  log: { level: 'info' },
  firewall: {
    listen: { http: 0, https: 0 },
    // Tests about proxies start their own.
    runProxy: false,
    administrators: [{ username: 'admin', password: 'correct horse', role: 'admin' }],
  },
  services: { listen: { http: 0, https: 0 } },
  awareness: {
    users: [
      { username: 'api@example.org', password: 'battery staple', permissions: ['campaigns', 'results'] },
    ],
    apiKeys: [{ key: 'KEY-1', username: null, allowedAddresses: [] }],
    campaigns: [{ id: 7, name: 'Spring', status: 'Completed' }],
  },
  backup: {
    accounts: [{ id: 'acme', computers: [{ id: '0001', name: 'files01', enrolmentKey: 'enrol-me' }] }],
    apiClients: [
      {
        clientId: 'automation',
        clientSecret: 'backup secret',
        accounts: ['acme'],
        scopes: ['computers_read', 'computers_write'],
      },
    ],
  },
  email: {
    accounts: [
      {
        id: '5584599',
        name: 'Example',
        region: 'US',
        domains: [{ id: 4, name: 'example.org', status: 'VERIFIED', type: 'ESS' }],
      },
    ],
    apiClients: [
      {
        clientId: 'automation',
        clientSecret: 'email secret',
        accounts: ['5584599'],
        scopes: ['ess:account:read', 'ess:account:write'],
      },
    ],
  },
}

/** The same, with a vault that is looked over every second, of which everything is freed that no revision needs. */
export const provisionedWithUpkeep = {
  ...provisioned,
  backup: {
    ...provisioned.backup,
    upkeep: {
      lookEverySeconds: 1,
      collectEverySeconds: 1,
      collectAfterDeletionSeconds: 0,
      keepUnneededSeconds: 0,
    },
  },
}

/** Folders that were made and not yet removed. */
const folders: string[] = []

/** A new folder of the test's own, which `cleanUp` removes. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-'))
  folders.push(folder)
  return folder
}

/** Where a program runs: on this machine, or on one of its own (see separate-machines.ts). */
export interface Machine {
  readonly host: string
  /** The command that runs a program there; empty on this one. */
  readonly enter: readonly string[]
}

const thisMachine: Machine = { host: '127.0.0.1', enter: [] }

/** A server process on free ports, with a folder for its configuration and data. */
export class Server {
  readonly program: Program
  readonly folder: string
  readonly #configuration: Partial<typeof provisioned>
  readonly #machine: Machine
  #ports = { firewall: { http: 0, https: 0 }, services: { http: 0, https: 0 } }

  private constructor(
    folder: string,
    program: Program,
    configuration: Partial<typeof provisioned>,
    machine: Machine,
  ) {
    this.folder = folder
    this.program = program
    this.#configuration = configuration
    this.#machine = machine
  }

  /** Starts a server and waits until it is ready. The same folder again means the same installation. */
  static async start(
    folder = newFolder(),
    configuration: object = provisioned,
    machine = thisMachine,
  ): Promise<Server> {
    const file = writeConfiguration(folder, configuration)
    const program = new Program(['serve', '--config', file], {}, undefined, palisadeCommand(machine.enter))
    const server = new Server(folder, program, configuration, machine)
    const [line] = await server.program.line(/^\{.*"msg":"ready"\}$/)
    server.#ports = JSON.parse(line).ports
    return server
  }

  /** Starts one in the place of this one, which has ended: the same installation on the same ports. */
  again(): Promise<Server> {
    const configuration = {
      ...this.#configuration,
      firewall: { ...provisioned.firewall, ...this.#configuration.firewall, listen: this.ports.firewall },
      services: { listen: this.ports.services },
    }
    return Server.start(this.folder, configuration, this.#machine)
  }

  /** Has it read another configuration while it runs. @throws Error with what the command says when it is not applied */
  async reload(configuration: object): Promise<void> {
    const file = writeConfiguration(this.folder, configuration)
    const program = new Program(['config', 'reload', file])
    const { status } = await program.ended()
    if (status !== 0) throw new Error(program.output)
  }

  get dataDirectory(): string {
    return join(this.folder, 'data')
  }

  get ports() {
    return this.#ports
  }

  /** {scheme}://{host}:{port} of the firewall's management. */
  get firewall(): string {
    return `http://${this.#machine.host}:${this.#ports.firewall.http}`
  }

  /** Where awareness, backup and email lie. */
  get services(): string {
    return `http://${this.#machine.host}:${this.#ports.services.http}`
  }

  /** Ends the server and removes its folder. */
  async remove(): Promise<void> {
    await this.program.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function writeConfiguration(folder: string, configuration: object): string {
  const file = join(folder, 'palisade.json')
  const text = JSON.stringify({ dataDirectory: join(folder, 'data'), ...configuration })
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

/** Ends every program and removes every folder that a test left behind; for a file's `after`. */
export async function cleanUp(): Promise<void> {
  await Program.stopAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
