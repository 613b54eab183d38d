import { isUtf8 } from 'node:buffer'
import type {
  SnapshotAttackTypes,
  SnapshotJsonProfile,
  SnapshotWebSocketPolicy,
} from '@palisade/proxy-protocol'
import { walkJson } from '@palisade/seclang'
import type { PlaceTest } from '../../conditions/place-test.ts'
import { attackOfPattern, PatternSearch } from '../../policy/attack-patterns.ts'
import { JsonChecks, type JsonFinding } from '../json-profiles/json-checks.ts'

/** A JSON profile, ready to be asked about messages. */
export interface JsonProfileChecks {
  readonly profile: SnapshotJsonProfile
  readonly fits: PlaceTest
  readonly checks: JsonChecks
}

/** A policy, ready to be asked about one WebSocket. */
export interface SocketPolicy {
  readonly settings: SnapshotWebSocketPolicy
  /** Those that count for the address of the WebSocket. */
  readonly jsonProfiles: readonly JsonProfileChecks[]
}

/** A message as far as it is understood. */
export interface ReadMessage {
  /** A byte string. */
  readonly text: string
  /** Whether it is sent as text and is none. */
  readonly isBrokenText: boolean
  readonly isJson: boolean
  /** Whether it could be read as a text or a document. */
  readonly mayBeText: boolean
}

/** Tells of nothing: for documents of which only that they are ones is asked. */
const silent = {
  begin: () => undefined,
  name: () => undefined,
  scalar: () => undefined,
  end: () => undefined,
}

/** What is looked for in the messages of clients besides what the rules find. */
export class MessageChecks {
  readonly #patterns: PatternSearch
  /** For JSON that has no profile. */
  readonly #json: JsonChecks

  /** @param attackTypes those of parameters */
  constructor(attackTypes: SnapshotAttackTypes) {
    this.#patterns = new PatternSearch(attackTypes.patterns)
    this.#json = new JsonChecks(withoutLimits(attackTypes))
  }

  /** @param isText whether it is sent as text */
  read(message: Buffer, isText: boolean): ReadMessage {
    const text = message.toString('latin1')
    const hasCharacters = isUtf8(message)
    return {
      text,
      isBrokenText: isText && !hasCharacters,
      isJson: walkJson(text, silent) === undefined,
      mayBeText: isText || isReadable(text, hasCharacters),
    }
  }

  findings(
    { text, isJson, mayBeText }: ReadMessage,
    { settings, jsonProfiles }: SocketPolicy,
  ): readonly JsonFinding[] {
    const { messages } = settings
    if (messages === undefined) return []
    if (messages.isJson && !isJson) {
      const detail = 'A message is no JSON.'
      return [{ attack: 'websocket-message-not-allowed', detail, isPassive: false }]
    }
    if (!mayBeText) return []
    const byProfiles = messages.checksJson ? jsonProfiles.flatMap((one) => findingsOf(one, text)) : []
    return [...byProfiles, ...(isJson ? this.#json.findings(text, true) : this.#patternIn(text))]
  }

  #patternIn(text: string): JsonFinding[] {
    const pattern = this.#patterns.isEmpty ? undefined : this.#patterns.firstIn(text)
    if (pattern === undefined) return []
    const detail = `A message has what the pattern ${pattern.name} looks for.`
    return [{ attack: attackOfPattern(pattern, 'parameter'), detail, isPassive: pattern.isPassive }]
  }
}

/**
 * Whether what is sent as bytes could be read as a text or a document: applications take what begins like a document for one, also where some
 * byte in it is no character.
 */
function isReadable(text: string, hasCharacters: boolean): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: texts have none of them
  return /^(?:\xef\xbb\xbf)?\s*["[{]/.test(text) || (hasCharacters && !/[\x00-\x08\x0e-\x1f]/.test(text))
}

function findingsOf({ profile, checks }: JsonProfileChecks, text: string): JsonFinding[] {
  return checks.findings(text, true).map((finding) => ({
    ...finding,
    isPassive: profile.isPassive || finding.isPassive,
    rule: finding.rule ?? profile.name,
  }))
}

function withoutLimits(attackTypes: SnapshotAttackTypes): SnapshotJsonProfile {
  return {
    name: '',
    host: '*',
    url: '/*',
    extendedMatch: '*',
    sequence: 0,
    isPassive: false,
    methods: [],
    contentTypes: [],
    ignoredKeys: [],
    checksNames: true,
    limits: {
      depth: 0,
      keys: 0,
      siblings: 0,
      arrayElements: 0,
      keyCharacters: 0,
      valueCharacters: 0,
      numbers: {},
    },
    attackTypes,
    keys: [],
  }
}
