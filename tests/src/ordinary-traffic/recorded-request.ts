import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A request of an ordinary client to an application, as it came over the wire. */
export interface RecordedRequest {
  readonly method: string
  readonly target: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** As text; with `base64` where it is none. Empty where there is no body. */
  readonly body?: string
  readonly encoding?: 'base64'
}

/** What was recorded in front of one application: `requests/{application}.json`. */
export interface Recording {
  readonly application: string
  readonly requests: readonly RecordedRequest[]
}

/** What the firewall may be tuned to, and what it is only measured with. */
export const parts = ['tuned', 'held-out'] as const
export type Part = (typeof parts)[number]

/** The part of what was sent to a host: a hash of its name holds a third out. */
export function partOfHost(host: string): Part {
  const hash = createHash('sha256').update(host.toLowerCase()).digest()
  return (hash[0] ?? 0) % 3 === 0 ? 'held-out' : 'tuned'
}

/** Where recordings of a part lie, one file for each application. */
export function recordingsFolder(part: Part): string {
  const folder = join(import.meta.dirname, 'requests')
  return part === 'tuned' ? folder : join(folder, part)
}

/** All recordings of a part, by the names of their applications. */
export function recordings(part: Part): Recording[] {
  const folder = recordingsFolder(part)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      application: file.replace(/\.json$/, ''),
      requests: JSON.parse(readFileSync(join(folder, file), 'utf8')) as RecordedRequest[],
    }))
}

/** What the request has sent, as bytes. */
export function bodyOf({ body = '', encoding }: RecordedRequest): Buffer {
  return Buffer.from(body, encoding ?? 'utf8')
}
