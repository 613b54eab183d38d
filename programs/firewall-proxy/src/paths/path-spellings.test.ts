import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type {
  SnapshotAccessLimits,
  SnapshotChecks,
  SnapshotContentRule,
  SnapshotJsonProfile,
  SnapshotPolicy,
  SnapshotService,
  SnapshotUrlAcl,
  SnapshotUrlProfile,
} from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { openPathsOutOf, ordinaryNames, pathsOutOf, spellingsOfAdmin } from '../testing/path-spellings.ts'
import { noAttackTypes, testChecks, testPolicy } from '../testing/policies.ts'
import { ruleSetsOf } from '../testing/rules.ts'

const rules = ruleSetsOf(`
SecRule REQUEST_HEADERS:Content-Type "@contains json" "id:8,phase:1,pass,nolog,ctl:requestBodyProcessor=JSON"
SecRule ARGS "@rx select" "id:942190,phase:2,pass,log,msg:'words of SQL',severity:CRITICAL,tag:'attack-sqli',setvar:'tx.score=+5'"
SecRule TX:score "@ge 5" "id:949110,phase:2,deny,status:403,log,msg:'refused'"
`)
const sentence = '?note=please+select+the+best+of+them'
const document = '{"note":"please select the best of them"}'

/** What policies find in strange addresses, which is not what is looked at here. */
const strangeAddresses = [
  'invalid-url-encoding',
  'slash-dot-in-url-path',
  'tilde-in-url-path',
  'directory-traversal-beyond-root',
]
const allowed = { category: '', denies: false, logs: false, denial: 0 }
const actions = Object.fromEntries(strangeAddresses.map((attack) => [attack, allowed]))

const place = { host: '*', extendedMatch: '*', sequence: 0 }
const key = { id: 1, secret: Buffer.alloc(32, 1).toString('base64url') }

function acl(more: Partial<SnapshotUrlAcl>): SnapshotUrlAcl {
  const page = { status: 403, headers: {}, body: 'refused' }
  return { ...place, name: '', url: '/*', does: 'deny', logs: true, denial: { kind: 'page', page }, ...more }
}

function contentRule(url: string, mode: 'active' | 'passive'): SnapshotContentRule {
  return {
    ...place,
    name: url,
    url,
    servers: [],
    balancing: { algorithm: 'round-robin', whenServerFails: 'another' },
    logsAccess: true,
    checks: { mode },
  }
}

function urlProfile(url: string, more: Partial<SnapshotUrlProfile> = {}): SnapshotUrlProfile {
  const { urlProtection } = testPolicy()
  assert.ok(urlProtection)
  return {
    ...place,
    name: url,
    url,
    isPassive: false,
    ...urlProtection,
    referrers: [],
    parameterProfiles: [],
    ...more,
  }
}

function profiles(urls: readonly SnapshotUrlProfile[], isStrict = false): Partial<SnapshotChecks> {
  return { profiles: { isPassive: false, isStrict, hosts: [], exceptUrls: [], urlsAllTheSame: [], urls } }
}

function jsonProfile(url: string, depth: number, exceptRules: readonly number[] = []): SnapshotJsonProfile {
  return {
    ...place,
    name: url,
    url,
    isPassive: false,
    methods: [],
    contentTypes: [],
    limits: {
      depth,
      keys: 0,
      siblings: 0,
      arrayElements: 0,
      keyCharacters: 0,
      valueCharacters: 0,
      numbers: {},
    },
    ignoredKeys: [],
    checksNames: false,
    attackTypes: { ...noAttackTypes, exceptRules },
    keys: [],
  }
}

function urlPolicy(url: string, more: { readonly protectsData?: boolean; readonly accesses?: number }) {
  const accessLimits: SnapshotAccessLimits = {
    windowSeconds: 600,
    counts: 'each-client',
    accesses: more.accesses ?? 0,
    failures: 0,
    bandwidthBytes: 0,
    exceptions: [],
  }
  return {
    ...place,
    name: url,
    url,
    isPassive: false,
    protectsData: more.protectsData ?? false,
    accessLimits,
  }
}

const caching = {
  extensions: ['*'],
  sizeMin: 0,
  sizeMax: 1_000,
  ageSeconds: 60,
  keepsErrors: false,
  ignoresRequestHeaders: true,
  ignoresResponseHeaders: true,
}

/** Something that is said of addresses, and how a request shows whether it counts for its own. */
interface User {
  readonly name: string
  readonly checks?: Partial<SnapshotChecks>
  readonly service?: Partial<SnapshotService>
  readonly policy?: Partial<SnapshotPolicy>
  readonly query?: string
  readonly body?: string
  readonly method?: string
  /** Whether an answer says that it counts; that something was let pass, or refused, by default. */
  readonly counts?: (answer: string) => boolean
  /** How often each address is asked for; the last answer counts. */
  readonly times?: number
}

const passes = (answer: string) => answer.endsWith('reached')
const isRefused = (answer: string) => answer.startsWith('HTTP/1.1 403 ')

/** What is looser for `/public/*` than for all other addresses. */
const looserForPublic: readonly User[] = [
  {
    name: 'an access rule that lets pass',
    checks: { urlAcls: [acl({ url: '/public/*', does: 'allow' })] },
    query: sentence,
  },
  {
    name: 'an access rule that leaves out those behind it',
    checks: { urlAcls: [acl({ url: '/public/*', does: 'process' }), acl({})] },
  },
  {
    name: 'an access rule of the policy',
    policy: { globalAcls: [acl({ url: '/public/*', does: 'allow' })] },
    query: sentence,
  },
  {
    name: 'an access rule with a condition on the path',
    checks: { urlAcls: [acl({ extendedMatch: 'URI-path rco ^/public/', does: 'allow' })] },
    query: sentence,
  },
  {
    name: 'a content rule that only logs',
    service: { contentRules: [contentRule('/public/*', 'passive')] },
    query: sentence,
  },
  {
    name: 'an exception of a rule',
    checks: { ruleExceptions: [{ ...place, name: '', url: '/public/*', rule: 942_190 }] },
    query: sentence,
  },
  {
    name: 'a second opinion',
    checks: {
      secondOpinions: [{ ...place, name: '', url: '/public/*', parameter: 'note', exceptedRules: [] }],
    },
    query: sentence,
  },
  {
    name: 'a JSON profile that leaves out a rule',
    checks: { jsonProfiles: [jsonProfile('/public/*', 0, [942_190])] },
    method: 'POST',
    body: document,
  },
  {
    name: 'a profile that lets methods pass',
    policy: { urlProtection: { ...urlProfile(''), methods: ['GET'] } },
    checks: profiles([urlProfile('/public/*', { methods: ['PUT'] })]),
    method: 'PUT',
    body: '{}',
  },
  {
    name: 'a profile that only logs',
    checks: profiles([urlProfile('/public/*', { isPassive: true })]),
    query: sentence,
  },
  {
    name: 'a profile where each address needs one',
    checks: profiles([urlProfile('/public/*')], true),
  },
  {
    name: 'an address that need not be encrypted',
    service: {
      urlEncryption: {
        keys: [key],
        rules: [{ host: '*', name: '', url: '/*', allowsPlainRequests: false, excludedUrls: ['/public/*'] }],
      },
    },
  },
  {
    name: 'a rule of URL encryption that wants nothing',
    service: {
      urlEncryption: {
        keys: [key],
        rules: [
          { host: '*', name: 'a', url: '/public/*', allowsPlainRequests: true, excludedUrls: [] },
          { host: '*', name: 'b', url: '/*', allowsPlainRequests: false, excludedUrls: [] },
        ],
      },
    },
  },
  {
    name: 'a cache for one folder',
    service: {
      contentRules: [{ ...contentRule('/public/*', 'active'), caching }],
    },
    times: 2,
    counts: (answer) => answer.includes('\r\nAge: '),
  },
]

/** What is stricter for `/admin/*` than for all other addresses, also where a milder rule for `/public/*` comes first. */
const stricterForAdmin: readonly User[] = [
  { name: 'an access rule that refuses', checks: { urlAcls: [acl({ url: '/admin/*' })] } },
  { name: 'an access rule of the policy', policy: { globalAcls: [acl({ url: '/admin/*' })] } },
  {
    name: 'an access rule with a condition on the path',
    checks: { urlAcls: [acl({ extendedMatch: 'URI-path rco ^/admin/' })] },
  },
  {
    name: 'an access rule with a condition on all that follows the host',
    checks: { urlAcls: [acl({ extendedMatch: 'URI rco ^/admin/' })] },
  },
  {
    name: 'an access rule for all paths but those of a condition',
    checks: { urlAcls: [acl({ extendedMatch: '(URI-path nrco ^/public/) && (URI-path nreq /)' })] },
  },
  {
    name: 'a content rule that refuses attacks',
    service: {
      inspection: { mode: 'passive' },
      contentRules: [contentRule('/public/*', 'passive'), contentRule('/admin/*', 'active')],
    },
    query: sentence,
  },
  {
    name: 'a limit of accesses',
    checks: {
      urlPolicies: [urlPolicy('/public/*', { accesses: 9_999 }), urlPolicy('/admin/*', { accesses: 1 })],
    },
    times: 2,
  },
  {
    name: 'data theft protection',
    checks: { urlPolicies: [urlPolicy('/public/*', {}), urlPolicy('/admin/*', { protectsData: true })] },
    policy: {
      protectedData: [
        {
          name: '',
          does: 'cloak',
          keepsInitial: 0,
          keepsTrailing: 0,
          patterns: [{ type: '', name: '', regex: 'reached', isCaseSensitive: false, isPassive: false }],
        },
      ],
    },
    counts: (answer) => !answer.includes('reached'),
  },
  {
    name: 'a JSON profile with limits',
    checks: { jsonProfiles: [jsonProfile('/public/*', 0), jsonProfile('/admin/*', 1)] },
    method: 'POST',
    body: '{"a":[1]}',
  },
  {
    name: 'a profile that refuses methods',
    checks: profiles([
      urlProfile('/public/*', { methods: ['PUT', 'GET'] }),
      urlProfile('/admin/*', { methods: ['GET'] }),
    ]),
    method: 'PUT',
    body: '{}',
  },
  {
    name: 'URL encryption',
    service: {
      urlEncryption: {
        keys: [key],
        rules: [{ host: '*', name: '', url: '/admin/*', allowsPlainRequests: false, excludedUrls: [] }],
      },
    },
  },
  {
    name: 'a text that is replaced in answers',
    service: {
      rewriting: {
        requests: [],
        responses: [],
        translations: [],
        secureHosts: [],
        bodies: [{ host: '*', url: '/admin/*', search: 'reached', replacement: 'hidden' }],
      },
    },
    counts: (answer) => answer.includes('hidden'),
  },
]

const application: RequestListener = (request, response) => {
  response.setHeader('content-type', 'text/plain')
  request.resume().on('end', () => response.end('reached'))
}

/** A service of which that is said, and whether it counts for a request for an address. */
async function asking(t: TestContext, user: User, counts: (answer: string) => boolean) {
  const { query = '', body = '', method = 'GET', times = 1 } = user
  const { port } = await carried(t, {
    application,
    rules,
    policy: testPolicy({ actions, ...user.policy }),
    service: { inspection: { mode: 'active' }, checks: testChecks(user.checks), ...user.service },
  })
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return async (path: string) => {
    let answer = ''
    for (let time = 0; time < times; time++) {
      answer = await exchangeBytes(
        port,
        `${method} ${path}${query} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n${length}\r\n${body}`,
      )
    }
    assert.match(answer, /^HTTP\/1\.1 (?:200|403) /, path)
    return (user.counts ?? counts)(answer)
  }
}

const leavingPublic = [...openPathsOutOf('public', 'admin'), ...pathsOutOf('public', 'admin')]
const leavingAdmin = pathsOutOf('admin', 'public')

for (const user of looserForPublic) {
  test(`${user.name} counts for plain addresses alone`, async (t) => {
    const counts = await asking(t, user, passes)
    for (const name of ordinaryNames) assert.ok(await counts(`/public/${name}`), name)
    for (const path of ['/', '/admin/x']) assert.ok(!(await counts(path)), path)
    for (const path of [...leavingPublic, ...leavingAdmin]) assert.ok(!(await counts(path)), path)
  })
}

test('profiles are learnt from plain addresses alone', async (t) => {
  const urls = new Set<string>()
  const { port } = await carried(t, {
    application,
    rules,
    policy: testPolicy({ actions }),
    onLearnt: ({ url }) => urls.add(url),
    service: {
      checks: testChecks({
        learning: {
          from: 'successes',
          trusted: [],
          exceptUrls: [],
          urlsAllTheSame: [],
          ignoredParameters: [],
          navigationParameters: [],
          urlTokens: [],
          parameterTokens: [],
          key: key.secret,
        },
      }),
    },
  })
  const ask = (path: string) =>
    exchangeBytes(port, `GET ${path} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n`)
  for (const path of [...pathsOutOf('public', 'admin'), ...leavingAdmin]) {
    assert.ok(passes(await ask(path)), path)
    assert.deepEqual([...urls], [], path)
  }
  for (const name of ['x', 'a%20b', 'U.S.']) await ask(`/public/${name}`)
  assert.equal(urls.size, 3)
})

for (const user of stricterForAdmin) {
  test(`${user.name} counts however the address is spelt`, async (t) => {
    const counts = await asking(t, user, isRefused)
    for (const path of ['/', ...ordinaryNames.map((name) => `/public/${name}`)]) {
      assert.ok(!(await counts(path)), path)
    }
    const paths = ['/admin/x', ...spellingsOfAdmin, ...leavingPublic, ...leavingAdmin]
    for (const path of paths) assert.ok(await counts(path), path)
  })
}
