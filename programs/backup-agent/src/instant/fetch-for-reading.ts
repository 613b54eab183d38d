import { isSet } from '@palisade/agent-protocol/wire'
import { rangeLength } from '../chunks/chunk-range.ts'
import { fetchChunks } from '../disk-layout/fetch-chunks.ts'
import type { RestoreKeys } from '../end-to-end/task-keys.ts'
import type { RequestContext } from '../server/request-context.ts'
import type { FetchRange } from './instant-disk.ts'

/** Fetches what is read of a disk that is still in the vault. */
export function fetchForReading(restoreId: string, keys: RestoreKeys, context: RequestContext): FetchRange {
  return ({ revision, geometry, presence, firstChunk }, { from, to }) =>
    fetchChunks(
      restoreId,
      revision,
      {
        from: firstChunk + from,
        to: firstChunk + to,
        sizeBytes: rangeLength(geometry, { from, to }),
        isStored: (index) => isSet(presence, from + index),
      },
      keys(revision),
      context,
    )
}
