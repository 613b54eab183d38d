import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedRequest } from './recorded-request.ts'

const folder = join(import.meta.dirname, 'written')

const headersOfAll = [
  'Host',
  'www.example.org',
  'User-Agent',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Accept',
  '*/*',
]

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }

/**
 * Ordinary requests in shapes that the recordings lack, by the names of the files in `written/`. A line is a request: its method and
 * target, and behind tabs its headers, and `= ` with its body, in which `\n`, `\r`, `\t`, `\\` and `\xE9` stand for bytes.
 */
export function writtenRequests(): ReadonlyMap<string, readonly RecordedRequest[]> {
  return new Map(
    readdirSync(folder).map((file) => [
      file.replace(/\.txt$/, ''),
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map(requestOf),
    ]),
  )
}

function requestOf(line: string): RecordedRequest {
  const [start = '', ...fields] = line.split('\t')
  const [method = '', target = ''] = start.split(' ')
  const written = fields.filter((field) => !field.startsWith('= ')).map((field) => field.split(/: (.*)/s, 2))
  const own = new Set(written.map(([name = '']) => name.toLowerCase()))
  const common = headersOfAll.filter((_, index) => !own.has((headersOfAll[index & ~1] ?? '').toLowerCase()))
  const body = fields.find((field) => field.startsWith('= '))
  if (body === undefined) return { method, target, headers: [...common, ...written.flat()] }
  return {
    method,
    target,
    headers: [...common, ...written.flat(), 'Content-Length', '0'],
    body: bytesOfBody(body.slice(2)).toString('base64'),
    encoding: 'base64',
  }
}

function bytesOfBody(written: string): Buffer {
  const bytes = Buffer.from(written, 'utf8').toString('latin1')
  return Buffer.from(
    bytes.replaceAll(/\\(?:x([\da-f]{2})|([nrt\\]))/gi, (_, code?: string, sign = '') =>
      code === undefined ? (escapes[sign] ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
    ),
    'latin1',
  )
}
