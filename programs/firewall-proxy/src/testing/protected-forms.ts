import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import type {
  SnapshotChecks,
  SnapshotForms,
  SnapshotPolicy,
  SnapshotService,
  SnapshotUrlProfile,
} from '@palisade/proxy-protocol'
import { carried } from './carried.ts'
import { testChecks, testPolicy } from './policies.ts'
import { emptyRuleSets } from './rules.ts'

/** Keys with which forms are sealed. */
export const [key, nextKey] = [1, 2].map((id) => ({
  id,
  secret: Buffer.alloc(32, id).toString('base64url'),
})) as [{ id: number; secret: string }, { id: number; secret: string }]

/** How forms are sealed. */
export const forms: SnapshotForms = { keys: [key], parameter: '__ncforminfo', validitySeconds: 3600 }

/** A policy whose forms need a token, and URLs with parameters where it is asked for. */
export function csrfPolicy(csrf: 'forms' | 'forms-and-urls'): SnapshotPolicy {
  const policy = testPolicy()
  const { urlProtection } = policy
  return urlProtection ? { ...policy, urlProtection: { ...urlProtection, csrf } } : policy
}

/** A profile that says nothing of its URL but what a test adds. */
export function profileOf(url: string, more: Partial<SnapshotUrlProfile>): SnapshotUrlProfile {
  const { urlProtection } = testPolicy()
  assert.ok(urlProtection)
  return {
    ...urlProtection,
    name: 'profile',
    host: '*',
    url,
    extendedMatch: '*',
    sequence: 0,
    isPassive: false,
    referrers: [],
    parameterProfiles: [],
    ...more,
  }
}

/** What reached the application. */
interface Reached {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly cookie: string | undefined
  readonly referer: string | undefined
  readonly length: string | undefined
  readonly etags: string | undefined
}

/** An application that shows one page, in pieces, and keeps what reaches it. */
function showing(html: string, headers: Readonly<Record<string, string>> = {}) {
  const reached: Reached[] = []
  const application: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '' } = request
      const { cookie, referer, 'content-length': length, 'if-none-match': etags } = request.headers
      reached.push({
        method,
        url,
        body: Buffer.concat(chunks).toString('latin1'),
        cookie,
        referer,
        length,
        etags,
      })
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
      for (let at = 0; at < html.length; at += 7) response.write(html.slice(at, at + 7))
      response.end()
    })
  }
  return { application, reached }
}

/** An application whose forms are sealed, and its visitors. @param html of its pages */
export async function protectedForms(
  t: TestContext,
  html: string,
  {
    csrf = 'forms',
    profiles,
    sealing = forms,
    headers = {},
    mode = 'active',
    more = {},
    service: own = {},
  }: {
    readonly csrf?: 'forms' | 'forms-and-urls' | 'none'
    readonly profiles?: readonly SnapshotUrlProfile[]
    readonly sealing?: SnapshotForms
    readonly headers?: Readonly<Record<string, string>>
    readonly mode?: 'active' | 'passive'
    readonly more?: Partial<SnapshotChecks>
    readonly service?: Partial<SnapshotService>
  } = {},
) {
  const { application, reached } = showing(html, headers)
  const told = { isPassive: false, isStrict: false, hosts: [], exceptUrls: [], urlsAllTheSame: [] }
  const { port, exchanges, plane, service, masking } = await carried(t, {
    application,
    rules: emptyRuleSets,
    policy: csrf === 'none' ? testPolicy() : csrfPolicy(csrf),
    service: {
      ...own,
      forms: sealing,
      inspection: { mode },
      checks: testChecks({ ...more, ...(profiles ? { profiles: { ...told, urls: profiles } } : {}) }),
    },
  })
  const ask = (path: string, options: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...options })
  /** A visitor who has seen the page. */
  const visit = async (path = '/start') => {
    const answer = await ask(path)
    const page = await answer.text()
    const cookie = answer.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
    const seals = Array.from(page.matchAll(/name="__ncforminfo" value="([\w-]+)"/g), ([, seal = '']) => seal)
    return { answer, page, cookie, seals, seal: seals[0] ?? '' }
  }
  const post = (
    path: string,
    fields: Readonly<Record<string, string>>,
    more: Readonly<Record<string, string>> = {},
  ) => ask(path, { method: 'POST', body: new URLSearchParams(fields), headers: more })
  const attacks = () => exchanges.at(-1)?.violations.map(({ attack }) => attack) ?? []
  return { port, reached, exchanges, plane, service, masking, ask, visit, post, attacks }
}
