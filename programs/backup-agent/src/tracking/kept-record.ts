import { createHash, createHmac } from 'node:crypto'
import { isRecord, parseAs } from '../json.ts'
import type { Membership } from '../state/credential.ts'
import { differenceOf, type FileIdentity } from './file-identity.ts'

/** How far backups rely on the changes that were tracked. */
export interface TrackingSettings {
  /** Every how many backups one reads everything and checks what was tracked; from 1, which is each time. */
  readonly fullReadEvery: number
}

/** What makes a backup one that a later one can go on from: they have to be the same for both. */
export interface BackupBinding {
  readonly serverUrl: string
  readonly account: string
  readonly computer: string
  readonly deviceId: string
  /** Where the volume lies in the image. */
  readonly offsetBytes: number
  readonly sizeBytes: number
  readonly chunkSizeBytes: number
  /** See {@link namingCheckOf}. */
  readonly namingCheck: string
}

/** A file of the agent's own, in the folder of the records. */
export interface KeptFile {
  readonly name: string
  readonly sha256: string
}

/** What is known of the copy of an image that was kept, and of the revision that was read from it. */
export interface KeptRecord {
  readonly binding: BackupBinding
  readonly revisionId: number
  readonly copy: FileIdentity & { readonly path: string }
  /** The ids of the revision's chunks; those of the volume begin behind `firstChunk` others. */
  readonly ids: KeptFile
  readonly firstChunk: number
  /** What of the volume its file system had in use. */
  readonly inUse: KeptFile
  /** Which chunks of the revision are patched; undefined when none is. */
  readonly patches?: KeptFile | undefined
  /** How many backups it is since everything was read. */
  readonly backupsSinceFullRead: number
  readonly keptAtMs: number
}

/** The files of a record beside its copy. */
export function filesOf({ ids, inUse, patches }: KeptRecord): readonly KeptFile[] {
  return patches === undefined ? [ids, inUse] : [ids, inUse, patches]
}

/** Tells one key that chunks are named with from another, and nothing of either. */
export function namingCheckOf(namingKey: Uint8Array): string {
  return createHmac('sha256', namingKey).update('palisade: kept copies').digest('hex').slice(0, 32)
}

/** The name of a volume's record, without its extension. */
export function recordNameOf(deviceId: string): string {
  return digestOf(deviceId)
}

/** What the names of all copies of a volume begin with that are kept for one computer of one server. */
export function copyPrefixOf({ serverUrl, account, computer }: Membership, deviceId: string): string {
  return `copy-${digestOf(JSON.stringify([serverUrl, account, computer, deviceId]))}-`
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Whether it is time to read everything again, instead of going on from a kept copy. */
export function isFullReadDue(
  { backupsSinceFullRead }: KeptRecord,
  { fullReadEvery }: TrackingSettings,
): boolean {
  return backupsSinceFullRead + 1 >= fullReadEvery
}

/** Whether a copy was kept for this computer of this server. */
export function isOfMembership({ binding }: KeptRecord, membership: Membership): boolean {
  const { serverUrl, account, computer } = binding
  return (
    serverUrl === membership.serverUrl && account === membership.account && computer === membership.computer
  )
}

/**
 * Why a backup cannot go on from a kept copy; undefined when it can.
 *
 * @param copy the file that is there now; undefined when there is none
 */
export function reasonAgainst(
  { binding: before, copy: copyBefore }: KeptRecord,
  now: BackupBinding,
  copy: FileIdentity | undefined,
): string | undefined {
  const isSame = (...members: readonly (keyof BackupBinding)[]) =>
    members.every((member) => before[member] === now[member])
  if (!isSame('serverUrl', 'account', 'computer')) return 'it was taken for another server or computer'
  if (!isSame('deviceId')) return 'it was taken of another volume'
  if (!isSame('offsetBytes', 'sizeBytes')) return 'the volume has been moved or has another size'
  if (!isSame('chunkSizeBytes')) return 'the server wants chunks of another size'
  if (!isSame('namingCheck')) return 'chunks are named with another key'
  return copy === undefined ? 'it is gone' : differenceOf(copyBefore, copy)
}

/** Reads a record; undefined when it is none: its copy is then a forgotten one. */
export function parseKeptRecord(text: string): KeptRecord | undefined {
  return parseAs(text, isKeptRecord)
}

function isKeptRecord(value: unknown): value is KeptRecord {
  if (!isRecord(value)) return false
  const { binding, copy, ids, inUse, patches } = value
  return (
    hasTexts(binding, 'serverUrl', 'account', 'computer', 'deviceId', 'namingCheck') &&
    hasCounts(binding, 'offsetBytes', 'sizeBytes', 'chunkSizeBytes') &&
    hasTexts(copy, 'path', 'inode', 'bornNs', 'changedNs', 'modifiedNs') &&
    hasCounts(copy, 'sizeBytes') &&
    hasTexts(ids, 'name', 'sha256') &&
    hasTexts(inUse, 'name', 'sha256') &&
    (patches === undefined || hasTexts(patches, 'name', 'sha256')) &&
    hasCounts(value, 'revisionId', 'firstChunk', 'backupsSinceFullRead', 'keptAtMs')
  )
}

function hasTexts(value: unknown, ...members: readonly string[]): boolean {
  return isRecord(value) && members.every((member) => typeof value[member] === 'string')
}

function hasCounts(value: unknown, ...members: readonly string[]): boolean {
  return isRecord(value) && members.every((member) => Number.isSafeInteger(value[member]))
}
