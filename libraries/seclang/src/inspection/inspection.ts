import { randomUUID } from 'node:crypto'
import type { Argument, ParsedBody } from '../bodies/parsed-body.ts'
import { parseUrlEncoded, type UrlEncoded } from '../bodies/urlencoded.ts'
import type { CollectionStorage } from '../collections/collection-storage.ts'
import { StoredCollection } from '../collections/stored-collection.ts'
import { VariableCollection } from '../collections/variable-collection.ts'
import type { Candidates } from '../content/candidates.ts'
import { Content } from '../content/content.ts'
import type { ContentCache } from '../content/content-cache.ts'
import type { Target, TargetCollection } from '../content/target.ts'
import type { RuleEngineMode, Settings } from '../language/settings.ts'
import { joinedValues } from '../readings/joined-values.ts'
import { mayBeWhole } from '../readings/whole-encodings.ts'
import { withoutPercents } from '../readings/written-encodings.ts'
import { parseCookies } from '../request/cookies.ts'
import { headerList, headerValue, type NamedContent } from '../request/header-list.ts'
import type { Connection, RequestHead, ResponseHead } from '../request/messages.ts'
import { parseRequestTarget, type RequestTarget } from '../request/request-target.ts'
import type { Allowance, Interruption, RuleMatch } from './outcome.ts'
import type { RuntimeExclusions } from './runtime-exclusions.ts'

/** What the variable RULE tells of the rule whose actions run; messages as they are written. */
interface RunningRule {
  readonly id: number
  readonly message: { readonly source: string }
  readonly data: { readonly source: string }
  readonly severity: number | undefined
  readonly version: string
  readonly revision: string
}

/** What an inspection is made with. */
export interface InspectionContext {
  readonly settings: Readonly<Settings>
  readonly connection: Connection
  readonly storage: CollectionStorage
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly uniqueId?: string
  readonly exclusions: RuntimeExclusions
  readonly contents: ContentCache
  /** The variables of TX that gates ask for, in lower case. */
  readonly gateKeys: ReadonlySet<string>
  /** For how many slots there is something to remember ({@link Inspection.remember}). */
  readonly slots: number
}

type Lifetime = 'phase' | 'transaction'

/** Longer values of addresses seldom come again. */
const comingAgainLengthMax = 32

/** A message before anything is known of it. */
const noRequest: RequestHead = { method: '', uri: '', protocol: '', headers: [] }
const noResponse: ResponseHead = { status: 0, protocol: '', headers: [] }

/** Everything that rules read and change while one transaction runs. Rules, variables and actions work on it. */
export class Inspection {
  readonly settings: Readonly<Settings>
  readonly connection: Connection
  readonly now: () => number
  readonly startedAt: number
  readonly exclusions: RuntimeExclusions
  /** For texts that other transactions have as well. */
  readonly contents: ContentCache
  readonly #storage: CollectionStorage
  #uniqueId: string | undefined

  // What `ctl` may change for this transaction.
  ruleEngine: RuleEngineMode
  requestBodyAccess: boolean
  requestBodyLimitBytes: number
  responseBodyAccess: boolean
  responseBodyLimitBytes: number
  argumentsMax: number
  /** In upper case; empty when no processor fits the content type. */
  bodyProcessor = ''
  forcesRequestBodyVariable = false

  request = noRequest
  requestBody: string | undefined
  response = noResponse
  responseBody: string | undefined
  /** How long the body of the response was, which may be forgotten by then. */
  responseBodyLength: number | undefined
  hasInboundDataError = false
  hasOutboundDataError = false

  readonly tx: VariableCollection
  readonly environment = new VariableCollection('ENV')
  readonly #stored = new Map<string, StoredCollection>()
  sessionId: string | undefined
  userId: string | undefined

  /** What values can match in the phase under way; undefined when every rule runs. */
  candidates: Candidates | undefined
  /** The rule whose actions run, for %{rule.id}. */
  rule: RunningRule | undefined
  matchedTarget: Target | undefined
  /** Of the current rule and the rules before it in its chain. */
  matchedTargets: Target[] = []
  /** 0 is the gravest; 255 when nothing matched. */
  highestSeverity = 255

  readonly matches: RuleMatch[] = []
  interruption: Interruption | undefined
  /** What a rule of the phase under way has allowed. */
  allowance: Allowance | undefined
  /** Names of what the log must not show, as MATCHED_VAR_NAME has them. */
  readonly sanitisedNames = new Set<string>()

  #body: ParsedBody = {}
  readonly #valuesOfTransaction = new Map<object, TargetCollection>()
  /**
   * A new one in each phase. A map that is emptied leaves its table to the collection with everything in it, and what V8 holds for lasting,
   * as a request that waits for its server, it does not collect for long; nor what that refers to, such as a whole page.
   */
  #valuesOfPhase: Map<object, TargetCollection> | undefined
  readonly #remembered: unknown[]
  #hasRemembered = false
  readonly #parts = new Map<string, object>()

  constructor(context: InspectionContext) {
    const { settings } = context
    this.settings = settings
    this.connection = context.connection
    this.#storage = context.storage
    this.tx = new VariableCollection('TX', context.gateKeys)
    this.now = context.now
    this.startedAt = context.now()
    this.exclusions = context.exclusions
    this.contents = context.contents
    this.#remembered = new Array<unknown>(context.slots).fill(undefined)
    this.#uniqueId = context.uniqueId
    this.ruleEngine = settings.ruleEngine
    this.requestBodyAccess = settings.requestBodyAccess
    this.requestBodyLimitBytes = settings.requestBodyLimitBytes
    this.responseBodyAccess = settings.responseBodyAccess
    this.responseBodyLimitBytes = settings.responseBodyLimitBytes
    this.argumentsMax = settings.argumentsMax
  }

  /**
   * Forgets what may differ in the next phase. To be called when a phase ends as well: requests wait for their servers then, and what
   * each of them holds meanwhile V8 takes for something that stays.
   */
  forgetPhase(): void {
    this.#valuesOfPhase = undefined
    if (this.#hasRemembered) this.#remembered.fill(undefined)
    this.#hasRemembered = false
  }

  /** What was remembered in this phase by whoever has the slot, who knows what it is; undefined when nothing was. */
  remembered(slot: number): unknown {
    return this.#remembered[slot]
  }

  /** Remembers something for the rest of this phase. */
  remember<T extends object>(slot: number, something: T): T {
    this.#remembered[slot] = something
    this.#hasRemembered = true
    return something
  }

  /** The values of a variable that were kept and are still true; undefined when none were. */
  keptValues(variable: object, lifetime: Lifetime): TargetCollection | undefined {
    return (lifetime === 'phase' ? this.#valuesOfPhase : this.#valuesOfTransaction)?.get(variable)
  }

  /** Keeps the values of a variable for the rest of the phase or of the transaction. */
  keepValues(variable: object, lifetime: Lifetime, values: TargetCollection): TargetCollection {
    if (lifetime === 'transaction') this.#valuesOfTransaction.set(variable, values)
    else {
      this.#valuesOfPhase ??= new Map()
      this.#valuesOfPhase.set(variable, values)
    }
    return values
  }

  get uniqueId(): string {
    this.#uniqueId ??= randomUUID()
    return this.#uniqueId
  }

  get body(): ParsedBody {
    return this.#body
  }

  set body(body: ParsedBody) {
    this.#body = body
    this.forgetBodyParts()
    this.forgetPhase()
  }

  /** Forgets what was made of the request's body; whoever needs it again makes it anew. */
  forgetBodyParts(): void {
    for (const part of ['bodyArguments', 'bodyReadings', 'joinedReadings']) this.#parts.delete(part)
  }

  get target(): RequestTarget {
    return this.#part('target', () => parseRequestTarget(this.request.uri))
  }

  get requestHeaders(): readonly NamedContent[] {
    return this.#part('requestHeaders', () => headerList(this.request.headers, this.contents))
  }

  get responseHeaders(): readonly NamedContent[] {
    return this.#part('responseHeaders', () => headerList(this.response.headers, this.contents))
  }

  get cookies(): readonly NamedContent[] {
    return this.#part('cookies', () =>
      this.requestHeaders
        .filter(({ name }) => name.text.toLowerCase() === 'cookie')
        .flatMap(({ value }) => parseCookies(value.text, this.settings.cookieFormat))
        .map((cookie) => this.#namedAgain(cookie)),
    )
  }

  get queryString(): UrlEncoded {
    return this.#part('queryString', () =>
      parseUrlEncoded(this.target.query ?? '', this.settings.argumentSeparator),
    )
  }

  get queryArguments(): readonly NamedContent[] {
    return this.#part('queryArguments', () =>
      this.#upToMaximum(this.queryString.arguments, 0).map((argument) =>
        argument.value.length <= comingAgainLengthMax ? this.#namedAgain(argument) : this.#named(argument),
      ),
    )
  }

  get bodyArguments(): readonly NamedContent[] {
    return this.#part('bodyArguments', () =>
      this.#upToMaximum(this.body.arguments ?? [], this.queryArguments.length).map((argument) =>
        this.#named(argument),
      ),
    )
  }

  /** What the values of arguments could mean besides, by their names. */
  get queryReadings(): readonly NamedContent[] {
    return this.#part('queryReadings', () => this.#readingsOf(this.queryArguments))
  }

  get bodyReadings(): readonly NamedContent[] {
    return this.#part('bodyReadings', () => this.#readingsOf(this.bodyArguments))
  }

  /** Beside those of other values, what a cookie is without percent signs: rules decode parameters by themselves, and cookies mostly not. */
  get cookieReadings(): readonly NamedContent[] {
    return this.#part('cookieReadings', () => [
      ...this.cookies
        .filter(({ value }) => /%[\da-f]{2}/i.test(value.text))
        .map(({ name, value }) => ({ name, value: this.contents.of(withoutPercents(value.text)) })),
      ...this.#readingsOf(this.cookies),
    ])
  }

  /** What the values of one name are together, in the address and in a form; in JSON, a name that comes again is that of a list of objects. */
  get joinedReadings(): readonly NamedContent[] {
    return this.#part('joinedReadings', () => {
      const isForm = this.bodyProcessor === 'URLENCODED' || this.bodyProcessor === 'MULTIPART'
      const all = isForm ? [...this.queryArguments, ...this.bodyArguments] : this.queryArguments
      if (!hasNameTwice(all)) return []
      const argumentList = all.map(({ name, value }) => ({ name: name.text, value: value.text }))
      return joinedValues(argumentList).map((joined) => this.#named(joined))
    })
  }

  /** Whether more arguments came than are allowed; those beyond are not inspected. */
  get hasTooManyArguments(): boolean {
    return this.queryString.arguments.length + (this.body.arguments?.length ?? 0) > this.argumentsMax
  }

  /** @param lowerName in lower case */
  requestHeader(lowerName: string): string | undefined {
    return headerValue(this.request.headers, lowerName)
  }

  /** @param lowerName in lower case */
  responseHeader(lowerName: string): string | undefined {
    return headerValue(this.response.headers, lowerName)
  }

  /** A stored collection that a rule has opened. @param name in lower case */
  stored(name: string): StoredCollection | undefined {
    return this.#stored.get(name)
  }

  /** Opens a stored collection for this transaction; the first instance stays. @param name in lower case */
  openStored(name: string, instance: string): void {
    if (this.#stored.has(name)) return
    const expiresAt = this.startedAt + this.settings.collectionTimeoutSeconds * 1000
    this.#stored.set(name, new StoredCollection(this.#storage, name, instance, this.startedAt, expiresAt))
  }

  /** Hands the changes of all stored collections to the storage. */
  saveStored(): void {
    for (const collection of this.#stored.values()) collection.save(this.#storage)
  }

  #upToMaximum(list: readonly Argument[], counted: number): readonly Argument[] {
    if (list.length + counted <= this.argumentsMax) return list
    return list.slice(0, Math.max(0, this.argumentsMax - counted))
  }

  #readingsOf(list: readonly NamedContent[]): readonly NamedContent[] {
    const readings: NamedContent[] = []
    for (const { name, value } of list) {
      const encoded = isNameAlone(value.text) && mayBeWhole(name.text) ? name : value
      for (const reading of encoded.readings) readings.push({ name, value: reading })
    }
    return readings
  }

  /** What a client sends with each request: its cookies, and the short words and numbers of addresses. */
  #namedAgain({ name, value }: Argument): NamedContent {
    return { name: this.contents.of(name), value: this.contents.of(value) }
  }

  /** Names are few, values many. */
  #named({ name, value }: Argument): NamedContent {
    return { name: this.contents.of(name), value: new Content(value) }
  }

  #part<T extends object>(name: string, make: () => T): T {
    const part = this.#parts.get(name) as T | undefined
    if (part !== undefined) return part
    const newPart = make()
    this.#parts.set(name, newPart)
    return newPart
  }
}

/** Whether a name stands there without a value: then it may be Base64, with its padding for an equals sign and a value. */
function isNameAlone(value: string): boolean {
  return value === '' || value === '='
}

function hasNameTwice(list: readonly NamedContent[]): boolean {
  if (list.length < 2) return false
  return new Set(list.map(({ name }) => name.text.toLowerCase())).size < list.length
}
