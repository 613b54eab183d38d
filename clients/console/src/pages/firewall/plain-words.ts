/** What rules of the Core Rule Set look for, in plain words, by how their numbers begin. */
const families: Readonly<Record<string, string>> = {
  911: 'a method that the application does not expect',
  913: 'a scanner that looks for weaknesses',
  920: 'a request that breaks the rules of HTTP',
  921: 'an attempt to smuggle a second request or header in',
  922: 'an upload that is put together in a way no browser does',
  930: 'an attempt to read files of the server',
  931: 'an attempt to make the server load a file from elsewhere',
  932: 'an attempt to run a command on the server',
  933: 'an attempt to run PHP code on the server',
  934: 'an attempt to run code in the application, or to have it call other servers',
  941: 'a script that would run in the browsers of others (XSS)',
  942: 'an attempt to change a query of the database (SQL injection)',
  943: 'an attempt to give somebody else a session (session fixation)',
  944: 'an attempt to run Java code on the server',
  950: 'an answer that gives away secrets of the server',
  951: 'an answer that gives away an error of the database',
  952: 'an answer that gives away Java code or errors',
  953: 'an answer that gives away PHP code or errors',
  954: 'an answer that gives away an error of the web server',
  955: 'an answer of a program that attackers leave behind',
  956: 'an answer that gives away Ruby code or errors',
}

/** The same in a few words, for tables. */
const names: Readonly<Record<string, string>> = {
  911: 'Unexpected method',
  913: 'Scanner',
  920: 'Breach of HTTP',
  921: 'Request smuggling',
  922: 'Odd upload',
  930: 'Reading files (LFI)',
  931: 'Loading files (RFI)',
  932: 'Command injection',
  933: 'PHP injection',
  934: 'Code injection',
  941: 'Cross-site scripting (XSS)',
  942: 'SQL injection',
  943: 'Session fixation',
  944: 'Java injection',
}

/** Parts of a request, as rules name them before a colon: alone, and with a name behind it. */
const parts: Readonly<Record<string, readonly [alone: string, named: (name: string) => string]>> = {
  ARGS: ['a parameter', (name) => `the parameter “${name}”`],
  ARGS_GET: ['a parameter of the address', (name) => `the parameter “${name}” of the address`],
  ARGS_POST: ['a parameter of the form', (name) => `the parameter “${name}” of the form`],
  ARGS_NAMES: ['the name of a parameter', (name) => `the name of the parameter “${name}”`],
  REQUEST_HEADERS: ['a header', (name) => `the header ${name}`],
  REQUEST_HEADERS_NAMES: ['the name of a header', (name) => `the name of the header ${name}`],
  REQUEST_COOKIES: ['a cookie', (name) => `the cookie ${name}`],
  REQUEST_COOKIES_NAMES: ['the name of a cookie', (name) => `the name of the cookie ${name}`],
  REQUEST_FILENAME: ['the path', () => 'the path'],
  REQUEST_BASENAME: ['the end of the path', () => 'the end of the path'],
  REQUEST_URI: ['the address', () => 'the address'],
  REQUEST_URI_RAW: ['the address', () => 'the address'],
  REQUEST_LINE: ['the first line', () => 'the first line'],
  QUERY_STRING: ['the query', () => 'the query'],
  REQUEST_BODY: ['the body', () => 'the body'],
  REQUEST_METHOD: ['the method', () => 'the method'],
  REQUEST_PROTOCOL: ['the version of HTTP', () => 'the version of HTTP'],
  FILES: ['the name of an uploaded file', (name) => `the name of the uploaded file “${name}”`],
  FILES_NAMES: ['the field of an upload', (name) => `the field “${name}” of an upload`],
  XML: ['the XML body', () => 'the XML body'],
  RESPONSE_BODY: ['the answer', () => 'the answer'],
  RESPONSE_HEADERS: ['a header of the answer', (name) => `the header ${name} of the answer`],
}

/** Rules that only add the others up. */
const sums = /^(?:901|949|959|980)\d{3}$/

/** Rules and parts of requests as people would say it. */
export const plainWords = {
  /** What a rule looks for. @param attack what the rule itself says, for rules of no family */
  lookedLike: (rule: string, attack: string): string =>
    sums.test(rule)
      ? 'more than is allowed of a request, all findings together'
      : (families[rule.slice(0, 3)] ?? (attack === '' ? 'something that is not allowed' : `“${attack}”`)),
  /** What a rule found, in a few words. @param attack what the rule itself says, for rules of no family */
  shortly,
  /** What rules found in a request, each kind once. */
  allShortly: (findings: readonly { readonly rule: string; readonly attack: string }[]): string =>
    [...new Set(findings.map(({ rule, attack }) => shortly(rule, attack)))].join(', '),
  /** The part of a request that rules name so. */
  partOf: (target: string): string => {
    const [variable = '', ...names] = target.split(':')
    const words = parts[variable.toUpperCase()]
    const name = names.join(':')
    if (words === undefined) return target === '' ? 'the request as a whole' : target
    return name === '' || name.startsWith('/') ? words[0] : words[1](name)
  },
  /** Whether a rule only adds up what others found. */
  isSum: (rule: string): boolean => sums.test(rule),
} as const

function shortly(rule: string, attack: string): string {
  if (sums.test(rule)) return 'Sum of all findings'
  return names[rule.slice(0, 3)] ?? (attack === '' ? rule : attack)
}
