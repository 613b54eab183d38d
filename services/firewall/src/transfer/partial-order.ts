import type { Author } from '../changes/author.ts'
import { documentFormat, documentFormatVersion } from './document.ts'
import type { ImportOrder } from './transfer.ts'

/** What is created or changed, and the paths of what is taken away, both by the names of kinds. */
export interface PartialChanges {
  readonly objects: object
  readonly removed?: object
}

/** An import of what we made ourselves, which is carried out like a document that changes as much and nothing else. */
export function partialOrder(author: Author, origin: string, changes: PartialChanges): ImportOrder {
  const head = { format: documentFormat, 'format-version': documentFormatVersion, scope: 'partial' }
  return { author, document: { ...head, ...changes }, origin, leavesOutUnopened: false }
}
