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
export function readFolder(value: unknown, field: string, errors: string[]): DiskFolder | undefined {
  const messages = folderMessages(field)
  const folder = asObject(value)
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

/** VHD or VHDX, in any case of its letters. */
export function readDiskFormat(value: unknown, errors: string[]): DiskFormat | undefined {
  const format = oneOf(value, diskFormats)
  if (format === undefined) errors.push(restoreMessages.diskFormat)
  return format
}

/** A list of ids, as many as one restore may have. What is wrong goes into `errors`. */
export function readRevisionIds(value: unknown, errors: string[]): readonly number[] | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= restoredRevisionsMax
  if (isList && value.every(Number.isSafeInteger)) return value
  errors.push(restoreMessages.revisions)
  return undefined
}

/** The specification spells the user's name in two ways, one for each of its operations; both are read. */
export function asCredentials(value: unknown): ShareCredentials | undefined {
  const credentials = asObject(value) ?? {}
  const username = asText(credentials.username ?? credentials.userName)
  const password = asText(credentials.password)
  return username === undefined || password === undefined ? undefined : { username, password }
}

/** The value of a list of values that are compared without case. */
export function oneOf<Value>(value: unknown, values: Readonly<Record<string, Value>>): Value | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.toLowerCase()
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** The text that a value is, or undefined for anything else. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The JSON object that a value is, or undefined for anything else. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
