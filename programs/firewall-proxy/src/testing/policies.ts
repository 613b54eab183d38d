import type {
  SnapshotAttackTypes,
  SnapshotChecks,
  SnapshotPolicy,
  SnapshotProtectedData,
} from '@palisade/proxy-protocol'
import { emptyRuleSets } from './rules.ts'

/** Looks for nothing. */
export const noAttackTypes: SnapshotAttackTypes = { ofRules: [], patterns: [], exceptRules: [] }

/** Of everything that the rule set knows. */
export const allAttackTypes: SnapshotAttackTypes = {
  ...noAttackTypes,
  ofRules: [
    'Apache Struts attacks',
    'Cross-Site Scripting',
    'HTTP Specific Injection',
    'LDAP Injection',
    'OS Command Injection',
    'Python-PHP attacks',
    'SQL Injection',
  ],
}

/** A policy that finds nothing but what a test adds; what is found is refused and logged. */
export function testPolicy(more: Partial<SnapshotPolicy> = {}): SnapshotPolicy {
  return {
    name: 'own',
    actions: {},
    denials: [
      {
        kind: 'page',
        page: { status: 403, headers: { 'Content-Type': 'text/html' }, body: 'refused: %attack-name' },
      },
    ],
    normalization: { decodesTwice: false, narrowsCharacters: false, parameterSeparators: '&' },
    globalAcls: [],
    urlProtection: {
      methods: [],
      contentTypes: [],
      contentBytes: 0,
      parameterNameCharacters: 0,
      files: 100,
      allowsQuery: true,
      attackTypes: allAttackTypes,
    },
    parameterProtection: {
      ignored: [],
      deniedCharacters: '',
      valueCharacters: 0,
      checksNames: false,
      decodesBase64: false,
      uploads: { by: 'extension', allowed: ['*'] },
      attackTypes: allAttackTypes,
    },
    hiddenHeaders: [],
    tarpit: { delaySeconds: 1, backlogMax: 1, silenceSeconds: 1 },
    protectedData: [],
    ...more,
  }
}

/** A service that says nothing of its own but what a test adds. */
export function testChecks(more: Partial<SnapshotChecks> = {}): SnapshotChecks {
  return {
    ignoresCase: true,
    logLevel: 7,
    blockedClients: [],
    urlAcls: [],
    headerAcls: [],
    urlPolicies: [],
    ...more,
  }
}

/** Numbers of cards of one sort, overwritten but for their last four digits. */
export const cardNumbers: SnapshotProtectedData = {
  name: 'cards',
  does: 'cloak',
  keepsInitial: 0,
  keepsTrailing: 4,
  patterns: [
    {
      type: 'data',
      isCaseSensitive: false,
      isPassive: false,
      name: 'visa',
      regex: '\\b4[0-9]{3}(?:[ -]?[0-9]{4}){3}\\b',
      checkDigits: 'credit-card',
    },
  ],
}

/** A service that blocks, and keeps these numbers from leaving in any answer. */
export const protectsCards = {
  rules: emptyRuleSets,
  service: {
    inspection: { mode: 'active' },
    checks: testChecks({
      urlPolicies: [
        {
          name: 'all',
          host: '*',
          url: '/*',
          extendedMatch: '*',
          sequence: 1,
          isPassive: false,
          protectsData: true,
        },
      ],
    }),
  },
  policy: testPolicy({ protectedData: [cardNumbers] }),
} as const
