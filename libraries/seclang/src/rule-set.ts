import type { CollectionStorage } from './collections/collection-storage.ts'
import { MemoryCollectionStorage } from './collections/memory-collection-storage.ts'
import {
  type CompiledRules,
  compileRuleSet,
  type InactiveRule,
  type MissingMarker,
} from './compile/compile-rule-set.ts'
import { prepareExclusions, type RuleExclusion } from './compile/prepare-exclusions.ts'
import { ContentCache } from './content/content-cache.ts'
import { Transaction } from './engine/transaction.ts'
import type { RuleExclusions } from './inspection/rule-exclusions.ts'
import { RuntimeExclusions } from './inspection/runtime-exclusions.ts'
import { parseRuleFiles, type RuleSource } from './language/parse-rule-files.ts'
import type { RuleEngineMode, Settings } from './language/settings.ts'
import type { InjectionDetector } from './matching/index.ts'
import type { Connection } from './request/messages.ts'

/** What to load, and how. */
export interface RuleSetOptions {
  /** Read in this order. */
  readonly sources: readonly RuleSource[]
  /** Where IP, SESSION and the like are kept; in the memory of the rule set by default. */
  readonly storage?: CollectionStorage
  /** The clock, in milliseconds since 1970; the machine's by default. */
  readonly now?: () => number
  /** Whether bodies of every content type are read; otherwise as in ModSecurity (the default). */
  readonly readsEveryBody?: boolean
  /**
   * Whether rules also see what values are without the encodings that they are in, in layers: Base64, hexadecimal digits, percent signs,
   * escapes, entities, UTF-7, JSON in a value; and arguments of one name joined by commas. Otherwise as in ModSecurity (the default).
   */
  readonly readsEncodedValues?: boolean
  /**
   * Whether rules about all arguments (`ARGS`) also see values of headers, the end of the path, names of arguments and files, and single texts of
   * documents of XML, where these have characters in them that attacks need. They keep their names: `REQUEST_HEADERS:User-Agent`,
   * `REQUEST_FILENAME:end`, `ARGS_NAMES:a`, `FILES:field` and `XML:/*`. Otherwise as in ModSecurity (the default).
   */
  readonly readsOtherPlaces?: boolean
  /** What `@detectSQLi` and `@detectXSS` ask; without it, rules that need it never match (see {@link RuleSet.inactiveRules}). */
  readonly injections?: InjectionDetector
  /** Whether rules that cannot match are left out early (the default). The results are the same without, only later. */
  readonly usePrefilter?: boolean
}

/** What a transaction is told when it begins. */
export interface TransactionOptions {
  readonly connection: Connection
  /** UNIQUE_ID; made up by default. */
  readonly uniqueId?: string
  /** What separates arguments, each of its characters; as the settings say by default. */
  readonly argumentSeparators?: string
  /** What is left out for this one; of the same rule set. */
  readonly exclusions?: RuleExclusions
}

/** Rules that were read and compiled. Never changes; any number of transactions may run on it side by side. */
export class RuleSet {
  readonly settings: Readonly<Settings>
  /** The detector that the rules were loaded with. */
  readonly injections: InjectionDetector | undefined
  readonly #rules: CompiledRules
  readonly #storage: CollectionStorage
  readonly #now: () => number
  readonly #contents = new ContentCache()

  constructor(
    rules: CompiledRules,
    settings: Readonly<Settings>,
    storage: CollectionStorage,
    now: () => number,
    injections: InjectionDetector | undefined,
  ) {
    this.settings = settings
    this.injections = injections
    this.#rules = rules
    this.#storage = storage
    this.#now = now
  }

  /** How many rules there are; a chain counts as one. */
  get size(): number {
    return this.#rules.count
  }

  /** Rules that never match here, with the reason. To be shown to the administrator. */
  get inactiveRules(): readonly InactiveRule[] {
    return this.#rules.inactive
  }

  /** Rules that leave out the rest of their phase, for want of the marker they name. To be shown to the administrator. */
  get missingMarkers(): readonly MissingMarker[] {
    return this.#rules.missingMarkers
  }

  /**
   * Prepares what transactions are to leave out.
   *
   * @throws {Error} when a target is not understood
   */
  exclusions(exclusions: readonly RuleExclusion[]): RuleExclusions {
    return prepareExclusions(exclusions, this.#rules.select)
  }

  /**
   * The same rules with another engine, whatever `SecRuleEngine` says, and with stored collections of their own. Costs nothing but
   * the storage: the compiled rules are shared.
   */
  withEngine(ruleEngine: RuleEngineMode, storage: CollectionStorage): RuleSet {
    return new RuleSet(this.#rules, { ...this.settings, ruleEngine }, storage, this.#now, this.injections)
  }

  newTransaction({ exclusions, argumentSeparators, ...options }: TransactionOptions): Transaction {
    return new Transaction({
      ...options,
      settings:
        argumentSeparators === undefined
          ? this.settings
          : { ...this.settings, argumentSeparator: argumentSeparators },
      rules: this.#rules.byPhase,
      readsResponseBodyAtEnd: this.#rules.readsResponseBodyAtEnd,
      storage: this.#storage,
      now: this.#now,
      exclusions: new RuntimeExclusions(this.#rules.count, exclusions),
      contents: this.#contents,
      gateKeys: this.#rules.gateKeys,
      slots: this.#rules.slots,
    })
  }
}

/**
 * Reads rule files and compiles them.
 *
 * @throws {RuleSetFailure} at the first thing that is not understood, with file and line
 */
export function loadRuleSet(options: RuleSetOptions): RuleSet {
  const { statements, settings } = parseRuleFiles(options.sources)
  const rules = compileRuleSet(statements, {
    usePrefilter: options.usePrefilter ?? true,
    unicodeMap: settings.unicodeMap,
    injections: options.injections,
  })
  return new RuleSet(
    rules,
    {
      ...settings,
      readsEveryBody: options.readsEveryBody ?? false,
      readsEncodedValues: options.readsEncodedValues ?? false,
      readsOtherPlaces: options.readsOtherPlaces ?? false,
    },
    options.storage ?? new MemoryCollectionStorage(),
    options.now ?? Date.now,
    options.injections,
  )
}
