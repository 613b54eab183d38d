import { type Log, type Problem, type Provisioning, refuseProblems } from '@palisade/platform'
import type { ChallengeListener } from '../challenge-listener.ts'
import type { ListenerMember } from '../closed-ports.ts'
import type { Configuration } from '../configuration/schema.ts'
import type { Listeners } from '../listeners.ts'
import { changedMembers, isReloadable, type ProvisionedPart, provisionedMembers } from './member-changes.ts'
import { FileContents, type NamedFiles } from './named-files.ts'

/** What a reload has done. */
export interface ChangedMembers {
  /** Members that have changed and count now, those among them that name files with other contents than before. */
  readonly applied: readonly string[]
  /** Members that differ from what the server was started with, and count after a restart. */
  readonly needRestart: readonly string[]
}

/** A part of the configuration, and the service that applies it. */
export interface ReloadedPart {
  readonly name: ProvisionedPart
  problems(configuration: Configuration): Promise<readonly Problem[]>
  apply(configuration: Configuration): Promise<void>
  /** The files whose contents are applied. */
  files(configuration: Configuration): NamedFiles
}

/** A part whose service provisions it. */
export function reloadedPart<Name extends ProvisionedPart>(
  name: Name,
  provisioning: Provisioning<Configuration[Name]>,
): ReloadedPart {
  return {
    name,
    problems: (configuration) => provisioning.problems(configuration[name]),
    apply: (configuration) => provisioning.apply(configuration[name]),
    files: (configuration) =>
      Object.fromEntries(
        Object.entries(provisioning.files?.(configuration[name]) ?? {}).map(([member, files]) => [
          `${name}.${member}`,
          files,
        ]),
      ),
  }
}

/**
 * Applies a changed configuration to a server that runs:
 *
 * 1. asks each service what it could not apply, and reads the certificates anew; nothing has changed by then;
 * 2. has each service apply what has changed of its part, or in files that its part names;
 * 3. presents the certificates, answers certificate authorities where is said, opens listeners that could not be opened so far, and logs
 *    as is said.
 *
 * What the file does not change stays as it was changed elsewhere since.
 */
export class Reload {
  readonly #started: Configuration
  /** Where listeners were opened by a reload, by their members. */
  readonly #openedAt = new Map<string, number>()
  readonly #parts: readonly ReloadedPart[]
  readonly #listeners: Listeners
  readonly #challengeListener: ChallengeListener
  readonly #log: Log
  /** What each part has applied. */
  readonly #applied: Map<ProvisionedPart, Configuration>
  /** What the files of each part had in them then. */
  readonly #contents: Map<ProvisionedPart, FileContents>

  constructor(deps: {
    /** What the server was started with. */
    readonly started: Configuration
    readonly parts: readonly ReloadedPart[]
    readonly listeners: Listeners
    readonly challengeListener: ChallengeListener
    readonly log: Log
  }) {
    this.#started = deps.started
    this.#parts = deps.parts
    this.#listeners = deps.listeners
    this.#challengeListener = deps.challengeListener
    this.#log = deps.log
    this.#applied = new Map(deps.parts.map(({ name }) => [name, deps.started]))
    this.#contents = new Map(
      deps.parts.map(({ name, files }) => [name, new FileContents(files(deps.started))]),
    )
  }

  /**
   * Not to be called before the last call has ended.
   *
   * @param next a configuration that is good by itself
   * @throws ConfigurationProblems when it cannot be applied: nothing has changed. Any other error, such as of a database that is away,
   *   may leave a part of it applied; the same call again then applies the rest.
   */
  async apply(next: Configuration): Promise<ChangedMembers> {
    const inStore = await Promise.all(this.#parts.map((part) => part.problems(next)))
    refuseProblems('the server', inStore.flat())
    const certificates = await this.#listeners.readCertificates(next)

    const applied: string[] = []
    for (const part of this.#parts) {
      const before = this.#applied.get(part.name) ?? this.#started
      const own: readonly string[] = provisionedMembers[part.name].map((member) => `${part.name}.${member}`)
      const files = this.#contents.get(part.name)?.look(part.files(next))
      const members = [...changedMembers(before, next), ...(files?.changed ?? [])]
      const changed = new Set(members.filter((member) => own.includes(member)))
      if (changed.size === 0) continue
      await part.apply(next)
      this.#applied.set(part.name, next)
      files?.remember()
      applied.push(...changed)
    }
    await this.#challengeListener.use(next.firewall.acme?.challengeListener)
    applied.push(...this.#listeners.present(certificates).map((name) => `${name}.certificate`))
    if (this.#log.level !== next.log.level) {
      this.#log.level = next.log.level
      applied.push('log.level')
    }
    const ports = portsOf(next)
    for (const member of await this.#listeners.openClosed(next)) {
      this.#openedAt.set(member, ports[member])
      applied.push(member)
    }
    const isOpen = Object.entries(ports).flatMap(([member, port]) =>
      this.#openedAt.get(member) === port ? [member] : [],
    )
    const needRestart = changedMembers(this.#started, next).filter(
      (member) => !isReloadable(member) && !isOpen.includes(member),
    )
    return { applied, needRestart }
  }
}

function portsOf({ firewall, services }: Configuration): Readonly<Record<ListenerMember, number>> {
  return {
    'firewall.listen.http': firewall.listen.http,
    'firewall.listen.https': firewall.listen.https,
    'services.listen.http': services.listen.http,
    'services.listen.https': services.listen.https,
  }
}
