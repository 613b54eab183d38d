import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page with what people use on sites: a product, a form, an article, links. */
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Garden chair “Åse” – oak, 2 pieces | Ann & Sons</title>
<meta name="description" content="Solid oak; delivered within 3–5 days"></head><body>
<nav><a href="/sale?cat[]=chairs&cat[]=tables&price=10..250">Sale %</a> <a id="account" href="#account">My account</a></nav>
<main><h1 class="title">Garden chair “Åse”</h1><p id="text">It's made of oak. "Best chair I ever had" – Siobhán O'Connor</p>
<button id="buy" class="btn btn--primary js-add" data-sku="CH-104/2">Add to basket</button>
<form id="form"><input id="name" name="name"><input name="email" id="email"><textarea id="comment" name="comment"></textarea>
<select name="size"><option>S</option><option>M</option></select><div id="editor" contenteditable="true"></div></form>
<table id="table"><thead><tr><th>Name</th><th>Price</th><th>Placed at</th><th>State</th></tr></thead></table><div id="box"></div></main></body></html>`

/** What clients need to go on, by the path; `{}` for others. */
const answers: readonly (readonly [RegExp, unknown])[] = [
  [
    /\/negotiate/,
    { connectionId: 'c1', availableTransports: [{ transport: 'LongPolling', transferFormats: ['Text'] }] },
  ],
  [/openid-configuration/, openIdConfiguration()],
  [
    /v1\/projects\/|settings|projects\/.*\/settings/,
    { integrations: { 'Segment.io': { apiKey: 'k' } }, plan: {}, edgeFunction: {} },
  ],
  [
    /\/(?:flags|decide)\//,
    {
      featureFlags: { 'new-basket': true },
      sessionRecording: { endpoint: '/s/' },
      supportedCompression: ['gzip-js'],
      capturePerformance: true,
    },
  ],
  [/_search|\/search|documents|indexes|queries/, { results: [], hits: [], took: 1, hitsPerPage: 20 }],
  [/server-side|datatable/, { draw: 1, recordsTotal: 1, recordsFiltered: 1, data: [] }],
]

/** Answers whatever it is asked, so that client libraries go on. @returns its port */
export async function answeringServer(): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { headers, method, url = '/' } = request
      response.setHeader('access-control-allow-origin', headers.origin ?? '*')
      response.setHeader('access-control-allow-credentials', 'true')
      response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
      response.setHeader('access-control-expose-headers', '*')
      response.setHeader('etag', '"e1"')
      response.setHeader('location', `https://www.example.org/files/7f3a`)
      response.setHeader(
        'accept-ch',
        'Sec-CH-UA-Full-Version-List, Sec-CH-UA-Model, Sec-CH-UA-Platform-Version, Sec-CH-UA-Arch, DPR, Viewport-Width, Device-Memory, Downlink, RTT, ECT',
      )
      if (method === 'OPTIONS') response.writeHead(204).end()
      else if (isPage(request)) response.setHeader('content-type', 'text/html').end(page)
      else {
        const answer = answers.find(([path]) => path.test(url))?.[1] ?? {}
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  server.unref()
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const isPage = ({ headers }: IncomingMessage): boolean =>
  /^(?:document|iframe)$/.test(String(headers['sec-fetch-dest']))

function openIdConfiguration(): Readonly<Record<string, string>> {
  const issuer = 'https://login.example.org/realms/shop'
  return {
    issuer,
    authorization_endpoint: `${issuer}/protocol/openid-connect/auth`,
    token_endpoint: `${issuer}/protocol/openid-connect/token`,
    userinfo_endpoint: `${issuer}/protocol/openid-connect/userinfo`,
    end_session_endpoint: `${issuer}/protocol/openid-connect/logout`,
    jwks_uri: `${issuer}/protocol/openid-connect/certs`,
  }
}
