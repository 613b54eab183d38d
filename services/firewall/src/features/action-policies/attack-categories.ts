/** How the web firewall log and the statistics group attacks. */
export type AttackCategory =
  | 'Auth Attacks'
  | 'Client Violations'
  | 'DDoS Attacks'
  | 'File Attacks'
  | 'Forceful Browsing'
  | 'Injection Attacks'
  | 'JSON Violations'
  | 'Limits Violations'
  | 'Other Attacks'
  | 'Outbound Attacks'
  | 'Protocol Violations'
  | 'SQL Attacks'
  | 'Session Tamper Attacks'
  | 'WebSocket Violations'
  | 'XSS Injections'

/** By what the names of attacks look like; the first that fits counts. */
const byName: readonly (readonly [name: RegExp, category: AttackCategory])[] = [
  [/^json-/, 'JSON Violations'],
  [/^websocket-/, 'WebSocket Violations'],
  [/-risk-client$/, 'Client Violations'],
  [/^sql-injection-/, 'SQL Attacks'],
  [/^cross-site-scripting-/, 'XSS Injections'],
  [
    /^(?:file-upload-size-exceeded|forbidden-file-extension|too-many-uploaded-files|virus-found|advanced-threat-found)$/,
    'File Attacks',
  ],
  [
    /^(?:apache-struts|custom-attack|http-specific|ldap-|os-command|python-php|remote-file)/,
    'Injection Attacks',
  ],
  [/^metacharacter-/, 'Injection Attacks'],
  [/^(?:brute-force|credential|jwt-)/, 'Auth Attacks'],
  [/^(?:slow-client-attack|rate-control-intrusion|too-many-sessions-for-ip|web-scraping)$/, 'DDoS Attacks'],
  [/^(?:error-response|identity-theft|response-header)/, 'Outbound Attacks'],
  [
    /^(?:cookie-(?:expired|tampered)|unrecognized-cookie|mismatched-|session-|read-only-|cross-site-request)/,
    'Session Tamper Attacks',
  ],
  [/-exceeded$|^too-many-|^parameter-too-large$/, 'Limits Violations'],
  [
    /^(?:directory-traversal|slash-dot|tilde|deny-acl|domain-not|no-url|no-param|invalid-encrypted-url|method-not|parameter-|mandatory|query-string|unknown-content)/,
    'Forceful Browsing',
  ],
  [/^(?:get-request|invalid-|malformed-|missing-|post-request|pre-1)/, 'Protocol Violations'],
]

/** @param attack as action policies are named */
export function categoryOfAttack(attack: string): AttackCategory {
  return byName.find(([name]) => name.test(attack))?.[1] ?? 'Other Attacks'
}
