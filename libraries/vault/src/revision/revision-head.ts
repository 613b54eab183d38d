import { VaultFailure } from '../failure.ts'

/** Anything JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json }

/** What a revision is, without its list of chunks. */
export interface RevisionHead {
  readonly domain: string
  /** Unique in its domain: 1 to 64 of `A-Z a-z 0-9 . _ -`, not beginning with a dot. */
  readonly revision: string
  /** Which volume this is a revision of; the vault only keeps it. */
  readonly volume: string
  /** Size of the volume. Its last chunk ends here and may be shorter than the others. */
  readonly capacityBytes: number
  readonly chunkSizeBytes: number
  readonly chunkCount: number
  /** Milliseconds since 1970. */
  readonly createdMs: number
  /** Free for the caller. */
  readonly metadata: Json
}

const revisionForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/

/** @throws VaultFailure `invalid-argument` */
export function assertRevisionId(revision: string): void {
  if (!revisionForm.test(revision)) {
    throw new VaultFailure('invalid-argument', `${JSON.stringify(revision)} is not a valid revision id`)
  }
}

/** @throws VaultFailure `damaged` */
export function parseRevisionHead(content: Buffer): RevisionHead {
  const value: unknown = JSON.parse(content.toString('utf8'))
  if (isRevisionHead(value)) return value
  throw new VaultFailure('damaged', 'the head of the revision has missing or invalid members')
}

function isRevisionHead(value: unknown): value is RevisionHead {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['domain', 'revision', 'volume']
  const integers = ['capacityBytes', 'chunkSizeBytes', 'chunkCount', 'createdMs']
  const member = (name: string): unknown => Reflect.get(value, name)
  return (
    texts.every((name) => typeof member(name) === 'string') &&
    integers.every((name) => Number.isSafeInteger(member(name))) &&
    'metadata' in value
  )
}
