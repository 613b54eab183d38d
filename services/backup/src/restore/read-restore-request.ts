import type { DiskFormat } from '@palisade/agent-protocol'
import { asObject, type DiskFolder, readDiskFormat, readFolder, readRevisionIds } from './read-fields.ts'
import { restoreRefused } from './restore-refused.ts'

/** A restore as virtual disks whose form is right. */
export interface DiskRestoreRequest extends DiskFolder {
  readonly diskFormat: DiskFormat
  readonly revisionIds: readonly number[]
}

/**
 * Reads the body of a restore as virtual disks.
 *
 * @throws RequestInvalid naming everything that is wrong, in the specification's words and order
 */
export function readRestoreRequest(body: unknown): DiskRestoreRequest {
  const errors: string[] = []
  const request = asObject(body) ?? {}
  const folder = readFolder(request.destination, 'destination', errors)
  const diskFormat = readDiskFormat(request.diskFormat, errors)
  const revisionIds = readRevisionIds(request.revisions, errors)
  if (errors.length > 0 || folder === undefined || diskFormat === undefined || revisionIds === undefined) {
    throw restoreRefused(errors)
  }
  return { ...folder, diskFormat, revisionIds }
}
