import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RecordedRequest } from '../recorded-request.ts'

/** A request with an attack in it. */
export interface AttackRequest {
  /** Such as `sql`. */
  readonly sort: string
  /** Where it is: one of `places`, or `whole` where it is a body or query of its own. */
  readonly place: string
  readonly request: RecordedRequest
}

interface Attack {
  readonly sort: string
  readonly shape: string
  readonly type: string | undefined
  readonly value: string
}

const headers = [
  'Host',
  'www.example.org',
  'User-Agent',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Accept',
  'text/html,application/json;q=0.9,*/*;q=0.8',
  'Accept-Language',
  'en-GB',
]
const boundary = '----WebKitFormBoundaryA1b2C3d4E5f6G7h8'

/** How a value comes into a request, in each place. */
export const places: Readonly<Record<string, (value: string) => RecordedRequest>> = {
  query: (value) => get(`/items?id=7&q=${inAddress(value)}`),
  form: (value) => post('application/x-www-form-urlencoded', `name=Ann&text=${inAddress(value)}`),
  JSON: (value) => post('application/json', JSON.stringify({ name: 'Ann', item: { text: value } })),
  multipart: (value) =>
    post(
      `multipart/form-data; boundary=${boundary}`,
      `--${boundary}\r\nContent-Disposition: form-data; name="text"\r\n\r\n${value}\r\n--${boundary}--\r\n`,
    ),
  cookie: (value) => get('/items', ['Cookie', `theme=dark; id=${inAddress(value)}`]),
  header: (value) => get('/items', ['Referer', `http://www.example.org/?q=${value}`]),
  path: (value) => get(`/items/${inAddress(value)}`),
}

/** All attacks of `attacks.txt`: values in every place, bodies and queries as they are. */
export function attackRequests(): AttackRequest[] {
  return attacks().flatMap(({ sort, shape, type = '', value }): AttackRequest[] => {
    if (shape === 'body') return [{ sort, place: 'whole', request: post(type, value) }]
    if (shape === 'query') return [{ sort, place: 'whole', request: get(`/items?${value}`) }]
    return inEveryPlace(sort, value)
  })
}

/** @param folder with a file `SORT.txt` for each sort, in which each line is a value for every place */
export function attackRequestsIn(folder: string): AttackRequest[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line) => inEveryPlace(basename(name, '.txt'), line)),
    )
}

function inEveryPlace(sort: string, value: string): AttackRequest[] {
  return Object.entries(places)
    .filter(([place]) => place !== 'header' || /^[ -~]*$/.test(value))
    .map(([place, requestOf]) => ({ sort, place, request: requestOf(value) }))
}

function attacks(): Attack[] {
  const list: Attack[] = []
  let [sort = '', shape = 'value', type]: (string | undefined)[] = []
  for (const line of readFileSync(join(import.meta.dirname, 'attacks.txt'), 'utf8').split('\n')) {
    if (line.startsWith('# ')) [sort = '', shape = 'value', type] = line.slice(2).split(' ')
    else if (line !== '') list.push({ sort, shape, type, value: line })
  }
  return list
}

function get(target: string, more: readonly string[] = []): RecordedRequest {
  return { method: 'GET', target, headers: [...headers, ...more] }
}

function post(type: string, body: string): RecordedRequest {
  return {
    method: 'POST',
    target: '/items',
    headers: [...headers, 'Content-Type', type, 'Content-Length', '0'],
    body,
  }
}

/** Values that have codes of addresses in them already go as they are, but for what ends them. */
function inAddress(value: string): string {
  return /%[0-9a-f]{2}/i.test(value)
    ? value.replace(/[^!-~]|[#&+;?"<>]/g, encodeURIComponent)
    : encodeURIComponent(value)
}
