import type { Field, Fields, Section } from '../../../kinds/kind.ts'

/*
 * When the same violation keeps coming from many clients, the configuration is probably too strict, and an
 * exception is proposed or made. What is done about a violation, and when, depends on the level of exception
 * profiling that a service has, and on whether the clients are trusted hosts.
 *
 * For each violation and level:
 *   setting-{level}-{violation}             who makes the exception: Auto, Manual (proposed to a person), or Off
 *   count-{level}-{violation}               how many violations it takes; trusted hosts need no number
 *   newvalue-{level}-{violation}            what the exception is
 *
 * For each violation of the HTTP protocol, at whatever level:
 *   adaptive-protocol-{violation}           as setting
 *   adaptive-protocol-count-{violation}     as count, but text
 *   adaptive-protocol-newvalue-{violation}  as newvalue
 */

const levels = ['low', 'medium', 'high', 'trusted'] as const
type Level = (typeof levels)[number]

/** What can become of a limit that was too low. */
const raised = ['Increase 100%', 'Increase 200%', 'Increase 50%', 'Infinite', 'Use Request Value'] as const
const raisedWithinBounds = raised.filter((value) => value !== 'Infinite')
/** What can become of a pattern that matches what is harmless. */
const allowed = ['Allow Matching Patterns'] as const

/** The violations, and what an exception for each can be. For some there is nothing to choose. */
const violations: Readonly<Record<string, readonly string[]>> = {
  'apachestruts-header': allowed,
  'apachestruts-param': allowed,
  'apachestruts-url': allowed,
  'content-length': raised,
  'contenttype-postbody': ['Add to the list'],
  'cookie-expired': ['Set the Cookie Max Age'],
  'cookie-tampered': [],
  'count-exceeded': raised,
  'crosssite-header': allowed,
  'crosssite-param': allowed,
  'crosssite-req-forgery-attack': ['set CSRF Prevention to None'],
  'crosssite-url': allowed,
  'customattack-header': allowed,
  'customattack-param': allowed,
  'customattack-url': allowed,
  'deny-acl-match': ['Process the Request'],
  'dirtraversal-header': allowed,
  'dirtraversal-param': allowed,
  'fileupload-size': raised,
  'forbidden-method': ['Add the method'],
  'forbiddenfile-ext': ['Add the Extension'],
  'header-count': raised,
  'header-name': raised,
  'header-replayattack': ['Disable Cookie Replay Protection'],
  'header-value': raised,
  'hiddenparam-tampered': ['Create a new Parameter Profile'],
  'httpspec-header': allowed,
  'httpspec-param': allowed,
  'httpspec-url': allowed,
  'ip-replayattack': ['Disable Cookie Replay Protection'],
  'ldap-header': allowed,
  'ldap-param': allowed,
  'ldap-url': allowed,
  'length-exceeded': raised,
  'mandatoryparam-missing': ['Set required to NO'],
  'max-array-values': raised,
  'max-key-length': raised,
  'max-number-value': raised,
  'max-object-child': raised,
  'max-object-depth': raised,
  'max-object-keys': raised,
  'max-value-length': raised,
  'maxinstances-param': raised,
  'metachar-header': allowed,
  'metachar-param': allowed,
  'namelength-exceeded': raised,
  'no-domainmatch': ['Add the Domain'],
  'no-paramprofile': ['Create a new Parameter Profile'],
  'no-urlprofile': ['Create a new URL Profile'],
  'oscommand-header': allowed,
  'oscommand-param': allowed,
  'oscommand-url': allowed,
  'param-length': raised,
  'param-notallowed': allowed,
  'paramname-length': raised,
  'paramvalidation-failed': allowed,
  'pythonphp-header': allowed,
  'pythonphp-param': allowed,
  'pythonphp-url': allowed,
  'query-length': raised,
  'query-notallowed': allowed,
  'remotefile-param': allowed,
  'remotefile-url': allowed,
  'req-length': raisedWithinBounds,
  'req-line-length': raisedWithinBounds,
  'sessionchoice-tampered': allowed,
  'sessioncontext-notfound': ['None'],
  'sessioninvariant-tampered': allowed,
  'sql-header': allowed,
  'sql-param': allowed,
  'sql-url': allowed,
  'toomany-params': raised,
  'toomany-uploadfiles': raised,
  'unrecognized-cookie': ['Increase Days to Allow Unrecognized Cookies'],
  'url-encryption': ['Add to the list'],
  'url-length': raised,
  'virus-found': allowed,
}

/** Members that the scheme would have and the API has not. */
const absent: ReadonlySet<string> = new Set([
  'count-low-paramvalidation-failed',
  'count-medium-param-notallowed',
  'setting-trusted-sessionchoice-tampered',
])

/** Violations of the HTTP protocol; where count and newvalue call one otherwise, how. */
const protocolViolations: Readonly<Record<string, { readonly count?: string; readonly newValue?: string }>> =
  {
    'content-length': {},
    directory: {},
    'get-request': { count: 'get-req', newValue: 'get-req' },
    'invalid-http': {},
    'invalid-method': {},
    'malformed-content': {},
    'malformed-cookie': {},
    'malformed-header': {},
    'malformed-param': {},
    'malformed-req': {},
    'malformed-ver': {},
    'missing-host': {},
    'parameter-large': { count: 'parameter-lagre' },
    'post-without-content': {},
    'pre10-req': {},
  }

/** The members of both schemes. */
function schemeFields(): Fields {
  const named = [
    ...Object.entries(violations).flatMap(([violation, newValues]) =>
      levels.flatMap((level) => fieldsOfViolation(violation, level, newValues)),
    ),
    ...Object.entries(protocolViolations).flatMap(([violation, { count, newValue }]) =>
      fieldsOfProtocolViolation(violation, count ?? violation, newValue ?? violation),
    ),
  ]
  return Object.fromEntries(named.filter(([name]) => !absent.has(name)))
}

function fieldsOfViolation(violation: string, level: Level, newValues: readonly string[]): NamedField[] {
  const isTrusted = level === 'trusted'
  return [
    [`setting-${level}-${violation}`, { type: 'choice', values: isTrusted ? ['Auto', 'Off'] : settings }],
    ...(isTrusted ? [] : [[`count-${level}-${violation}`, { type: 'integer', min: 0 }] satisfies NamedField]),
    ...(newValues.length === 0
      ? []
      : [[`newvalue-${level}-${violation}`, { type: 'choice', values: newValues }] satisfies NamedField]),
  ]
}

function fieldsOfProtocolViolation(violation: string, inCount: string, inNewValue: string): NamedField[] {
  return [
    [`adaptive-protocol-${violation}`, { type: 'choice', values: settings }],
    [`adaptive-protocol-count-${inCount}`, { type: 'string', lengthMax: 16 }],
    [`adaptive-protocol-newvalue-${inNewValue}`, { type: 'choice', values: raised }],
  ]
}

type NamedField = [name: string, field: Field]

const settings = ['Auto', 'Manual', 'Off'] as const

/** Settings of the whole machine; each service has its own level in `exception-profiling`. */
export const exceptionHeuristics = {
  title: 'Exception Heuristics',
  description: 'Which violations lead to exceptions in the configuration, after how many, and to which.',
  fields: {
    'adaptive-profiling-sensitivity': {
      type: 'choice',
      values: ['High', 'Low', 'Medium', 'Trusted'],
      description: 'How readily profiles are changed by what is learned.',
    },
    'learning-profile-update-interval': {
      type: 'integer',
      min: 1,
      max: 1440,
      unit: 'minutes',
      description: 'How often what was learned becomes part of profiles.',
    },
    ...schemeFields(),
  },
} as const satisfies Section

/** How long people take to fill in a form tells them from programs, and is learned from what is submitted. */
export const formLearningAdvancedSettings = {
  title: 'Form Learning Advanced Settings',
  description: 'When enough is known about a form for programs that fill it in to be recognised.',
  fields: {
    'locking-criteria': {
      type: 'choice',
      values: ['Total number of submits exceeds'],
      description: 'When learning ends.',
    },
    'minimum-fill-time-calculation': { type: 'choice', values: ['Internal Algorithm'] },
    'number-of-submits': { type: 'integer', min: 1, max: 10_000 },
  },
} as const satisfies Section
