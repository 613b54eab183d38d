import type { UnicodeMap } from '../matching/index.ts'

/** What a rule file sets besides rules. The defaults are ModSecurity 2.9's. */
export interface Settings {
  /** `detection-only` runs the rules and interrupts nothing. */
  ruleEngine: RuleEngineMode
  /** Whether request bodies are parsed and inspected. */
  requestBodyAccess: boolean
  /**
   * Whether every body is read, of whatever content type or of none, and what is wrong with it told. No directive sets it: ModSecurity
   * reads forms, and others where rules say so.
   */
  readsEveryBody: boolean
  /**
   * Whether rules also see what arguments, cookies and texts of XML are without the encodings that they are in, and arguments of one name
   * joined. No directive sets it: in ModSecurity the transformations of rules are all that is decoded.
   */
  readsEncodedValues: boolean
  /**
   * Whether rules about all arguments (`ARGS`) also see what is odd in headers and in the path. No directive sets it: in ModSecurity the
   * variables of a rule are all that it sees.
   */
  readsOtherPlaces: boolean
  /** Bytes of a request body; beyond it `requestBodyLimitAction` says what happens. */
  requestBodyLimitBytes: number
  /** Bytes of a request body without the files in it. */
  requestBodyNoFilesLimitBytes: number
  requestBodyLimitAction: LimitAction
  /** Nested arrays and objects of a JSON body. */
  jsonDepthMax: number
  /** Arguments of a request; more are an error of the body. */
  argumentsMax: number
  /** Files of a multipart body. */
  filesMax: number
  /** Whether response bodies are inspected. */
  responseBodyAccess: boolean
  /** In lower case, without parameters; `(null)` stands for a response without a type. */
  responseBodyMimeTypes: readonly string[]
  responseBodyLimitBytes: number
  responseBodyLimitAction: LimitAction
  /** One character between arguments of a form. */
  argumentSeparator: string
  /** 0: plain name=value pairs; 1: with `$Version` and quotes (RFC 2965). */
  cookieFormat: 0 | 1
  /** Seconds after which what a stored collection was not told to expire is forgotten. */
  collectionTimeoutSeconds: number
  webApplicationId: string
  /** The table by which `urlDecodeUni` maps what lies beyond a byte; without, the lower byte is taken. */
  unicodeMap: UnicodeMap | undefined
  /** Names that rule sets give themselves: "OWASP_CRS/3.3.4". */
  componentSignatures: readonly string[]
}

/** What `SecRuleEngine` says: rules interrupt, do not run, or run and interrupt nothing. */
export type RuleEngineMode = 'on' | 'off' | 'detection-only'

/** What happens to a body beyond its limit: it is refused, or its beginning is inspected. */
export type LimitAction = 'reject' | 'process-partial'

/** The settings of a rule set that sets nothing. */
export function defaultSettings(): Settings {
  return {
    ruleEngine: 'off',
    requestBodyAccess: false,
    readsEveryBody: false,
    readsEncodedValues: false,
    readsOtherPlaces: false,
    requestBodyLimitBytes: 134_217_728,
    requestBodyNoFilesLimitBytes: 1_048_576,
    requestBodyLimitAction: 'reject',
    jsonDepthMax: 10_000,
    argumentsMax: 1000,
    filesMax: 100,
    responseBodyAccess: false,
    responseBodyMimeTypes: ['text/plain', 'text/html'],
    responseBodyLimitBytes: 524_288,
    responseBodyLimitAction: 'reject',
    argumentSeparator: '&',
    cookieFormat: 0,
    collectionTimeoutSeconds: 3600,
    webApplicationId: 'default',
    unicodeMap: undefined,
    componentSignatures: [],
  }
}
