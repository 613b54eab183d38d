import type { SnapshotLearntParameters, SnapshotLearntUrls } from './settings.generated.ts'

/** From which requests a proxy learns what requests of the application look like. */
export interface SnapshotLearning extends SnapshotLearntParameters, SnapshotLearntUrls {
  /**
   * `successes`: answered with 2xx; `successes-and-redirects`: below 400; `trusted`: those of trusted clients, answered below 400. Of
   * clients that are not trusted only those requests count in which nothing was found.
   */
  readonly from: 'successes' | 'successes-and-redirects' | 'trusted'
  /** Addresses and networks with "/". */
  readonly trusted: readonly string[]
  /** The places that are learnt from, or are not, most specific first: the first that fits counts. Everywhere when absent. */
  readonly places?: readonly { readonly host: string; readonly url: string; readonly learns: boolean }[]
  /** Beginnings that addresses have in common which differ up to the next `end` only; an empty `end` is that of the address. */
  readonly urlTokens: readonly { readonly start: string; readonly end: string }[]
  /** Beginnings that parameters have in common which are learnt as one. */
  readonly parameterTokens: readonly string[]
  /** The key with which digests of values are made, so that who sees a digest does not learn the value. In base64url. */
  readonly key: string
}

/** What was learnt of requests for one URL of a service. Two of the same URL make one. All lists are bounded. */
export interface LearntUrl {
  readonly service: string
  /** The path; `*` stands for what differs from request to request. */
  readonly url: string
  /** The parameter whose value tells the page from others of that path. */
  readonly navigation?: { readonly parameter: string; readonly value: string }
  readonly requests: number
  /** Addresses; of IPv6 the networks of subscribers, such as `2001:db8:1:2::/64`. */
  readonly clients: readonly string[]
  /** In milliseconds since 1970. */
  readonly firstAt: number
  readonly lastAt: number
  readonly methods: readonly string[]
  readonly contentTypes: readonly string[]
  /** The largest body, without its files. */
  readonly bodyBytes: number
  /** The largest number of files that came with one request. */
  readonly files: number
  /** One for each name and place. */
  readonly parameters: readonly LearntParameter[]
}

/** What was learnt of a parameter. */
export interface LearntParameter {
  readonly name: string
  readonly in: 'form' | 'json' | 'file'
  /** Requests that had it. */
  readonly requests: number
  /** As those of the URL. */
  readonly clients: readonly string[]
  /** How often it came at once, and its longest value in bytes. */
  readonly instances: number
  readonly length: number
  /** The classes to which all values belong that were not empty. */
  readonly classes: readonly LearntClass[]
  /** Which characters there were besides letters, digits and blanks of ASCII; a byte string without repetitions. */
  readonly characters: string
  /** Values of several words. */
  readonly sentences: number
  /** The values that came; those of which two clients have sent are told. Empty when there are too many or they are nobody's business. */
  readonly values: readonly LearntValue[]
  readonly hasOtherValues: boolean
  /** Of files, in lower case. */
  readonly extensions: readonly string[]
}

/** A value of a parameter. */
export interface LearntValue {
  /** Of name and value, keyed by {@link SnapshotLearning.key}; 11 characters of base64url. */
  readonly digest: string
  /** A byte string; present where it may be told. */
  readonly value?: string
}

/** Classes of values, as parameter profiles call them; most narrow first. */
export const learntClasses = ['Integer', 'Hex Number', 'Email', 'Alpha', 'Alphanumeric'] as const

/** One of {@link learntClasses}. */
export type LearntClass = (typeof learntClasses)[number]

/** How much is kept of one URL, of one parameter, and how much goes into one message. */
export const learntMax = {
  urls: 1_000,
  urlsOfMessage: 100,
  clients: 20,
  parameters: 100,
  values: 16,
  valueLength: 64,
  methods: 10,
  contentTypes: 10,
  extensions: 20,
} as const

/** What proxies have learnt since they told it last. */
export interface ProxyLearnt {
  readonly urls: readonly LearntUrl[]
}

/** Tells URLs apart. */
export function learntKey({ service, url, navigation }: LearntUrl): string {
  return JSON.stringify([service, url, navigation?.parameter ?? '', navigation?.value ?? ''])
}

/** What two sketches of the same URL say together. */
export function mergedUrl(one: LearntUrl, other: LearntUrl): LearntUrl {
  const parameters = new Map(one.parameters.map((parameter) => [parameterKey(parameter), parameter]))
  for (const parameter of other.parameters) {
    const key = parameterKey(parameter)
    const ownParameter = parameters.get(key)
    if (ownParameter === undefined && parameters.size >= learntMax.parameters) continue
    parameters.set(key, ownParameter === undefined ? parameter : mergedParameter(ownParameter, parameter))
  }
  return {
    ...one,
    requests: one.requests + other.requests,
    clients: union(one.clients, other.clients, learntMax.clients),
    firstAt: Math.min(one.firstAt, other.firstAt),
    lastAt: Math.max(one.lastAt, other.lastAt),
    methods: union(one.methods, other.methods, learntMax.methods),
    contentTypes: union(one.contentTypes, other.contentTypes, learntMax.contentTypes),
    bodyBytes: Math.max(one.bodyBytes, other.bodyBytes),
    files: Math.max(one.files, other.files),
    parameters: [...parameters.values()],
  }
}

/** A member of JSON may be called like a parameter of the query. */
function parameterKey({ name, in: source }: LearntParameter): string {
  return `${source} ${name}`
}

function mergedParameter(one: LearntParameter, other: LearntParameter): LearntParameter {
  const values = mergedValues(one.values, other.values)
  const hasOtherValues = one.hasOtherValues || other.hasOtherValues || values.length > learntMax.values
  return {
    ...one,
    requests: one.requests + other.requests,
    clients: union(one.clients, other.clients, learntMax.clients),
    instances: Math.max(one.instances, other.instances),
    length: Math.max(one.length, other.length),
    classes: one.classes.filter((name) => other.classes.includes(name)),
    characters: [...new Set(one.characters + other.characters)].sort().join(''),
    sentences: one.sentences + other.sentences,
    values: hasOtherValues ? [] : values,
    hasOtherValues,
    extensions: union(one.extensions, other.extensions, learntMax.extensions),
  }
}

function mergedValues(one: readonly LearntValue[], other: readonly LearntValue[]): LearntValue[] {
  const byDigest = new Map(one.map((value) => [value.digest, value]))
  for (const value of other) {
    const ownValue = byDigest.get(value.digest)
    if (ownValue?.value === undefined) byDigest.set(value.digest, value)
  }
  return [...byDigest.values()]
}

function union(one: readonly string[], other: readonly string[], max: number): readonly string[] {
  if (other.every((item) => one.includes(item))) return one
  return [...new Set([...one, ...other])].slice(0, max)
}
