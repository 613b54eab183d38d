import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, partOfHost, type RecordedRequest } from './recorded-request.ts'

/** What an entry of a HAR file says of its request (HAR 1.2, "request"), or a line of JSON. */
interface FileRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly NameAndValue[] | Readonly<Record<string, string>>
  readonly postData?: {
    readonly text?: string
    readonly params?: readonly NameAndValue[]
    /** `base64`, of the proposal for HAR 1.3. */
    readonly encoding?: string
  }
  readonly body?: string
  readonly encoding?: string
}

interface NameAndValue {
  readonly name: string
  readonly value?: string
}

/** Those of the connection, and those that the recorder or its protocol added. */
const notSent =
  /^(?::.*|content-length|transfer-encoding|connection|keep-alive|expect|host|http2-settings|upgrade)$/i

/**
 * Requests that somebody recorded, apart for those that the firewall may be tuned to: a hash of the host holds a third out.
 *
 * @param path of a HAR file (`.har`), of a file with a request as JSON in each line (`.jsonl`: `method`, `url`, `headers`, `body`, and
 * `"encoding": "base64"` where the body is no text), or of a folder of such files
 */
export function requestsInFiles(path: string): Readonly<Record<Part, readonly RecordedRequest[]>> {
  const parts: Record<Part, RecordedRequest[]> = { tuned: [], 'held-out': [] }
  for (const request of filesAt(path).flatMap(requestsIn)) {
    const [, host, target] = /^(?:http|ws)s?:\/\/(?:[^/?#@]*@)?([^/?#]+)([^#]*)/i.exec(request.url) ?? []
    if (host === undefined || target === undefined || request.method === 'CONNECT') continue
    parts[partOfHost(host)].push(recordedRequest(request, host, target))
  }
  return parts
}

function filesAt(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:har|jsonl)$/i.test(name))
    .sort()
    .map((name) => join(path, name))
}

function requestsIn(file: string): readonly FileRequest[] {
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  if (/\.jsonl$/i.test(file))
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as FileRequest)
  const { log } = JSON.parse(text) as {
    readonly log: { readonly entries: readonly { readonly request: FileRequest }[] }
  }
  return log.entries.map(({ request }) => request)
}

function recordedRequest(request: FileRequest, host: string, target: string): RecordedRequest {
  const headers = Array.isArray(request.headers)
    ? (request.headers as readonly NameAndValue[]).map(({ name, value = '' }) => [name, value])
    : Object.entries(request.headers)
  const sent = headers.filter(([name = '']) => !notSent.test(name)).map((pair) => pair.map(asBytes))
  const body = bodyOf(request)
  return {
    method: request.method.toUpperCase(),
    target: printable(target.startsWith('/') ? target : `/${target}`),
    headers: [
      'Host',
      host,
      ...sent.flat(),
      ...(body.length === 0 ? [] : ['Content-Length', String(body.length)]),
    ],
    ...(body.length === 0 ? {} : { body: body.toString('base64'), encoding: 'base64' }),
  }
}

/** Recorders that take a form apart leave its text out. */
function bodyOf({ body, encoding, postData }: FileRequest): Buffer {
  const text = body ?? postData?.text
  if (text !== undefined)
    return Buffer.from(text, (encoding ?? postData?.encoding) === 'base64' ? 'base64' : 'utf8')
  const form = new URLSearchParams()
  for (const { name, value = '' } of postData?.params ?? []) form.append(name, value)
  return Buffer.from(form.toString())
}

/** Headers as the bytes that browsers send of them. Recorders write what they fold into one line in several. */
function asBytes(value: string): string {
  return Buffer.from(value.replaceAll(/[\r\n\0]+/g, ' '), 'utf8').toString('latin1')
}

function printable(target: string): string {
  return target.replaceAll(/[^!-~]+/g, encodeURIComponent)
}
