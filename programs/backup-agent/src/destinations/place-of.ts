import type { RestorePlace } from '../state/journal.ts'
import type { Destination } from './destination.ts'

/** What the journal says of a destination. */
export function placeOf({ folder, sealedCredentials }: Destination): RestorePlace {
  return sealedCredentials === undefined ? { folder } : { folder, sealedCredentials }
}
