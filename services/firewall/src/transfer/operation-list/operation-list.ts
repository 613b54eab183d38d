import { type Body, isMembers } from '../../changes/members.ts'

/**
 * A configuration as a list of operations, in the form of the devices whose API this is: each entry is a request that creates, changes or
 * deletes. It is described in docs/formats/firewall-configuration.md.
 */
export interface OperationList {
  readonly config: readonly ListedOperation[]
  /** What the list is and where it comes from, for the reader: nothing of it is read. */
  readonly Metadata: object
}

/** One entry of a list of operations. */
export interface ListedOperation {
  readonly operation: 'CREATE' | 'EDIT' | 'DELETE'
  /** The last segment of the address: of a collection, of a single object or of a section. */
  readonly type: string
  /** The members, with the name of the object where it lies in a collection. */
  readonly payload: Body
  /** The address before that segment, with the version. */
  readonly parent: string
}

/** What lists call each operation, in capitals. */
export const operationsByWord: Readonly<Record<string, ListedOperation['operation']>> = {
  ADD: 'CREATE',
  CREATE: 'CREATE',
  DELETE: 'DELETE',
  EDIT: 'EDIT',
  MODIFY: 'EDIT',
  UPDATE: 'EDIT',
}

/** Whether a document, parsed from JSON of any origin, is meant as a list of operations; its entries may still be anything. */
export function isOperationList(document: unknown): document is { readonly config: readonly unknown[] } {
  return isMembers(document) && Array.isArray(document.config)
}
