/**
 * What a check has found:
 *
 * - `pack-damaged`         its table or header is not what was written; `repair` saves the chunks that are still intact
 * - `chunk-damaged`        a chunk cannot be opened; `repair` forgets it, so that the next backup stores it again
 * - `revision-damaged`     the revision cannot be read; only deleting it helps
 * - `revision-incomplete`  some of its chunks are lost or damaged
 * - `index-wrong`          the index in memory differs from the packs; `repair` makes it anew
 * - `segment-damaged`      costs time at opening and nothing else; `repair` makes it anew
 * - `domain-nameless`      the domain's name is lost; a backup of the domain writes it again
 * - `object-unknown`       no object of a vault has such a name
 */
export interface Finding {
  readonly code:
    | 'pack-damaged'
    | 'chunk-damaged'
    | 'revision-damaged'
    | 'revision-incomplete'
    | 'index-wrong'
    | 'segment-damaged'
    | 'domain-nameless'
    | 'object-unknown'
  readonly domain?: string
  /** Name of the object in the storage. */
  readonly object: string
  readonly message: string
}
