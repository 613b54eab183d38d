import type { Operation } from '../kinds/kind.ts'
import type { Target } from './address.ts'

/** What each method does at each type of address. */
const operationsByMethod = {
  collection: { GET: 'list', POST: 'create' },
  object: { GET: 'read', PUT: 'update', DELETE: 'delete' },
  section: { GET: 'read', PUT: 'update' },
} as const satisfies Record<Target['type'], Readonly<Record<string, Operation>>>

/** The methods that an address answers to, with what they do. */
export function methodsAt({ type, kind }: Pick<Target, 'type' | 'kind'>): ReadonlyMap<string, Operation> {
  const all = Object.entries(operationsByMethod[type])
  return new Map(all.filter(([, operation]) => type === 'section' || kind.operations.has(operation)))
}
