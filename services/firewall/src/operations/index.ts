import type { Store } from '@palisade/platform'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { SpecialOperation } from './operation.ts'

/** What operations work with. */
export interface OperationDependencies {
  readonly configuration: LiveConfiguration
  readonly store: Store
}

/** Every special operation that there is. */
export function allOperations(_deps: OperationDependencies): readonly SpecialOperation[] {
  return []
}
