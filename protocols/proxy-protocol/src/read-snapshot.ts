import { Compile } from 'typebox/schema'
import type { ProxySnapshot } from './snapshot.ts'
import { type SnapshotDifference, wholeSnapshot } from './snapshot-difference.ts'
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
 * Reads a snapshot as it comes from the management or from the disk, or what makes one of another one ({@link SnapshotDifference}).
 *
 * @param base the snapshot that the reader has; undefined for none
 * @throws SnapshotUnreadable also for a difference to another snapshot
 */
export function readSnapshot(text: string, base?: ProxySnapshot): ProxySnapshot {
  const snapshot = wholeSnapshot(checked(text), base)
  if (snapshot === undefined)
    throw new SnapshotUnreadable('the snapshot changes one that this proxy does not have')
  return snapshot
}

function checked(text: string): ProxySnapshot | SnapshotDifference {
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
  const { base, removed } = document as Partial<SnapshotDifference>
  const isList = Array.isArray(removed) && removed.every((name) => typeof name === 'string')
  if (base !== undefined && !(typeof base === 'string' && isList)) {
    throw new SnapshotUnreadable(
      'the snapshot is not valid: /base must be text, and /removed a list of names',
    )
  }
  return document as ProxySnapshot | SnapshotDifference
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
