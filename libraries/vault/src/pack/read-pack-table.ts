import { ObjectMissing, VaultFailure } from '../failure.ts'
import type { StorageBackend } from '../storage/backend.ts'
import {
  type PackIdentity,
  type PackTable,
  packFooterBytes,
  packHeaderBytes,
  parsePackEnd,
  tableOffsetOf,
} from './pack-format.ts'

/** Enough for the table of a usual pack, so that one read does. */
const firstReadBytes = 16 * 1024

/**
 * Reads the table at the end of a pack.
 *
 * @throws VaultFailure `damaged`, of a pack that is not there `ObjectMissing`
 */
export async function readPackTable(
  backend: StorageBackend,
  name: string,
  identity: PackIdentity,
): Promise<PackTable> {
  const sizeBytes = await backend.sizeBytes(name)
  if (sizeBytes === undefined) throw new ObjectMissing(name, backend.description)
  if (sizeBytes < packHeaderBytes + packFooterBytes) {
    throw new VaultFailure('damaged', `${name} is too short for a pack`)
  }
  const tail = Buffer.allocUnsafe(Math.min(firstReadBytes, sizeBytes))
  await backend.read(name, sizeBytes - tail.length, tail)
  const endBytes = sizeBytes - tableOffsetOf(tail.subarray(-packFooterBytes), sizeBytes)
  if (endBytes <= tail.length) return parsePackEnd(identity, tail.subarray(-endBytes), sizeBytes)
  const end = Buffer.allocUnsafe(endBytes)
  await backend.read(name, sizeBytes - endBytes, end)
  return parsePackEnd(identity, end, sizeBytes)
}
