import type { Log } from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import { domainOf } from '../computer-id.ts'
import type { Computer, Computers } from '../computers/computers.ts'
import type { BackupMetrics } from '../metrics/backup-metrics.ts'
import type { Damage } from '../revisions/damage.ts'
import type { FindingsFile } from '../vault/findings-file.ts'
import type { Verifications } from './verifications.ts'

/** What a check at the start needs. */
export interface CheckAtStart {
  readonly vault: Vault
  readonly computers: Computers
  readonly verifications: Verifications
  readonly damage: Damage
  readonly metrics: BackupMetrics
  readonly findings: FindingsFile
  readonly log: Log
}

/**
 * Looks for packs that have disappeared since the last start, and for what `palisade vault` has found meanwhile, and marks the
 * revisions that suffer; those that were marked since the vault did not have them, and that are there again, are verified. A computer of
 * which nothing of that is known costs a listing and the reading of its index segments. What `palisade vault` has found is forgotten
 * when it was looked at, and kept for the next start otherwise.
 */
export async function checkAtStart(deps: CheckAtStart, signal: AbortSignal): Promise<void> {
  const { computers, findings, log } = deps
  const domains = new Set(await findings.read())
  for (const computer of await computers.all()) {
    signal.throwIfAborted()
    try {
      await checkComputer(computer, domains.has(domainOf(computer)), deps, signal)
      if (domains.has(domainOf(computer))) await findings.forget(domainOf(computer))
    } catch (err) {
      signal.throwIfAborted()
      log.error({ err, computer: domainOf(computer) }, 'the backups of a computer could not be looked at')
    }
  }
}

async function checkComputer(
  computer: Computer,
  isNamed: boolean,
  { vault, verifications, damage, metrics, log }: CheckAtStart,
  signal: AbortSignal,
): Promise<void> {
  const domain = domainOf(computer)
  if (await verifications.haveComeBack(computer)) await damage.verifyAll(computer)
  const packs = await vault.missingPacks(domain)
  if (packs.length === 0 && !isNamed) return
  const lacking = await verifications.checkStructure(computer, signal)
  if (lacking !== undefined) metrics.damageFound(isNamed ? 'command' : 'start')
  if (!isNamed) return
  log.warn({ computer: domain }, 'damage was found while the server was stopped: all is verified now')
  await damage.verifyAll(computer)
}
