import type { SnapshotPage } from '@palisade/proxy-protocol'
import { text } from '../../kinds/conversions.ts'
import { fieldReader } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { responsePage } from './fields.ts'

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

/** A page as proxies send it. Headers that say how an answer travels are left out. */
export const responsePageReader = fieldReader(responsePage, {
  status: ['status-code', statusOf],
  headers: ['headers', headersOf],
  body: ['body', text],
})

/** The page of a name; a plain one where there is none. @param by an object whose kind names response pages */
export function pageNamed(name: string, by: ConfigurationObject, snapshot: Snapshot): SnapshotPage {
  const kind = by.kind.references
    .flatMap(({ targets }) => targets)
    .find((one) => one.name === responsePage.name)
  const page = kind && snapshot.object(kind, [name])
  return page ? responsePageReader.of(page) : noPage
}

/** "404 Not Found" is 404. */
function statusOf(line: Value | undefined): number {
  return Math.max(firstFinalStatus, Number.parseInt(text(line), 10))
}

/** Lines that are no headers, and headers that say how the answer travels, are left out. */
function headersOf(lines: Value | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of text(lines).split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e]*)$/.exec(line) ?? []
    if (name !== '' && !framing.has(name.toLowerCase())) headers[name] = value
  }
  return headers
}
