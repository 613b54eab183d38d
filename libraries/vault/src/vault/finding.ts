/**
 * What a check has found:
 *
 * - `configuration-damaged` one of the two objects with the vault's keys is missing or changed; `repair` writes it anew
 * - `pack-missing`          a pack has disappeared while the vault was open
 * - `pack-damaged`          its table or header is not what was written; `repair` saves the chunks that are still intact
 * - `chunk-damaged`         chunks of a pack cannot be opened; `repair` forgets them, so that the next backup stores them again
 * - `revision-damaged`      the revision cannot be read; only deleting it helps
 * - `revision-incomplete`   some of its chunks are lost or damaged, or put together wrongly
 * - `index-wrong`           the index in memory differs from the packs; `repair` makes it anew
 * - `segment-damaged`       costs time at opening and nothing else; `repair` makes it anew
 * - `domain-nameless`       the domain's name is lost; a backup of the domain writes it again
 * - `object-unknown`        no object of a vault has such a name
 */
export interface Finding {
  readonly code:
    | 'configuration-damaged'
    | 'pack-missing'
    | 'pack-damaged'
    | 'chunk-damaged'
    | 'revision-damaged'
    | 'revision-incomplete'
    | 'index-wrong'
    | 'segment-damaged'
    | 'domain-nameless'
    | 'object-unknown'
  readonly domain?: string
  /** Name of the object in the storage: below the vault's directory, or after the prefix in the bucket. */
  readonly object: string
  /**
   * The revisions that cannot be restored completely because of it, as far as that can be told: of a damaged revision
   * itself, of a pack those that need one of its damaged chunks.
   */
  readonly revisions: readonly string[]
  /** How many chunks of the pack, or of the revision, are lost or damaged; absent where nobody knows. */
  readonly chunks?: number
  readonly message: string
}
