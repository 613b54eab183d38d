import { type Log, type Problem, type Provisioning, refuseProblems } from '@palisade/platform'
import type { Configuration } from '../configuration/schema.ts'
import type { Listeners } from '../listeners.ts'
import { changedMembers, isReloadable, type ProvisionedPart, provisionedMembers } from './member-changes.ts'

/** What a reload has done. */
export interface Reloaded {
  /** Members that have changed and count now, certificates that were renewed in their files among them. */
  readonly applied: readonly string[]
  /** Members that differ from what the server was started with, and count after a restart. */
  readonly needRestart: readonly string[]
}

/** A part of the configuration, and the service that applies it. */
export interface ReloadedPart {
  readonly name: ProvisionedPart
  problems(configuration: Configuration): Promise<readonly Problem[]>
  apply(configuration: Configuration): Promise<void>
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
  }
}

/**
 * Applies a changed configuration to a server that runs:
 *
 * 1. asks each service what it could not apply, and reads the certificates anew; nothing has changed by then;
 * 2. has each service apply what has changed of its part;
 * 3. presents the certificates, and logs as is said.
 *
 * What the file does not change stays as it was changed elsewhere since.
 */
export class Reload {
  readonly #started: Configuration
  readonly #parts: readonly ReloadedPart[]
  readonly #listeners: Listeners
  readonly #log: Log
  /** What each part has applied. */
  readonly #applied: Map<ProvisionedPart, Configuration>

  constructor(deps: {
    /** What the server was started with. */
    readonly started: Configuration
    readonly parts: readonly ReloadedPart[]
    readonly listeners: Listeners
    readonly log: Log
  }) {
    this.#started = deps.started
    this.#parts = deps.parts
    this.#listeners = deps.listeners
    this.#log = deps.log
    this.#applied = new Map(deps.parts.map(({ name }) => [name, deps.started]))
  }

  /**
   * Not to be called before the last call has ended.
   *
   * @param next a configuration that is good by itself
   * @throws ConfigurationProblems when it cannot be applied: nothing has changed. Any other error, such as of a database that is away,
   *   may leave a part of it applied; the same call again then applies the rest.
   */
  async apply(next: Configuration): Promise<Reloaded> {
    const inStore = await Promise.all(this.#parts.map((part) => part.problems(next)))
    refuseProblems('the server', inStore.flat())
    const certificates = await this.#listeners.readCertificates(next)

    const applied: string[] = []
    for (const part of this.#parts) {
      const before = this.#applied.get(part.name) ?? this.#started
      const own: readonly string[] = provisionedMembers[part.name].map((member) => `${part.name}.${member}`)
      const changed = changedMembers(before, next).filter((member) => own.includes(member))
      if (changed.length === 0) continue
      await part.apply(next)
      this.#applied.set(part.name, next)
      applied.push(...changed)
    }
    applied.push(...this.#listeners.present(certificates).map((name) => `${name}.certificate`))
    if (this.#log.level !== next.log.level) {
      this.#log.level = next.log.level
      applied.push('log.level')
    }
    const needRestart = changedMembers(this.#started, next).filter((member) => !isReloadable(member))
    return { applied, needRestart }
  }
}
