import type { FactoryObject, InEveryParent } from '../../kinds/kind.ts'

type RiskScore = 'None' | 'Low' | 'Medium' | 'Elevated' | 'High' | 'Critical'

/** A kind of violation that the firewall tells apart. */
interface Attack {
  readonly name: string
  /**
   * What exported logs call it. Numbers below 1,000 are those that existing log analysis knows; the others are
   * ours. A number never changes and is never used again.
   */
  readonly number: number
  /** How much one violation adds to the risk of the client that caused it. */
  readonly risk: RiskScore
}

/** Requests that are no proper HTTP. */
const protocolViolations: readonly Attack[] = [
  { name: 'directory-traversal-beyond-root', number: 16, risk: 'High' },
  { name: 'get-request-with-content-length', number: 125, risk: 'Low' },
  { name: 'invalid-header', number: 121, risk: 'Medium' },
  { name: 'invalid-http-version', number: 1001, risk: 'Medium' },
  { name: 'invalid-method', number: 118, risk: 'Medium' },
  { name: 'invalid-or-malformed-http-request', number: 77, risk: 'Medium' },
  { name: 'malformed-content-length', number: 123, risk: 'High' },
  { name: 'malformed-cookie', number: 124, risk: 'Low' },
  { name: 'malformed-parameter', number: 1002, risk: 'Low' },
  { name: 'malformed-version', number: 1003, risk: 'Medium' },
  { name: 'missing-host-header', number: 126, risk: 'Low' },
  { name: 'parameter-too-large', number: 129, risk: 'Medium' },
  { name: 'post-request-without-content-length', number: 1004, risk: 'Low' },
  { name: 'pre-1.0-request', number: 1005, risk: 'Low' },
]

/** What the limits, the cookie security and the URL normalization of the policy refuse. */
const requestPolicyViolations: readonly Attack[] = [
  { name: 'cookie-count-exceeded', number: 1101, risk: 'Low' },
  { name: 'cookie-expired', number: 1102, risk: 'Low' },
  { name: 'cookie-name-length-exceeded', number: 1103, risk: 'Low' },
  { name: 'cookie-tampered', number: 1104, risk: 'Medium' },
  { name: 'cookie-value-length-exceeded', number: 1105, risk: 'Low' },
  { name: 'header-count-exceeded', number: 1106, risk: 'Low' },
  { name: 'header-name-length-exceeded', number: 1107, risk: 'Low' },
  { name: 'header-value-length-exceeded', number: 1108, risk: 'Low' },
  { name: 'invalid-url-character-set', number: 1109, risk: 'Medium' },
  { name: 'invalid-url-encoding', number: 1110, risk: 'Medium' },
  { name: 'mismatched-header-cookie-replay-attack', number: 1111, risk: 'High' },
  { name: 'mismatched-ip-cookie-replay-attack', number: 1112, risk: 'High' },
  { name: 'query-length-exceeded', number: 1113, risk: 'Low' },
  { name: 'slash-dot-in-url-path', number: 1114, risk: 'Medium' },
  { name: 'tilde-in-url-path', number: 1115, risk: 'Low' },
  { name: 'total-request-length-exceeded', number: 1116, risk: 'Low' },
  { name: 'total-request-line-length-exceeded', number: 1117, risk: 'Low' },
  { name: 'unrecognized-cookie', number: 1118, risk: 'Low' },
  { name: 'url-length-exceeded', number: 1119, risk: 'Low' },
]

const responseViolations: readonly Attack[] = [
  { name: 'error-response-suppressed', number: 1201, risk: 'None' },
  { name: 'identity-theft-pattern-matched', number: 1202, risk: 'Medium' },
  { name: 'response-header-suppressed', number: 1203, risk: 'None' },
]

const headerViolations: readonly Attack[] = [
  { name: 'apache-struts-attack-in-header', number: 1301, risk: 'Critical' },
  { name: 'cross-site-scripting-in-header', number: 1302, risk: 'High' },
  { name: 'custom-attack-pattern-in-header', number: 1303, risk: 'Medium' },
  { name: 'directory-traversal-in-header', number: 1304, risk: 'High' },
  { name: 'http-specific-attack-in-header', number: 1305, risk: 'High' },
  { name: 'ldap-injection-in-header', number: 1306, risk: 'High' },
  { name: 'metacharacter-in-header', number: 1307, risk: 'Medium' },
  { name: 'os-command-injection-in-header', number: 1308, risk: 'Critical' },
  { name: 'python-php-attack-in-header', number: 1309, risk: 'Critical' },
  { name: 'remote-file-inclusion-in-header', number: 1310, risk: 'High' },
  { name: 'sql-injection-in-header', number: 1311, risk: 'Critical' },
]

const applicationProfileViolations: readonly Attack[] = [
  { name: 'domain-not-found-in-profile', number: 130, risk: 'Low' },
  { name: 'no-url-profile-match', number: 131, risk: 'Low' },
]

/** What the URL protection of the policy, or a URL profile in its place, refuses. */
const urlProfileViolations: readonly Attack[] = [
  { name: 'apache-struts-attack-in-url', number: 1401, risk: 'Critical' },
  { name: 'content-length-exceeded', number: 1402, risk: 'Low' },
  { name: 'cross-site-request-forgery', number: 1403, risk: 'High' },
  { name: 'cross-site-scripting-in-url', number: 1404, risk: 'High' },
  { name: 'custom-attack-pattern-in-url', number: 1405, risk: 'Medium' },
  { name: 'http-specific-attack-in-url', number: 1406, risk: 'High' },
  { name: 'ldap-injection-in-url', number: 1407, risk: 'High' },
  { name: 'method-not-allowed', number: 1408, risk: 'Medium' },
  { name: 'no-param-profile-match', number: 1409, risk: 'Low' },
  { name: 'os-command-injection-in-url', number: 1410, risk: 'Critical' },
  { name: 'parameter-name-length-exceeded', number: 147, risk: 'Low' },
  { name: 'python-php-attack-in-url', number: 1411, risk: 'Critical' },
  { name: 'query-string-not-allowed', number: 1412, risk: 'Low' },
  { name: 'remote-file-inclusion-in-url', number: 1413, risk: 'High' },
  { name: 'session-context-not-found', number: 1414, risk: 'Low' },
  { name: 'sql-injection-in-url', number: 1415, risk: 'Critical' },
  { name: 'too-many-parameters', number: 1416, risk: 'Low' },
  { name: 'too-many-uploaded-files', number: 1417, risk: 'Low' },
  { name: 'unknown-content-type', number: 1418, risk: 'Low' },
]

/** What the parameter protection of the policy, or a parameter profile in its place, refuses. */
const parameterProfileViolations: readonly Attack[] = [
  { name: 'apache-struts-attack-in-parameter', number: 1501, risk: 'Critical' },
  { name: 'cross-site-scripting-in-parameter', number: 1502, risk: 'High' },
  { name: 'custom-attack-pattern-in-parameter', number: 1503, risk: 'Medium' },
  { name: 'directory-traversal-in-parameter', number: 1504, risk: 'High' },
  { name: 'file-upload-size-exceeded', number: 1505, risk: 'Low' },
  { name: 'forbidden-file-extension', number: 1506, risk: 'Medium' },
  { name: 'http-specific-attack-in-parameter', number: 1507, risk: 'High' },
  { name: 'ldap-injection-in-parameter', number: 1508, risk: 'High' },
  { name: 'mandatory-parameter-missing', number: 1509, risk: 'Low' },
  { name: 'maximum-instances-of-parameter-exceeded', number: 1510, risk: 'Low' },
  { name: 'metacharacter-in-parameter', number: 1511, risk: 'Medium' },
  { name: 'os-command-injection-in-parameter', number: 1512, risk: 'Critical' },
  { name: 'parameter-input-validation-failed', number: 1513, risk: 'Medium' },
  { name: 'parameter-not-allowed', number: 1514, risk: 'Low' },
  { name: 'parameter-value-length-exceeded', number: 1515, risk: 'Low' },
  { name: 'python-php-attack-in-parameter', number: 1516, risk: 'Critical' },
  { name: 'read-only-parameter-tampered', number: 1517, risk: 'High' },
  { name: 'remote-file-inclusion-in-parameter', number: 1518, risk: 'High' },
  { name: 'session-choice-parameter-tampered', number: 1519, risk: 'High' },
  { name: 'session-invariant-parameter-tampered', number: 1520, risk: 'High' },
  { name: 'spam-url-in-parameter', number: 1521, risk: 'Medium' },
  { name: 'sql-injection-in-parameter', number: 1522, risk: 'Critical' },
]

/** What rules for single addresses, clients and sessions find. */
const advancedPolicyViolations: readonly Attack[] = [
  { name: 'advanced-threat-found', number: 1601, risk: 'Critical' },
  { name: 'brute-force-from-all-sources', number: 1602, risk: 'High' },
  { name: 'brute-force-from-ip', number: 1603, risk: 'High' },
  { name: 'credential-spraying', number: 1604, risk: 'High' },
  { name: 'credential-stuffing', number: 1605, risk: 'High' },
  { name: 'deny-acl-matched', number: 1606, risk: 'Medium' },
  { name: 'form-spam', number: 1607, risk: 'Medium' },
  { name: 'invalid-encrypted-url', number: 1608, risk: 'High' },
  { name: 'rate-control-intrusion', number: 1609, risk: 'Medium' },
  { name: 'referer-spam', number: 1610, risk: 'Medium' },
  { name: 'slow-client-attack', number: 1611, risk: 'High' },
  { name: 'too-many-sessions-for-ip', number: 1612, risk: 'Medium' },
  { name: 'virus-found', number: 1613, risk: 'Critical' },
  { name: 'web-scraping', number: 1614, risk: 'Medium' },
]

/** What JSON bodies, web sockets and web tokens are refused for. */
const apiViolations: readonly Attack[] = [
  { name: 'json-array-size-exceeded', number: 1701, risk: 'Low' },
  { name: 'json-depth-exceeded', number: 1702, risk: 'Medium' },
  { name: 'json-key-count-exceeded', number: 1703, risk: 'Low' },
  { name: 'json-key-length-exceeded', number: 1704, risk: 'Low' },
  { name: 'json-malformed', number: 1705, risk: 'Low' },
  { name: 'json-number-out-of-range', number: 1706, risk: 'Low' },
  { name: 'json-siblings-exceeded', number: 1707, risk: 'Low' },
  { name: 'json-value-length-exceeded', number: 1708, risk: 'Low' },
  { name: 'jwt-validation-failed', number: 1709, risk: 'Medium' },
  { name: 'websocket-message-not-allowed', number: 1710, risk: 'Medium' },
  { name: 'websocket-origin-not-allowed', number: 1711, risk: 'Medium' },
  { name: 'websocket-protocol-violation', number: 1712, risk: 'Medium' },
]

/** What the client profile of the policy finds: the risk of a client reached one of its two thresholds. */
const clientViolations: readonly Attack[] = [
  { name: 'high-risk-client', number: 1801, risk: 'None' },
  { name: 'medium-risk-client', number: 1802, risk: 'None' },
]

/** Every attack that a security policy has an action for. */
const attacks: readonly Attack[] = [
  ...protocolViolations,
  ...requestPolicyViolations,
  ...responseViolations,
  ...headerViolations,
  ...applicationProfileViolations,
  ...urlProfileViolations,
  ...parameterProfileViolations,
  ...advancedPolicyViolations,
  ...apiViolations,
  ...clientViolations,
]

/** Attacks that are logged, not stopped, until an administrator decides otherwise. */
const loggedOnly: ReadonlySet<string> = new Set([
  // Home directories are addressed with a tilde, and its misuse is rare.
  'tilde-in-url-path',
  // A client at the lower threshold is suspect, no more.
  'medium-risk-client',
])

/** The action policies that lie in every security policy: one for each attack. */
export const actionOfEachAttack: readonly InEveryParent[] = attacks.map(({ name, number, risk }) => ({
  name,
  fields: {
    'numeric-id': String(number),
    'risk-score': risk,
    ...(loggedOnly.has(name) && { action: 'Allow and Log' }),
  },
}))

/**
 * What the policy `default` does otherwise. It lets pass what ordinary addresses have: texts in other character sets than UTF-8, what the function
 * `escape` of browsers writes (`%u0434`), a percent sign by itself, and paths such as `/.netlify/functions`; rules look for what attacks have of
 * these. It takes headers out of answers without a log entry for each answer.
 */
const actionsOfDefault: ReadonlyMap<string, string> = new Map([
  ['invalid-url-character-set', 'None'],
  ['invalid-url-encoding', 'None'],
  ['slash-dot-in-url-path', 'None'],
  ['response-header-suppressed', 'Protect with no Log'],
])

/** The action policies of the policy `default` that are not as in every other one. */
export const actionsOfDefaultPolicy: readonly FactoryObject[] = actionOfEachAttack.flatMap(
  ({ name, fields }) => {
    const action = actionsOfDefault.get(name)
    return action === undefined ? [] : [{ path: ['default', name], fields: { ...fields, action } }]
  },
)
