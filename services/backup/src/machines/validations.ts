import type { DiskFormat, HostAddress } from '@palisade/agent-protocol'
import { type HostQuestions, HostSilent } from '../agents/host-questions.ts'
import type { ComputerId } from '../computer-id.ts'
import type { Host } from '../hosts/host.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { DiskFolder } from '../restore/read-fields.ts'
import { type HostOffer, networkMessages, permissionMessages } from './checks.ts'
import { machineMessages } from './messages.ts'

/**
 * The validations that only an agent can make (reference, section 2.5). Each gives what stands against a restore, in the
 * reference's words. All throw RequestInvalid when the agent cannot be reached.
 */
export class Validations {
  readonly #hosts: Hosts
  readonly #questions: HostQuestions

  constructor(deps: { hosts: Hosts; questions: HostQuestions }) {
    this.#hosts = deps.hosts
    this.#questions = deps.questions
  }

  /** Makes the folder, with all its parents, and tries to write there. */
  async path(computer: ComputerId, folder: DiskFolder): Promise<readonly string[]> {
    return this.#told(async () => {
      const obstacles = await this.#questions.check(computer, { about: 'path', folder: forAgent(folder) })
      return obstacles.map(({ code }) => (isDestinationCode(code) ? code : createFolderFailed))
    })
  }

  async agent(computer: ComputerId, folder: DiskFolder): Promise<readonly string[]> {
    return this.#told(async () => {
      const obstacles = await this.#questions.check(computer, { about: 'agent', folder: forAgent(folder) })
      return obstacles.map(() => machineMessages.agentAccess(folder.path))
    })
  }

  async network(
    computer: ComputerId,
    folder: DiskFolder,
    diskFormat: DiskFormat,
  ): Promise<readonly string[]> {
    return this.#told(async () => {
      const question = { about: 'network', folder: forAgent(folder), diskFormat } as const
      return networkMessages(folder.path, await this.#questions.check(computer, question))
    })
  }

  /** @param known what the host offers, when that was asked just now */
  async permissions(
    computer: ComputerId,
    host: Host,
    folder: DiskFolder,
    known?: HostOffer,
  ): Promise<readonly string[]> {
    const { path } = folder
    try {
      const address = this.#hosts.addressOf(computer, host)
      const offer = known ?? (await this.#questions.describe(computer, address)).offer
      const question = { about: 'permissions', host: address, folder: forAgent(folder) } as const
      const obstacles = await this.#questions.check(computer, question)
      return permissionMessages({ hostId: host.id, path, offer }, obstacles)
    } catch (error) {
      if (!(error instanceof HostSilent)) throw error
      return [machineMessages.permissionsUnknown(host.id, path)]
    }
  }

  /** Whether a machine of this name can be made. */
  async name(computer: ComputerId, host: HostAddress, name: string): Promise<readonly string[]> {
    return this.#told(async () => {
      const isTaken = await this.#questions.check(computer, { about: 'name', host, name })
      return isTaken.length > 0 ? [machineMessages.nameTaken] : []
    })
  }

  /**
   * What a host offers now.
   *
   * @returns an offer, or why there is none
   */
  async offer(
    computer: ComputerId,
    host: Host,
  ): Promise<{ readonly offer: HostOffer } | { readonly obstacle: string }> {
    try {
      const address = this.#hosts.addressOf(computer, host)
      const { offer, unsupported } = await this.#questions.describe(computer, address)
      if (offer !== undefined) return { offer }
      return { obstacle: machineMessages.hostUnusable(unsupported[0]?.message ?? 'it offers nothing') }
    } catch (error) {
      if (!(error instanceof HostSilent)) throw error
      return { obstacle: machineMessages.hostUnusable(error.message) }
    }
  }

  async #told(ask: () => Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof HostSilent)) throw error
      return [machineMessages.agentSilent(error.message)]
    }
  }
}

/** The specification's code for whatever has none of its own ("Destination creation error codes"). */
const createFolderFailed = 'CreateFolderFailed'

function isDestinationCode(code: string): boolean {
  return code === createFolderFailed || /^BackupSetActions_Network\w{1,40}$/.test(code)
}

function forAgent({ path, credentials }: DiskFolder) {
  return credentials === undefined ? { path } : { path, credentials }
}
