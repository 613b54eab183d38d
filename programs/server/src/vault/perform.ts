import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type BackupConfiguration,
  FindingsFile,
  type KeyPlace,
  keySourceOf,
  keysOfServiceVault,
  openVaultForUpkeep,
} from '@palisade/backup'
import { keyFile, systemClock } from '@palisade/platform'
import type { VaultTask } from './command-line.ts'

/** What nobody else may have the vault for. */
type TaskOfOpenVault = Exclude<VaultTask, { readonly name: 'keys' }>

/** What a task is done with. */
interface Upkeep extends Awaited<ReturnType<typeof openVaultForUpkeep>> {
  /** Prints a line for the operator. */
  readonly say: (line: string) => void
  /** What the next start of the server is to know. */
  readonly findingsFile: FindingsFile
}

/**
 * Does something with the vault of a server that is stopped; only to list its keys the server may run.
 *
 * @returns whether all is well: false when a check has found damage, or a repair has lost something
 * @throws Error when it cannot be done; VaultFailure `locked` when a server has the vault
 */
export async function performVaultTask(
  task: VaultTask,
  configuration: { readonly dataDirectory: string; readonly backup: BackupConfiguration },
  say: (line: string) => void,
): Promise<boolean> {
  const dataDirectory = resolve(configuration.dataDirectory)
  if (task.name === 'keys') return listKeys({ configuration: configuration.backup.vault, dataDirectory }, say)
  const opened = await openVaultForUpkeep({
    configuration: configuration.backup.vault,
    dataDirectory,
    clock: systemClock,
    heals: task.name !== 'check',
  })
  try {
    return await perform(task, { ...opened, say, findingsFile: new FindingsFile(dataDirectory) })
  } finally {
    await opened.vault.close()
  }
}

async function perform(task: TaskOfOpenVault, upkeep: Upkeep): Promise<boolean> {
  switch (task.name) {
    case 'check':
      return check(task.samplePercent, upkeep)
    case 'repair':
      return repair(task.readData, upkeep)
    case 'add-key':
      return addKey(task.key, task.label, upkeep)
    case 'remove-key':
      return removeKey(task.id, upkeep)
    case 'change-key':
      return changeKey(task.key, upkeep)
  }
}

async function check(samplePercent: number, { vault, say, findingsFile }: Upkeep): Promise<boolean> {
  const sample = { fraction: samplePercent / 100, seed: String(systemClock.now()) }
  const findings = await vault.check(
    samplePercent === 0 ? {} : { readData: samplePercent === 100 ? true : sample },
  )
  for (const { code, domain, object, revisions, message } of findings) {
    const suffering = revisions.length === 0 ? '' : `; revisions ${revisions.join(', ')}`
    say(`${code}  ${domain === undefined ? '' : `${domain}  `}${object}: ${message}${suffering}`)
  }
  for (const weakness of vault.weaknessesOfStorage) say(`The storage ${weakness}.`)
  await findingsFile.add(findings.flatMap(({ domain }) => domain ?? []))
  const domains = await vault.domains()
  const extent =
    samplePercent === 0
      ? 'the structure, not the chunks'
      : `the structure and ${samplePercent} % of all chunks`
  say(`${findings.length} findings about ${domains.length} computers; looked at ${extent}.`)
  if (samplePercent > 0) say('Of chunks that are sealed end to end only the sealed bytes were compared.')
  return findings.length === 0
}

async function repair(readData: boolean, { vault, say, findingsFile }: Upkeep): Promise<boolean> {
  const report = await vault.repair({ readData })
  const { configurationHealed, packsUnread, revisions } = report
  for (const name of configurationHealed) say(`${name} was missing or damaged, and was written anew.`)
  say(summaryOf(report))
  if (packsUnread > 0)
    say(`${packsUnread} packs are listed by the storage and were not given: they stay as they are.`)
  await findingsFile.add(revisions.map(({ domain }) => domain))
  for (const { domain, revision, chunksLost: lost } of revisions) {
    const what =
      lost === null
        ? 'the list of its chunks is lost, and nothing but deleting it helps'
        : `${lost} chunks are lost; the next backup heals it where the volume still has them`
    say(`${domain}  revision ${revision}: ${what}`)
  }
  if (revisions.length === 0) say('Every revision can be restored.')
  else
    say(
      `${revisions.length} revisions cannot be restored completely; the next start of the server marks them.`,
    )
  return revisions.length === 0
}

/** What a table has named that is lost nobody can count, nor what was in a pack that is gone: the revisions that lack it say so. */
function summaryOf({
  packsReplaced,
  chunksSaved,
  chunksLost,
}: Pick<
  Awaited<ReturnType<Upkeep['vault']['repair']>>,
  'packsReplaced' | 'chunksSaved' | 'chunksLost'
>): string {
  if (packsReplaced === 0) return 'No pack had to be replaced.'
  const lost = chunksLost > 0 ? `, ${chunksLost} are lost` : ''
  return `${packsReplaced} packs were replaced: ${chunksSaved} of their chunks were saved${lost}.`
}

/** Changes nothing, so a server may run meanwhile. */
async function listKeys(
  place: Parameters<typeof keysOfServiceVault>[0],
  say: Upkeep['say'],
): Promise<boolean> {
  const { keys, own } = await keysOfServiceVault(place)
  for (const { id, kind, label, createdMs } of keys) {
    const createdAt = createdMs === 0 ? 'with the vault' : new Date(createdMs).toISOString()
    const notes = [label, id === own?.id ? '(the one of the configuration)' : ''].filter(
      (note) => note !== '',
    )
    say([id, kind.padEnd(10), createdAt, ...notes].join('  '))
  }
  return true
}

async function addKey(place: KeyPlace, label: string, { vault, say }: Upkeep): Promise<boolean> {
  const source = await newKeySource(place, say)
  if (await vault.findKey(source)) throw new Error('this key opens the vault already')
  const { id } = await vault.addKey(source, label)
  say(`The vault opens with the new key as well; its id is ${id}.`)
  return true
}

/** The key of the configuration stays: without it the server would not start. */
async function removeKey(id: string, { vault, key, say }: Upkeep): Promise<boolean> {
  if ((await vault.findKey(key))?.id === id) {
    throw new Error('this is the key of the configuration; name another there first, or use change-key')
  }
  await vault.removeKey(id)
  say(
    'The vault no longer opens with this key. Whoever had it may have kept an older copy, which still does.',
  )
  return true
}

async function changeKey(place: KeyPlace, { vault, key, say }: Upkeep): Promise<boolean> {
  const source = await newKeySource(place, say)
  if (await vault.findKey(source)) throw new Error('this key opens the vault already')
  await vault.replaceKey(key, source)
  const [member, path] = Object.entries(place)[0] ?? []
  say(
    `The vault opens with the new key, and no longer with the former one. Set backup.vault.${member} to ${path}.`,
  )
  return true
}

async function newKeySource(place: KeyPlace, say: (line: string) => void) {
  const loss = 'keep a copy elsewhere: when no key of the vault is left, every backup is lost.'
  if ('keyFile' in place && !existsSync(place.keyFile)) {
    keyFile(place.keyFile)
    say(`A new key was written to ${place.keyFile}; ${loss}`)
  }
  return keySourceOf(place, '--new-passphrase-file')
}
