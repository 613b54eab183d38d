import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { owner } from '../console/owner.ts'
import { Agent } from '../programs/agent.ts'
import { Program } from '../programs/program.ts'
import { newFolder, provisioned, Server } from '../programs/server.ts'
import { Backups } from './backups.ts'
import { Guest } from './guests.ts'

/** A server, and an agent on a host called "hv01" whose machines are real ones, in QEMU. */
export class MachineHost {
  /** Of the agent. */
  readonly folder = newFolder()
  /** Where the machines are. QEMU's control socket lies in it, whose path must be short. */
  readonly machines = mkdtempSync(join(tmpdir(), 'pm-'))
  #running: { readonly server: Server; readonly agent: Agent; readonly backups: Backups } | undefined

  /**
   * @param flags of the agent, besides those that name the host
   * @param enter the command that runs the agent elsewhere, such as in another namespace
   */
  async start(flags: readonly string[] = [], enter: readonly string[] = []): Promise<void> {
    const server = await Server.start(newFolder(), { ...provisioned, administration: { operators: [owner] } })
    const host = ['--host', `hv01=qemu:${this.machines}`, ...flags]
    const agent = await Agent.start(server, this.folder, host, undefined, {}, enter)
    this.#running = { server, agent, backups: await Backups.connect(server) }
  }

  /** Where the services of its server are. */
  get services(): string {
    return this.#started.server.services
  }

  get server(): Server {
    return this.#started.server
  }

  get agent(): Agent {
    return this.#started.agent
  }

  get backups(): Backups {
    return this.#started.backups
  }

  /** `palisade backup …`, as an operator with credentials calls it. */
  command(name: string, ...argv: readonly string[]): Program {
    return new Program(['backup', name, '--account', 'acme', '--computer', '0001', ...argv], {
      PALISADE_SERVER: this.#started.server.services,
      PALISADE_CLIENT_ID: 'automation',
      PALISADE_CLIENT_SECRET: 'backup secret',
    })
  }

  async stop(): Promise<void> {
    // A test that failed has left its machine, running or not.
    for (const name of readdirSync(this.machines)) {
      const folder = join(this.machines, name)
      if (existsSync(join(folder, 'run', 'qmp'))) await new Guest(folder).end()
    }
    await this.#running?.agent.program.stop()
    await this.#running?.server.remove()
    rmSync(this.machines, { recursive: true, force: true })
  }

  get #started() {
    if (this.#running === undefined) throw new Error('the host was not started')
    return this.#running
  }
}
