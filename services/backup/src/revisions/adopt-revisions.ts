import type { CommitMetadata } from '@palisade/agent-protocol'
import type { Attention, Clock, Log } from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import { domainOf } from '../computer-id.ts'
import type { Computer, Computers } from '../computers/computers.ts'
import { readOrigin } from '../revision-origin.ts'
import type { Revisions } from './revisions.ts'
import { readVaultMetadata } from './vault-metadata.ts'
import { listUnreadable, notInVault } from './verification.ts'

/** What entering revisions of the vault into the store needs. */
interface AdoptionDependencies {
  readonly vault: Vault
  readonly computers: Computers
  readonly revisions: Revisions
  /** For how long deleted computers can be taken back, in milliseconds. */
  readonly graceMs: number
  readonly clock: Clock
  readonly log: Log
}

/** So many computers are named, and the others counted. */
const computersNamedMax = 5

/**
 * Enters the revisions that are in the vault but not in the store: those of a commit that was interrupted between
 * the two, and all of them when the database was lost or is older than the vault. Runs at each start, before an
 * agent can ask, and for a computer that the store did not have then as soon as somebody adds it.
 *
 * A deleted computer of which one is entered has its whole grace period again: the database is older than the vault, and the computer may
 * have been taken back since.
 *
 * A revision that is listed and that the vault does not have, or cannot read, is marked as damaged.
 *
 * A revision that cannot be read is logged and left out, and so is a computer whose revisions cannot be listed, since the
 * others must still be served. What can be read again later is adopted then. No new revision gets an id that the vault has.
 */
export class Adoption {
  readonly #deps: AdoptionDependencies
  /** How many revisions the vault has of computers that the store does not have, by their domains. */
  readonly #ownerless = new Map<string, number>()

  constructor(deps: AdoptionDependencies) {
    this.#deps = deps
  }

  /** Enters what is of the computers that the store has, and says of which others the vault has revisions. */
  async atStart(): Promise<void> {
    const { vault, computers, revisions, log } = this.#deps
    const inStore = await computers.all()
    const domains = new Set(inStore.map(domainOf))
    let highest = 0
    for (const domain of await vault.domains()) {
      const ids = [...(await vault.revisionIds(domain))]
      for (const id of ids.map(Number).filter(Number.isSafeInteger)) highest = Math.max(highest, id)
      if (ids.length > 0 && !domains.has(domain)) this.#ownerless.set(domain, ids.length)
    }
    await revisions.passOver(highest)
    for (const computer of inStore) await this.#adopt(computer)
    for (const { message } of this.attention()) log.warn(message)
  }

  /** Enters what the vault has of computers that were added since the start. */
  async ofAdded(): Promise<void> {
    if (this.#ownerless.size === 0) return
    for (const computer of await this.#deps.computers.all()) {
      if (this.#ownerless.delete(domainOf(computer))) await this.#adopt(computer)
    }
  }

  /** Of which computers the vault has revisions that nobody sees. */
  attention(): Attention[] {
    if (this.#ownerless.size === 0) return []
    const firstDomains = [...this.#ownerless].slice(0, computersNamedMax)
    const more = this.#ownerless.size - firstDomains.length
    const names = firstDomains.map(([domain, count]) => `${domain} (${count})`).join(', ')
    const [account = '', computer = ''] = (firstDomains[0]?.[0] ?? '').split('/').map(decodeURIComponent)
    return [
      {
        condition: 'revisions-without-computer',
        subject: 'vault',
        severity: 'warning',
        isOfServer: true,
        message: `The vault has revisions of computers that are not in the database: ${names}${more > 0 ? ` and ${more} more` : ''}. Add them with the same ids, and the revisions are listed.`,
        remedy: `palisade backup enrol --account ${account} --computer ${computer}`,
      },
    ]
  }

  async #adopt(computer: Computer): Promise<void> {
    try {
      await adoptOf(computer, this.#deps)
    } catch (err) {
      this.#deps.log.error(
        { err, computer: domainOf(computer) },
        'the revisions of a computer cannot be listed',
      )
    }
  }
}

async function adoptOf(
  computer: Computer,
  { vault, computers, revisions, graceMs, clock, log }: AdoptionDependencies,
): Promise<void> {
  const entered = await revisions.ids(computer)
  const unreadable: number[] = []
  let newest: CommitMetadata | undefined
  const readable = await vault.revisions(domainOf(computer), (revision, err) => {
    if (entered.delete(Number(revision))) unreadable.push(Number(revision))
    log.error({ err, computer: domainOf(computer), revision }, 'a revision in the vault cannot be read')
  })
  for (const { revision, metadata } of readable) {
    const id = Number(revision)
    if (entered.delete(id)) continue
    const parsed = readVaultMetadata(metadata)
    if (!Number.isSafeInteger(id) || !parsed) continue
    await revisions.enter(computer, parsed.backupId, id, { ...parsed, origin: readOrigin(parsed.origin) })
    newest = parsed.commit
    log.info({ computer: domainOf(computer), revision: id }, 'adopted a revision that was only in the vault')
  }
  if (newest) await computers.deferPurge(computer, clock.now() + graceMs)
  // A lost database has also lost that the computer's backups are sealed with a key of its own.
  if (newest?.endToEnd) await computers.noteEndToEndKey(computer, newest.endToEnd.keyCheck)
  await mark(unreadable, listUnreadable)
  await mark([...entered], notInVault)
  if (entered.size === 0) return
  log.error(
    { computer: domainOf(computer), revisions: [...entered] },
    'revisions are listed whose chunks are not in the vault',
  )

  async function mark(ids: readonly number[], message: string): Promise<void> {
    const damage = { state: 'DAMAGED', atMs: clock.now(), samplePercent: 100, message } as const
    const revision = await revisions.find(computer, ids)
    const marked = revision.flatMap(({ id, verification }) => (verification?.state === 'DAMAGED' ? id : []))
    await revisions.noteVerification(
      computer,
      revision.map(({ id }) => id).filter((id) => !marked.includes(id)),
      damage,
    )
  }
}
