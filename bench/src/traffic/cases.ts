/** One kind of request and its answer. All texts are byte strings; each `#` in a request stands for another number each time. */
export interface TrafficCase {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly uri: string
  /** Names and values in turn, without Host, Content-Length and Connection. */
  readonly headers: readonly string[]
  readonly body?: string
  readonly response: { readonly type: string; readonly body: string }
}

/** What browsers send today. */
const browserHeaders = [
  'User-Agent',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Accept',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language',
  'en-US,en;q=0.9,de;q=0.8',
  'Accept-Encoding',
  'gzip, deflate, br',
  'Cookie',
  'session=8f14e45fcee#a5a36dedd4bea2543; theme=dark; consent=2024-11-02',
  'Referer',
  'http://shop.example.org/catalogue/shoes',
]

/** A small page. */
const get: TrafficCase = {
  name: 'GET',
  method: 'GET',
  uri: '/catalogue/item?id=#&colour=blue&size=42&page=3',
  headers: browserHeaders,
  response: { type: 'text/html', body: '<!doctype html><title>Shoes</title><p>In stock.\n' },
}

/** A form of sixty fields as JSON, about 2 KB. */
const post: TrafficCase = {
  name: 'POST 2 KB',
  method: 'POST',
  uri: '/api/orders',
  headers: [...browserHeaders, 'Content-Type', 'application/json'],
  body: JSON.stringify(
    Object.fromEntries(
      Array.from({ length: 60 }, (_, number) => [`field${number}`, `value no. # of ${number} ab`]),
    ),
  ),
  response: { type: 'application/json', body: '{"stored":true}\n' },
}

/** A page of 100 KiB, which the rules for responses read. */
const page: TrafficCase = {
  name: 'page 100 KiB',
  method: 'GET',
  uri: '/catalogue/all',
  headers: browserHeaders,
  response: { type: 'text/html', body: pageOf(100 * 1024) },
}

/** What is measured: no rule fires at paranoia level 1. */
export const trafficCases: readonly TrafficCase[] = [get, post, page]

function pageOf(sizeBytes: number): string {
  let text = '<!doctype html>\n<html lang="en"><head><title>Catalogue</title></head><body>\n'
  for (let number = 1; text.length < sizeBytes; number++) {
    text += `<div class="item"><a href="/catalogue/item?id=${number}">Running shoe no. ${number}</a> <b>EUR ${number}.90</b> Light and fast, for road and track.</div>\n`
  }
  return text.slice(0, sizeBytes)
}
