import type {
  SnapshotJsonKeyProfile,
  SnapshotJsonProfile,
  SnapshotNumberRange,
} from '@palisade/proxy-protocol'
import { type JsonScalarKind, type JsonVisitor, walkJson } from '@palisade/seclang'
import { shownName } from '../../logs/shown-name.ts'
import { type TextTest, wildcard } from '../../patterns/wildcard.ts'
import { type Finding, ValueChecks } from '../request-protection/value-checks.ts'
import { isInRange } from './number-range.ts'

/** Something that a document must not have. */
export interface JsonFinding extends Finding {
  /** The key profile that was broken. */
  readonly rule?: string
}

/** More is not told of one document; nobody would read it. */
const findingsMax = 50

/** How many levels a document may have where the profile's policy sets no limit: paths grow with each level. */
const depthMax = 512

/** How many characters of a path, and of a name in it, are compared with keys. Each value in an object bears the object's path. */
const pathMax = 1_000

/** Ends the walk through a document of which enough is known. */
class Enough extends Error {}

/** What the values of some keys may be, ready to be asked. */
interface KeyChecks {
  readonly fits: TextTest
  readonly profile: SnapshotJsonKeyProfile
  readonly values: ValueChecks
}

/** What documents may be, ready to be asked. */
export class JsonChecks {
  readonly profile: SnapshotJsonProfile
  readonly #keys: readonly KeyChecks[]
  readonly #ignored: readonly TextTest[]
  /** For what has no key profile. */
  readonly values: ValueChecks

  constructor(profile: SnapshotJsonProfile) {
    this.profile = profile
    this.#keys = profile.keys.map((key) => ({
      fits: keyTest(key.key),
      profile: key,
      // How long it may be is a matter of the document's limits, too.
      values: new ValueChecks({ ...key, valueCharacters: 0 }),
    }))
    this.#ignored = profile.ignoredKeys.map(keyTest)
    this.values = new ValueChecks({
      deniedCharacters: '',
      valueCharacters: 0,
      checksNames: profile.checksNames,
      decodesBase64: false,
      uploads: { by: 'extension', allowed: [] },
      attackTypes: profile.attackTypes,
    })
  }

  /**
   * What is wrong with a document.
   *
   * @param text a byte string @param isWhole whether that is all of it; otherwise nothing is wrong with where it ends
   */
  findings(text: string, isWhole: boolean): readonly JsonFinding[] {
    const walk = new Walk(this)
    try {
      // A character may have been cut.
      const problem = walkJson(isWhole ? text : text.replace(/(?<![\x80-\xff])[\x80-\xff]+$/, ''), walk)
      if (problem !== undefined && isWhole) walk.add('json-malformed', `The body is no JSON: ${problem}.`)
    } catch (error) {
      if (!(error instanceof Enough)) throw error
    }
    return walk.found
  }

  /** @param path names with dots between them */
  keyFor(path: string): KeyChecks | undefined {
    return this.#keys.find(({ fits }) => fits(path))
  }

  isIgnored(path: string): boolean {
    return this.#ignored.some((fits) => fits(path))
  }
}

/** A single name is meant wherever it is; names in paths tell capitals. */
function keyTest(key: string): TextTest {
  const bytes = Buffer.from(key, 'utf8').toString('latin1')
  const fits = wildcard(bytes, false)
  return bytes.includes('.') ? fits : (path) => fits(path.slice(path.lastIndexOf('.') + 1))
}

/** Where a value is. */
interface Placed {
  /** The path of the key that the value belongs to; for elements of an array, that of the array's key. */
  readonly path: string
  readonly key: KeyChecks | undefined
  readonly isIgnored: boolean
}

/** An object or array that is open. */
interface Level extends Placed {
  readonly kind: 'object' | 'array'
  /** Keys or elements so far. */
  count: number
  /** Of the value that comes next, in an object. */
  next: Placed
}

const top: Placed = { path: '', key: undefined, isIgnored: false }

/** One walk through one document. */
class Walk implements JsonVisitor {
  readonly found: JsonFinding[] = []
  readonly #checks: JsonChecks
  readonly #levels: Level[] = []
  #keys = 0

  constructor(checks: JsonChecks) {
    this.#checks = checks
  }

  add(attack: string, detail: string, key?: KeyChecks, isPassive = false): void {
    this.found.push({ attack, detail, isPassive, ...(key ? { rule: key.profile.name } : {}) })
    if (this.found.length >= findingsMax) throw new Enough()
  }

  begin(kind: 'object' | 'array'): void {
    const place = this.#place()
    const { path, key, isIgnored } = place
    if (!isIgnored) this.#checkType(kind, path, key)
    this.#levels.push({ kind, path, key, isIgnored, count: 0, next: place })
    const depth = this.#checks.profile.limits.depth || depthMax
    if (this.#levels.length > depth) {
      this.add('json-depth-exceeded', `The document has more levels than ${depth}.`)
      throw new Enough()
    }
  }

  name(name: string): void {
    const { keys, siblings, keyCharacters } = this.#checks.profile.limits
    const level = this.#levels.at(-1)
    if (level === undefined) return
    level.count++
    this.#keys++
    level.next = this.#placeOf(level, name)
    if (keys > 0 && this.#keys > keys) {
      this.add('json-key-count-exceeded', `The document has more keys than ${keys}.`)
      throw new Enough()
    }
    if (siblings > 0 && level.count === siblings + 1) {
      this.add('json-siblings-exceeded', `${shown(level.path)} has more keys than ${siblings}.`)
    }
    const ofProfile = level.key?.profile.keys ?? 0
    if (!level.isIgnored && ofProfile > 0 && level.count === ofProfile + 1) {
      this.add('json-siblings-exceeded', `${shown(level.path)} has more keys than ${ofProfile}.`, level.key)
    }
    if (keyCharacters > 0 && name.length > keyCharacters) {
      const detail = `A key has ${name.length} characters; ${keyCharacters} are allowed.`
      this.add('json-key-length-exceeded', detail)
    }
    this.#checkName(name, level.next)
  }

  scalar(kind: JsonScalarKind, text: string): void {
    const { path, key, isIgnored } = this.#place()
    if (isIgnored) return
    this.#checkType(kind, path, key)
    if (kind === 'number') this.#checkNumber(text, path, key)
    if (kind === 'string') this.#checkLength(text, path, key)
    // Numbers and words have nothing in them that is looked for.
    const value = kind === 'string' || (kind === 'number' && key !== undefined) ? text : ''
    const checks = key?.values ?? this.#checks.values
    for (const { attack, detail, isPassive } of checks.valueFindings({ name: path, value })) {
      this.add(attack, detail, key, isPassive)
    }
  }

  end(): void {
    this.#levels.pop()
  }

  /** Where the value is that comes now; counts it where it is an element of an array. */
  #place(): Placed {
    const level = this.#levels.at(-1)
    if (level === undefined) return top
    if (level.kind === 'array') {
      this.#countElement(level)
      return level
    }
    return level.next
  }

  /** Where the value of a name in an object is. */
  #placeOf(level: Level, name: string): Placed {
    const last = name.slice(0, pathMax)
    const path = level.path === '' ? last : `${level.path.slice(0, pathMax)}.${last}`
    const isIgnored = level.isIgnored || this.#checks.isIgnored(path)
    return { path, key: isIgnored ? undefined : this.#checks.keyFor(path), isIgnored }
  }

  /** Each name by itself, and once: in a long path a client could have the same looked at again with every value. */
  #checkName(name: string, { key, isIgnored }: Placed): void {
    if (isIgnored) return
    const checks = key?.values ?? this.#checks.values
    for (const { attack, detail, isPassive } of checks.nameFindings(name)) {
      this.add(attack, detail, key, isPassive)
    }
  }

  #countElement(level: Level): void {
    level.count++
    const { arrayElements } = this.#checks.profile.limits
    const ofProfile = level.key?.profile.arrayElements ?? 0
    const tooMany = (limit: number) => `${shown(level.path)} has more elements than ${limit}.`
    if (arrayElements > 0 && level.count === arrayElements + 1) {
      this.add('json-array-size-exceeded', tooMany(arrayElements))
    }
    if (!level.isIgnored && ofProfile > 0 && level.count === ofProfile + 1) {
      this.add('json-array-size-exceeded', tooMany(ofProfile), level.key)
    }
  }

  #checkType(kind: JsonScalarKind | Level['kind'], path: string, key: KeyChecks | undefined): void {
    if (key === undefined) return
    const { type, allowsNull } = key.profile
    // What an array has in it is up to the value's class.
    const isElement = this.#levels.at(-1)?.kind === 'array'
    const isRight = kind === 'null' ? allowsNull : type === 'any' || type === kind || isElement
    if (!isRight) {
      const detail = `${shown(path)} is of the type ${kind}, which it must not be.`
      this.add('parameter-input-validation-failed', detail, key)
    }
  }

  #checkNumber(text: string, path: string, key: KeyChecks | undefined): void {
    const check = (range: SnapshotNumberRange, by?: KeyChecks) => {
      if (!isInRange(text, range)) {
        this.add('json-number-out-of-range', `${shown(path)} is a number that is too small or too great.`, by)
      }
    }
    check(this.#checks.profile.limits.numbers)
    if (key) check(key.profile.numbers, key)
  }

  /** The lower limit counts. */
  #checkLength(text: string, path: string, key: KeyChecks | undefined): void {
    const { valueCharacters } = this.#checks.profile.limits
    const ofProfile = key?.profile.valueCharacters ?? 0
    const limit =
      valueCharacters === 0 || (ofProfile > 0 && ofProfile < valueCharacters) ? ofProfile : valueCharacters
    if (limit > 0 && text.length > limit) {
      const detail = `${shown(path)} has ${text.length} characters; ${limit} are allowed.`
      this.add('json-value-length-exceeded', detail, limit === ofProfile ? key : undefined)
    }
  }
}

/** A path as logs show it: short, and of harmless characters. */
function shown(path: string): string {
  if (path === '') return 'The document'
  return `The key "${shownName(path)}"`
}
