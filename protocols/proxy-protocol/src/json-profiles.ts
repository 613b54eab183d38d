import type {
  SnapshotAttackTypes,
  SnapshotInputChecks,
  SnapshotPlace,
  SnapshotValueChecks,
} from './policy.ts'
import type {
  SnapshotJsonKeySettings,
  SnapshotJsonProfileSettings,
  SnapshotJsonSizes,
  SnapshotNumberRange,
} from './settings.generated.ts'

/** What the JSON of some requests may be. */
export interface SnapshotJsonProfile extends SnapshotPlace, SnapshotJsonProfileSettings {
  readonly name: string
  readonly limits: SnapshotJsonLimits
  /** What is looked for in values of keys that have no profile. */
  readonly attackTypes: SnapshotAttackTypes
  /** Those that are switched on; the first that fits a key counts. */
  readonly keys: readonly SnapshotJsonKeyProfile[]
}

/** How large a document may be; 0 for any size. */
export interface SnapshotJsonLimits extends SnapshotJsonSizes {
  readonly numbers: SnapshotNumberRange
}

/** What the value of a key may be. Limits of 0 leave it to the profile. */
export interface SnapshotJsonKeyProfile
  extends SnapshotValueChecks,
    SnapshotInputChecks,
    SnapshotJsonKeySettings {
  readonly name: string
  readonly numbers: SnapshotNumberRange
}
