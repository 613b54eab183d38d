import type { MessageOrigin, OriginatedMessage, ServerMessage } from '@palisade/agent-protocol'
import { currentOrigin } from '@palisade/platform'
import { type ComputerId, domainOf } from '../computer-id.ts'
import { RequestInvalid } from '../envelope.ts'

/** The words of the documented API. */
export const offlineMessage = 'Agent cannot be reached or is offline'

/** The one refusal that stands alone: there is nothing wrong with the request. */
export function agentOffline(): RequestInvalid {
  return new RequestInvalid([offlineMessage])
}

/** One agent's connection, as the rest of the service sees it. */
export interface AgentLink {
  readonly computer: ComputerId
  /** Whether its agent answers `check-sources`; it says so in its greeting. */
  readonly checksSources: boolean
  /** Whether its agent does `serve-disks`; it says so in its greeting. */
  readonly servesDisks: boolean
  /** Folders and shares that its agent lets restores write to, by its greeting; null when it has not said. */
  readonly restoreTo: readonly string[] | null
  /** Which process its agent is; undefined for one of an earlier release. */
  readonly instance: string | undefined
  /** Where it comes from. */
  readonly address: string
  /** Whether its agent is there at this moment. Takes a few seconds when it is not. */
  answers(): Promise<boolean>
  send(message: OriginatedMessage): void
  /** Ends the connection, for a reason that the agent's log may show. */
  cut(reason: string): void
}

/** Which agents are connected. A computer has one link: a newer one replaces the one before. */
export class AgentLinks {
  readonly #links = new Map<string, AgentLink>()

  /** How many agents are connected. */
  get count(): number {
    return this.#links.size
  }

  isOnline(computer: ComputerId): boolean {
    return this.#links.has(domainOf(computer))
  }

  /** Whether the computer's agent is connected, and of a version that can say whether a source can be backed up. */
  canCheckSources(computer: ComputerId): boolean {
    return this.#links.get(domainOf(computer))?.checksSources ?? false
  }

  /** Whether the computer's agent is connected, and lets programs read disks that are in the vault. */
  canServeDisks(computer: ComputerId): boolean {
    return this.#links.get(domainOf(computer))?.servesDisks ?? false
  }

  /** Folders and shares that the computer's agent lets restores write to; null while nobody can say. */
  restoreTo(computer: ComputerId): readonly string[] | null {
    return this.#links.get(domainOf(computer))?.restoreTo ?? null
  }

  /** The computer's link, while its agent is connected. */
  of(computer: ComputerId): AgentLink | undefined {
    return this.#links.get(domainOf(computer))
  }

  isCurrent(link: AgentLink): boolean {
    return this.#links.get(domainOf(link.computer)) === link
  }

  /**
   * Sends a message, or nothing when the agent is offline: what matters is sent again when it connects.
   *
   * @param origin what it comes of: the request that is worked on when left out
   */
  send(
    computer: ComputerId,
    message: ServerMessage,
    origin: MessageOrigin | undefined = currentOrigin(),
  ): void {
    this.#links.get(domainOf(computer))?.send(origin === undefined ? message : { ...message, origin })
  }

  add(link: AgentLink): void {
    const before = this.#links.get(domainOf(link.computer))
    this.#links.set(domainOf(link.computer), link)
    if (before !== link) before?.cut('replaced by a newer link')
  }

  /** The link has ended; a newer one stays. */
  remove(link: AgentLink): void {
    if (this.isCurrent(link)) this.#links.delete(domainOf(link.computer))
  }

  /** Ends the computer's link, if there is one. */
  cut(computer: ComputerId, reason: string): void {
    const link = this.#links.get(domainOf(computer))
    if (!link) return
    this.#links.delete(domainOf(computer))
    link.cut(reason)
  }
}
