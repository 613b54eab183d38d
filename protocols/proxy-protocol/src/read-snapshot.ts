import { Compile } from 'typebox/schema'
import type { ProxySnapshot } from './snapshot.ts'
import { snapshotSchema } from './snapshot-schema.generated.ts'

/**
 * The format of the snapshots that this release writes. It grows when an older proxy would misread one: members that are only added
 * do not change it, since a proxy passes over what it does not know.
 */
export const snapshotFormat = 1

/** The oldest format that this release reads: that of one release before. Snapshots without a `format` have it. */
export const snapshotFormatMin = 1

/** Why a text is no snapshot that this release can obey. The message is one sentence without a point, and quotes nothing. */
export class SnapshotUnreadable extends Error {}

/** Compiled when the first snapshot is read: a management never reads one. */
let validator: ReturnType<typeof Compile> | undefined

/**
 * Reads a snapshot as it comes from the management or from the disk.
 *
 * @throws SnapshotUnreadable
 */
export function readSnapshot(text: string): ProxySnapshot {
  const document = parsed(text)
  const format = formatOf(document)
  if (format > snapshotFormat) {
    throw new SnapshotUnreadable(
      `the snapshot has format ${format}, and this proxy reads formats up to ${snapshotFormat}; upgrade the proxy`,
    )
  }
  if (format < snapshotFormatMin) {
    throw new SnapshotUnreadable(
      `the snapshot has format ${format}, and this proxy reads formats from ${snapshotFormatMin} on; upgrade the management`,
    )
  }
  validator ??= Compile(snapshotSchema)
  if (!validator.Check(document)) {
    const [, [first] = []] = validator.Errors(document)
    throw new SnapshotUnreadable(
      `the snapshot is not valid: ${first?.instancePath || 'it'} ${first?.message}`,
    )
  }
  return document as ProxySnapshot
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What JSON.parse says would quote a part of the text, which has private keys in it.
    throw new SnapshotUnreadable('the snapshot is not valid JSON')
  }
}

function formatOf(document: unknown): number {
  const { format = snapshotFormatMin } = (document ?? {}) as { readonly format?: unknown }
  if (typeof format === 'number' && Number.isSafeInteger(format)) return format
  throw new SnapshotUnreadable('the snapshot is not valid: /format must be an integer')
}
