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

/** Where recordings lie, one file for each application. */
export const recordingsFolder = join(import.meta.dirname, 'requests')

/** All recordings, by the names of their applications. */
export function recordings(): Recording[] {
  return readdirSync(recordingsFolder)
    .sort()
    .map((file) => ({
      application: file.replace(/\.json$/, ''),
      requests: JSON.parse(readFileSync(join(recordingsFolder, file), 'utf8')) as RecordedRequest[],
    }))
}

/** What the request has sent, as bytes. */
export function bodyOf({ body = '', encoding }: RecordedRequest): Buffer {
  return Buffer.from(body, encoding ?? 'utf8')
}
