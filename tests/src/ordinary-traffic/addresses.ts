import { readFileSync } from 'node:fs'
import { cookies } from './client-libraries/cookies.ts'
import { type Part, partOfHost, type RecordedRequest } from './recorded-request.ts'

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

const pageTypes =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'

/** What a browser accepts, by the extension of a path. */
const acceptedTypes: readonly (readonly [extensions: RegExp, accept: string])[] = [
  [/\.css$/i, 'text/css,*/*;q=0.1'],
  [
    /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp)$/i,
    'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  ],
  [/\.(?:m?js|json|woff2?|ttf|eot|otf|swf|mp[34]|webm)$/i, '*/*'],
]

/** One of so many requests has cookies, and so many each. */
const requestsForCookies = 3
const cookiesOfRequest = 9

/**
 * Requests of a browser for addresses of many sites, apart for those that the firewall may be tuned to: a hash of the host holds a third out.
 *
 * @param file with a URL in each line, and behind a tab the one that it was asked for from, if that is known. Repeated ones are left out
 */
export function requestsForAddresses(file: string): Readonly<Record<Part, readonly RecordedRequest[]>> {
  const parts: Record<Part, RecordedRequest[]> = { tuned: [], 'held-out': [] }
  for (const line of new Set(readFileSync(file, 'utf8').split(/\r?\n/))) {
    const [, host, target] = /^https?:\/\/([\w.:-]+)([^#\t]*)/i.exec(line) ?? []
    if (host === undefined || target === undefined) continue
    const requests = parts[partOfHost(host)]
    requests.push(requestFor({ host, target, referer: line.split('\t')[1], number: requests.length }))
  }
  return parts
}

function requestFor(address: {
  readonly host: string
  readonly target: string
  readonly referer: string | undefined
  readonly number: number
}): RecordedRequest {
  const { host, target, referer, number } = address
  const path = target.split('?', 1)[0] ?? ''
  const accept = acceptedTypes.find(([extensions]) => extensions.test(path))?.[1] ?? pageTypes
  const sent = [
    ...['Host', host, 'User-Agent', userAgent, 'Accept', accept, 'Accept-Encoding', 'gzip, deflate, br'],
    ...['Accept-Language', 'en-GB,en;q=0.9,de;q=0.8', 'Connection', 'keep-alive'],
    ...(referer === undefined ? [] : ['Referer', referer]),
    ...(number % requestsForCookies === 0 ? ['Cookie', cookiesFrom(number / requestsForCookies)] : []),
  ]
  return { method: 'GET', target: target.startsWith('/') ? target : `/${target}`, headers: sent }
}

function cookiesFrom(first: number): string {
  return Array.from({ length: cookiesOfRequest }, (_, index) => {
    const [name = '', value = ''] = cookies[(first * cookiesOfRequest + index) % cookies.length] ?? []
    return `${name}=${value}`
  }).join('; ')
}
