import type { DiskFormat } from '@palisade/agent-protocol'
import type { ShareCredentials } from '../tasks/task.ts'
import { destinationKind } from './destination-kind.ts'
import { restoreMessages, restoreRefused } from './restore-refused.ts'

/** A restore as virtual disks whose form is right. */
export interface DiskRestoreRequest {
  readonly path: string
  readonly credentials: ShareCredentials | undefined
  readonly diskFormat: DiskFormat
  readonly revisionIds: readonly number[]
}

/** One revision per volume, and nobody has so many volumes; more could only be meant to keep the store busy. */
const revisionsMax = 256

const diskFormats: Readonly<Record<string, DiskFormat>> = { vhd: 'Vhd', vhdx: 'Vhdx' }

/**
 * Reads the body of a restore as virtual disks.
 *
 * @throws RequestInvalid naming everything that is wrong, in the specification's words and order
 */
export function readRestoreRequest(body: unknown): DiskRestoreRequest {
  const errors: string[] = []
  const request = asObject(body) ?? {}
  const { path, credentials } = readDestination(request.destination, errors)
  const diskFormat = readDiskFormat(request.diskFormat)
  if (diskFormat === undefined) errors.push(restoreMessages.diskFormat)
  const revisionIds = readRevisionIds(request.revisions)
  if (revisionIds === undefined) errors.push(restoreMessages.revisions)
  if (errors.length > 0 || path === undefined || diskFormat === undefined || revisionIds === undefined) {
    throw restoreRefused(errors)
  }
  return { path, credentials, diskFormat, revisionIds }
}

interface Destination {
  readonly path: string | undefined
  readonly credentials: ShareCredentials | undefined
}

function readDestination(given: unknown, errors: string[]): Destination {
  const destination = asObject(given)
  if (!destination) {
    errors.push(restoreMessages.destination)
    return { path: undefined, credentials: undefined }
  }
  const path = asText(destination.path)
  if (path === undefined) errors.push(restoreMessages.path)
  const isGiven = destination.credentials !== undefined && destination.credentials !== null
  const credentials = isGiven ? readCredentials(destination.credentials) : undefined
  if (isGiven && credentials === undefined) errors.push(restoreMessages.credentials)
  const kind = path === undefined ? undefined : destinationKind(path)
  if (isGiven && kind === 'local') errors.push(restoreMessages.credentialsForLocal)
  if (path !== undefined && kind === undefined) errors.push(restoreMessages.pathKind)
  return { path, credentials }
}

/** The specification spells the user's name in two ways, one for each of its operations; both are read. */
function readCredentials(given: unknown): ShareCredentials | undefined {
  const credentials = asObject(given) ?? {}
  const username = asText(credentials.username ?? credentials.userName)
  const password = asText(credentials.password)
  return username === undefined || password === undefined ? undefined : { username, password }
}

function readDiskFormat(given: unknown): DiskFormat | undefined {
  return typeof given === 'string' ? diskFormats[given.toLowerCase()] : undefined
}

function readRevisionIds(given: unknown): readonly number[] | undefined {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= revisionsMax
  return isList && given.every(Number.isSafeInteger) ? given : undefined
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
