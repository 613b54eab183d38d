import type { SnapshotProtectedData } from '@palisade/proxy-protocol'
import { PatternSearch } from '../../policy/attack-patterns.ts'

/** A type of data, ready to be looked for. */
export class ProtectedType {
  readonly data: SnapshotProtectedData
  readonly patterns: PatternSearch

  constructor(data: SnapshotProtectedData) {
    this.data = data
    this.patterns = new PatternSearch(data.patterns)
  }
}
