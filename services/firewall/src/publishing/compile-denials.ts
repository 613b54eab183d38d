import type { SnapshotDenial, SnapshotFollowUp, SnapshotPage, SnapshotUrlAcl } from '@palisade/proxy-protocol'
import { compilePlace, inOrder } from '../features/places/compile.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { kindNamedBy, numberIn, referredBy, textIn } from './reading.ts'

/** How a client is answered when an object names no page that is there. */
const noPage: SnapshotPage = {
  status: 403,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: 'This request was not let through.',
}

/** Those below are no answers yet. */
const firstFinalStatus = 200

/** Headers that say how an answer travels; they are none of a page's. */
const framing = new Set([
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'trailer',
])

/** How an action policy or an access rule answers clients that it refuses. */
export function compileDenial(object: ConfigurationObject, snapshot: Snapshot): SnapshotDenial {
  const { values } = object.content
  const response = textIn(values, 'deny-response')
  if (response === 'Close Connection' || response === 'Reset') return { kind: 'close' }
  return redirectOf(response, values) ?? { kind: 'page', page: pageOf(object, snapshot) }
}

function redirectOf(choice: string, values: Values): SnapshotDenial | undefined {
  const location = textIn(values, 'redirect-url')
  if (location === '' || !choice.endsWith('Redirect')) return undefined
  return { kind: 'redirect', status: choice.startsWith('Permanent') ? 301 : 302, location }
}

/** The page that the member `response-page` of an object names, or the one that is called `default`. */
export function pageOf(object: ConfigurationObject, snapshot: Snapshot): SnapshotPage {
  const [page] = referredBy(object, undefined, 'response-page', snapshot)
  return page ? compilePage(page) : pageNamed('default', object, snapshot)
}

/** @param object one whose kind names response pages */
export function pageNamed(name: string, object: ConfigurationObject, snapshot: Snapshot): SnapshotPage {
  const kind = kindNamedBy(object.kind, 'response-page')
  const page = kind && snapshot.object(kind, [name])
  return page ? compilePage(page) : noPage
}

function compilePage({ content: { values } }: ConfigurationObject): SnapshotPage {
  return {
    status: Math.max(firstFinalStatus, Number.parseInt(textIn(values, 'status-code'), 10)),
    headers: headersOf(textIn(values, 'headers')),
    body: textIn(values, 'body'),
  }
}

/** Lines that are no headers, and headers that say how the answer travels, are left out. */
function headersOf(lines: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e]*)$/.exec(line) ?? []
    if (name !== '' && !framing.has(name.toLowerCase())) headers[name] = value
  }
  return headers
}

const followUps: Readonly<Record<string, SnapshotFollowUp['does']>> = {
  'Block Client-IP': 'block',
  'Tarpit Client': 'tarpit',
}

/** What becomes of further requests of the client of a refused one. */
export function followUp(values: Values): { readonly followUp?: SnapshotFollowUp } {
  const seconds = numberIn(values, 'follow-up-action-time')
  const does = followUps[textIn(values, 'follow-up-action')]
  return does === undefined || seconds === undefined ? {} : { followUp: { does, seconds } }
}

/** Access rules that are switched on, in the order in which they are tried. */
export function compileUrlAcls(
  objects: readonly ConfigurationObject[],
  snapshot: Snapshot,
): SnapshotUrlAcl[] {
  return inOrder(objects.flatMap((object) => compileUrlAcl(object, snapshot) ?? []))
}

function compileUrlAcl(object: ConfigurationObject, snapshot: Snapshot): SnapshotUrlAcl | undefined {
  const { values } = object.content
  if (values.enable === 'No' || values.enable === 'Off') return undefined
  const action = textIn(values, 'action')
  const redirect = redirectOf(action, values)
  if (redirect === undefined && action.endsWith('Redirect')) return undefined
  const isAnswer = action.startsWith('Send')
  return {
    name: object.name,
    ...compilePlace(values),
    does: redirect ? 'redirect' : isAnswer ? 'answer' : (actions[action.split(' ', 1)[0] ?? ''] ?? 'process'),
    logs: action.endsWith('and Log') || redirect !== undefined || isAnswer,
    denial:
      redirect ??
      (isAnswer ? { kind: 'page', page: pageOf(object, snapshot) } : compileDenial(object, snapshot)),
    ...followUp(values),
  }
}

const actions: Readonly<Record<string, SnapshotUrlAcl['does']>> = {
  Process: 'process',
  Allow: 'allow',
  Deny: 'deny',
}
