import type { RuleExclusion, RuleMatch } from '@palisade/seclang'

/** Where in a request something was found, as attacks are named after it. */
export type AttackPlace = 'url' | 'parameter' | 'header'

/** Rules of the Core Rule Set that look for one sort of attack. */
export interface RuleGroup {
  /** As policies name it among the attack types that are blocked. */
  readonly type: string
  /** What the names of attacks of this sort begin with. */
  readonly stem: string
  readonly rules: readonly RuleExclusion['rules'][]
  /**
   * Whether a policy that does not list the type does without. Policies as they come list neither traversals nor inclusions, and
   * are not meant to let them pass.
   */
  readonly isOptional: boolean
}

/**
 * The first group that a match fits counts. Rules about Java are tagged as commands as well, and few of them as injections; those
 * about addresses of other hosts that a server is to ask bear a tag of their own since version 4.
 */
export const ruleGroups: readonly RuleGroup[] = [
  group('SQL Injection', 'sql-injection', [{ tag: 'attack-sqli' }]),
  group('Cross-Site Scripting', 'cross-site-scripting', [{ tag: 'attack-xss' }]),
  group('OS Command Injection', 'os-command-injection', [{ tag: 'attack-rce', withoutTag: 'language-java' }]),
  group('LDAP Injection', 'ldap-injection', [{ tag: 'language-ldap' }]),
  group('Python-PHP attacks', 'python-php-attack', [{ tag: 'attack-injection-php' }]),
  group('Apache Struts attacks', 'apache-struts-attack', [{ tag: 'language-java' }]),
  group(
    'Remote File Inclusion',
    'remote-file-inclusion',
    [{ tag: 'attack-rfi' }, { tag: 'attack-ssrf' }],
    false,
  ),
  group('Directory Traversal', 'directory-traversal', [{ tag: 'attack-lfi' }], false),
  // Smuggled requests, split answers, injected headers; the rule about LDAP among them has gone before.
  group('HTTP Specific Injection', 'http-specific-attack', [{ first: 921_000, last: 921_999 }]),
]

function group(type: string, stem: string, rules: RuleGroup['rules'], isOptional = true): RuleGroup {
  return { type, stem, rules, isOptional }
}

/** Attacks that single rules find, wherever it is; mostly requests that are no proper HTTP. */
export const attacksOfRules: Readonly<Record<string, readonly number[]>> = {
  'get-request-with-content-length': [920_170, 920_171],
  'invalid-header': [920_450, 920_451, 920_660],
  'invalid-http-version': [920_430],
  'invalid-or-malformed-http-request': [920_100, 920_210, 920_470, 920_610, 920_620],
  'invalid-url-character-set': [920_250, 920_260],
  'invalid-url-encoding': [920_220, 920_221, 920_240],
  'malformed-content-length': [920_160],
  'malformed-parameter': [920_120, 920_121, 922_100, 922_110, 922_120, 922_130, 922_150],
  'missing-host-header': [920_280, 920_290],
  'post-request-without-content-length': [920_180],
}

const attackByRule = new Map(
  Object.entries(attacksOfRules).flatMap(([attack, rules]) => rules.map((rule) => [rule, attack] as const)),
)

/** The variables of rules by the place that they show. Those that are not here belong to no part of a request. */
export const variablesOfPlaces: Readonly<Record<AttackPlace, readonly string[]>> = {
  url: [
    'REQUEST_URI',
    'REQUEST_URI_RAW',
    'REQUEST_FILENAME',
    'REQUEST_BASENAME',
    'REQUEST_LINE',
    'PATH_INFO',
  ],
  parameter: [
    'ARGS',
    'ARGS_GET',
    'ARGS_POST',
    'ARGS_NAMES',
    'ARGS_GET_NAMES',
    'ARGS_POST_NAMES',
    'QUERY_STRING',
    'REQUEST_BODY',
    'FILES',
    'FILES_NAMES',
    'MULTIPART_PART_HEADERS',
    'XML',
  ],
  header: ['REQUEST_HEADERS', 'REQUEST_HEADERS_NAMES', 'REQUEST_COOKIES', 'REQUEST_COOKIES_NAMES'],
}

const places = new Map(
  (['url', 'parameter', 'header'] as const).flatMap((place) =>
    variablesOfPlaces[place].map((variable) => [variable, place] as const),
  ),
)

/** The name of the attack that a group's rules find in a place. */
export function attackOf({ stem }: RuleGroup, place: AttackPlace): string {
  return stem === 'directory-traversal' && place === 'url'
    ? 'directory-traversal-beyond-root'
    : `${stem}-in-${place}`
}

/** The attack that a rule has found; undefined for rules that belong to none of the groups. */
export function attackOfMatch({ ruleId, tags, targetName }: RuleMatch): string | undefined {
  const ofRule = attackByRule.get(ruleId)
  if (ofRule !== undefined) return ofRule
  const group = ruleGroups.find(({ rules }) =>
    rules.some((one) =>
      'tag' in one
        ? tags.includes(one.tag) && !tags.some((tag) => tag === one.withoutTag)
        : ruleId >= one.first && ruleId <= one.last,
    ),
  )
  const place = places.get(targetName.split(':', 1)[0] ?? '')
  return group && place && attackOf(group, place)
}
