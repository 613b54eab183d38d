import type {
  SnapshotAttackTypes,
  SnapshotInputPattern,
  SnapshotPlace,
  SnapshotValueChecks,
} from './policy.ts'

/** What the JSON of some requests may be. */
export interface SnapshotJsonProfile extends SnapshotPlace {
  readonly name: string
  readonly isPassive: boolean
  /** In upper case; any when empty. */
  readonly methods: readonly string[]
  /** Bodies of these types are JSON, in lower case; `application/json` and what ends in `+json` when empty. */
  readonly contentTypes: readonly string[]
  readonly limits: SnapshotJsonLimits
  /** Keys whose values are not checked, as `SnapshotJsonKeyProfile.key`. */
  readonly ignoredKeys: readonly string[]
  /** Whether attacks are also looked for in the names of keys. */
  readonly checksNames: boolean
  /** What is looked for in values of keys that have no profile. */
  readonly attackTypes: SnapshotAttackTypes
  /** Those that are switched on; the first that fits a key counts. */
  readonly keys: readonly SnapshotJsonKeyProfile[]
}

/** Whole numbers in decimal digits, with a "-" before negative ones; absent for no limit. */
export interface SnapshotNumberRange {
  readonly min?: string
  readonly max?: string
}

/** How large a document may be; 0 for any size. */
export interface SnapshotJsonLimits {
  /** How many objects and arrays may be open at once. */
  readonly depth: number
  /** In the whole document. */
  readonly keys: number
  /** In one object. */
  readonly siblings: number
  readonly arrayElements: number
  /** Of the name of a key, and of a string. */
  readonly keyCharacters: number
  readonly valueCharacters: number
  readonly numbers: SnapshotNumberRange
}

/** What the value of a key may be. Limits of 0 leave it to the profile. */
export interface SnapshotJsonKeyProfile extends SnapshotValueChecks {
  readonly name: string
  /** A path of names with dots between them, in which `*` stands for any characters; a single name is meant anywhere. */
  readonly key: string
  readonly type: 'any' | 'array' | 'number' | 'object' | 'string'
  readonly allowsNull: boolean
  /** What a whole string has to look like: one of these regular expressions; anything when empty. */
  readonly shapes: readonly string[]
  /** As a parameter profile has them. */
  readonly inputPatterns?: readonly SnapshotInputPattern[]
  /** In an object that is the value, and elements of an array that is. */
  readonly keys: number
  readonly arrayElements: number
  readonly numbers: SnapshotNumberRange
}
