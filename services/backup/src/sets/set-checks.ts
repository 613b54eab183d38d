import type { DiscoveredVolume } from '@palisade/agent-protocol'
import type { Log } from '@palisade/platform'
import type { AgentLinks } from '../agents/agent-links.ts'
import type { SourceQuestions } from '../agents/source-questions.ts'
import type { VolumeQuestions } from '../agents/volume-questions.ts'
import { type ComputerId, domainOf } from '../computer-id.ts'
import { singleLine } from '../single-line.ts'
import { isAll } from './read-set.ts'
import { needsDiscovery, selectSources } from './select-volumes.ts'
import type { SelectedVolume, SetDefinition } from './set-definition.ts'
import type { Sets } from './sets.ts'

const warningLengthMax = 2000
const notAsked =
  'it is not known whether these volumes can be backed up: the agent is not there, or of a version that cannot say'

/** What an agent says of a set. */
interface SetCheck {
  /** Why the set cannot work as it is, in the words of refusals; none when it can, or nobody knows. */
  readonly faults: readonly string[]
  /** What may stand against it; null when nothing is known that does. */
  readonly warning: string | null
}

/**
 * Asks agents whether backup sets can work: whether every source that a set names could be backed up now, and whether the volumes are there that
 * it names otherwise. A set that cannot is refused when it is made; one that nobody could ask about has a warning until its agent has said more,
 * or a run has succeeded.
 */
export class SetChecks {
  readonly #deps: {
    readonly sets: Sets
    readonly links: AgentLinks
    readonly questions: VolumeQuestions
    readonly sourceQuestions: SourceQuestions
    readonly log: Log
  }
  readonly #closing = new AbortController()
  readonly #underWay = new Set<Promise<void>>()

  constructor(deps: {
    sets: Sets
    links: AgentLinks
    questions: VolumeQuestions
    sourceQuestions: SourceQuestions
    log: Log
  }) {
    this.#deps = deps
  }

  /** What the computer's agent says of a set; it need not be in the store. */
  async check(computer: ComputerId, definition: SetDefinition): Promise<SetCheck> {
    const { links, questions, sourceQuestions } = this.#deps
    if (!links.canCheckSources(computer)) return { faults: [], warning: notAsked }
    const sources = definition.selection.filter((selected) => typeof selected !== 'string')
    const faults = await sourceQuestions.ask(computer, sources)
    if (faults === 'unreachable') return { faults: [], warning: notAsked }
    const wrong = definition.selection.flatMap((selected, index) => {
      const fault = typeof selected === 'string' ? null : faults[sources.indexOf(selected)]
      return fault ? [`[selection][${index}] is invalid: ${singleLine(fault, warningLengthMax)}`] : []
    })
    if (!needsDiscovery(definition)) return { faults: wrong, warning: null }
    const volumes = await questions.ask(computer)
    if (volumes === 'unreachable') return { faults: wrong, warning: notAsked }
    if ('failure' in volumes) {
      return {
        faults: wrong,
        warning: singleLine(`the agent cannot tell its volumes: ${volumes.failure}`, warningLengthMax),
      }
    }
    return checkNames(definition, volumes.volumes, wrong)
  }

  /** An agent has connected: asks it about the sets of the computer that have warnings. */
  agentIsThere(computer: ComputerId): void {
    if (this.#closing.signal.aborted || !this.#deps.links.canCheckSources(computer)) return
    const work = this.#checkAgain(computer)
      .catch((err: unknown) => {
        if (this.#closing.signal.aborted) return
        this.#deps.log.error({ err, computer: domainOf(computer) }, 'backup sets could not be checked')
      })
      .finally(() => this.#underWay.delete(work))
    this.#underWay.add(work)
  }

  /** Logs a warning that a set has from now on. */
  tell(computer: ComputerId, name: string, warning: string | null): void {
    if (warning === null) return
    this.#deps.log.warn({ computer: domainOf(computer), set: name, warning }, 'a backup set may not work')
  }

  /** Ends what is under way; the next connection of the agent begins it anew. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#underWay)
  }

  async #checkAgain(computer: ComputerId): Promise<void> {
    const { sets } = this.#deps
    for (const { id, name, definition, warning: before } of await sets.ofComputer(computer)) {
      if (before === null || this.#closing.signal.aborted) continue
      const { faults, warning: rest } = await this.check(computer, definition)
      if (rest === notAsked) continue
      const warning = faults.length > 0 ? singleLine(faults.join('; '), warningLengthMax) : rest
      if (warning === before) continue
      await sets.noteWarning(id, warning)
      this.tell(computer, name, warning)
    }
  }
}

/** Holds the volumes that a set names against those that there are. */
function checkNames(
  definition: SetDefinition,
  volumes: readonly DiscoveredVolume[],
  wrong: readonly string[],
): SetCheck {
  const isThere = (selected: SelectedVolume) =>
    selectSources({ ...definition, selection: [selected], exclusions: [] }, volumes).length > 0
  const missing = definition.selection.filter(
    (selected) => typeof selected === 'string' && !isThere(selected),
  )
  const nothing = selectSources(definition, volumes).length === 0
  if (nothing && wrong.length === 0) {
    const volumeNames = volumes.map(({ source, volume }) => volume.driveLetter || source.path)
    const has =
      volumeNames.length > 0 ? `the computer has ${volumeNames.join(', ')}` : 'the agent finds no volumes'
    // The volumes of %All% may come later.
    const isLasting = !(definition.useDynamicVolumeInclusion && definition.selection.some(isAll))
    const sentence = singleLine(`none of the selected volumes is there; ${has}`, warningLengthMax)
    return isLasting
      ? { faults: [`[selection] is invalid: ${sentence}`], warning: null }
      : { faults: [], warning: sentence }
  }
  const warning = missing.length > 0 ? `not there now: ${missing.join(', ')}` : null
  return { faults: wrong, warning: warning === null ? null : singleLine(warning, warningLengthMax) }
}
