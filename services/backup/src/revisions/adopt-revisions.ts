import type { CommitMetadata } from '@palisade/agent-protocol'
import type { Clock, Log } from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import { domainOf } from '../computer-id.ts'
import type { Computer, Computers } from '../computers/computers.ts'
import { readOrigin } from '../revision-origin.ts'
import type { Revisions } from './revisions.ts'
import { readVaultMetadata } from './vault-metadata.ts'
import { listUnreadable, notInVault } from './verification.ts'

/**
 * Enters the revisions that are in the vault but not in the store: those of a commit that was interrupted between
 * the two, and all of them when the database was lost or is older than the vault. Runs at each start, before an
 * agent can ask.
 *
 * A deleted computer of which one is entered has its whole grace period again: the database is older than the vault, and the computer may
 * have been taken back since.
 *
 * A revision that is listed and that the vault does not have, or cannot read, is marked as damaged.
 *
 * A revision that cannot be read is logged and left out, and so is a computer whose revisions cannot be listed, since the
 * others must still be served. What can be read again later is adopted then, and so is what is of a computer that is not
 * configured now: no new revision gets an id that the vault has.
 */
export async function adoptRevisions(deps: {
  readonly vault: Vault
  readonly computers: Computers
  readonly revisions: Revisions
  /** For how long deleted computers can be taken back, in milliseconds. */
  readonly graceMs: number
  readonly clock: Clock
  readonly log: Log
}): Promise<void> {
  await deps.revisions.passOver(await highestId(deps.vault))
  for (const computer of await deps.computers.all()) {
    try {
      await adoptOf(computer, deps)
    } catch (err) {
      deps.log.error({ err, computer: domainOf(computer) }, 'the revisions of a computer cannot be listed')
    }
  }
}

/** The highest id of a revision that any computer, also one that is not configured, has in the vault. */
async function highestId(vault: Vault): Promise<number> {
  let highest = 0
  for (const domain of await vault.domains()) {
    for (const revision of await vault.revisionIds(domain)) {
      const id = Number(revision)
      if (Number.isSafeInteger(id)) highest = Math.max(highest, id)
    }
  }
  return highest
}

async function adoptOf(
  computer: Computer,
  { vault, computers, revisions, graceMs, clock, log }: Parameters<typeof adoptRevisions>[0],
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
