import { type DiskFormat, restoredRevisionsMax } from '@palisade/agent-protocol'
import type { ShareCredentials } from '../tasks/task.ts'
import { destinationKind } from './destination-kind.ts'
import { folderMessages, restoreMessages } from './restore-refused.ts'

/*
 * Members of requests, one function each: they give the value, or undefined with what is wrong added to `errors`, in the
 * specification's words.
 */

const diskFormats: Readonly<Record<string, DiskFormat>> = { vhd: 'Vhd', vhdx: 'Vhdx' }

/** Where disks are to go. */
export interface DiskFolder {
  readonly path: string
  readonly credentials: ShareCredentials | undefined
}

/**
 * A folder of the computer or of a share.
 *
 * @param field what it is called in messages, such as `destination`
 */
export function readFolder(given: unknown, field: string, errors: string[]): DiskFolder | undefined {
  const messages = folderMessages(field)
  const folder = asObject(given)
  if (!folder) {
    errors.push(messages.missing)
    return undefined
  }
  const path = asText(folder.path)
  if (path === undefined) errors.push(messages.path)
  const isGiven = folder.credentials !== undefined && folder.credentials !== null
  const credentials = isGiven ? asCredentials(folder.credentials) : undefined
  if (isGiven && credentials === undefined) errors.push(messages.credentials)
  const kind = path === undefined ? undefined : destinationKind(path)
  if (isGiven && kind === 'local') errors.push(messages.credentialsForLocal)
  if (path !== undefined && kind === undefined) errors.push(messages.pathKind)
  return path === undefined ? undefined : { path, credentials }
}

export function readDiskFormat(given: unknown, errors: string[]): DiskFormat | undefined {
  const format = oneOf(given, diskFormats)
  if (format === undefined) errors.push(restoreMessages.diskFormat)
  return format
}

export function readRevisionIds(given: unknown, errors: string[]): readonly number[] | undefined {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= restoredRevisionsMax
  if (isList && given.every(Number.isSafeInteger)) return given
  errors.push(restoreMessages.revisions)
  return undefined
}

/** The specification spells the user's name in two ways, one for each of its operations; both are read. */
export function asCredentials(given: unknown): ShareCredentials | undefined {
  const credentials = asObject(given) ?? {}
  const username = asText(credentials.username ?? credentials.userName)
  const password = asText(credentials.password)
  return username === undefined || password === undefined ? undefined : { username, password }
}

/** The value of a list of values that are compared without case. */
export function oneOf<Value>(given: unknown, values: Readonly<Record<string, Value>>): Value | undefined {
  if (typeof given !== 'string') return undefined
  const name = given.toLowerCase()
  return Object.hasOwn(values, name) ? values[name] : undefined
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
