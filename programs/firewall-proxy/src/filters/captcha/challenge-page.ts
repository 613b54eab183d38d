import { createHash } from 'node:crypto'
import type { SnapshotPage } from '@palisade/proxy-protocol'
import type { Answer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { pageAnswer } from '../../policy/denial-answer.ts'
import { pageScript } from './page-script.ts'

/** Where the challenge stands in a page. */
const place = '%challenge'

const style = `
:root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif }
body { max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem }
button { font: inherit; padding: 0.5rem 1rem }
[role=status] { font-weight: 600 }
`

/** Sent where administrators have no page of their own that has room for a challenge. */
const ownPage: SnapshotPage = {
  status: 403,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>One moment, please</title><style>${style}</style></head>
<body><main><h1>One moment, please</h1>
<p>This site makes sure that a browser asks for its pages. Yours solves a small riddle for that; you need not do anything.</p>
${place}
<p>Support number: %log-id</p></main></body>
</html>
`,
}

/** What the page tells, by the name under which its script finds it. */
const texts = {
  busy: 'The riddle is being solved. This takes a few seconds.',
  done: 'Solved. The page is loading.',
  again:
    'Solved. What you sent has not reached the site yet: please go back and send it again, or load this page again.',
  cookies:
    'Solved, but your browser takes no cookies from this site. Please allow them and load the page again.',
}

const attributes = Object.entries(texts).map(([name, text]) => `data-${name}="${text}"`)

const contentPolicy = [
  "default-src 'none'",
  `script-src '${digestOf(pageScript)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
]

/** A riddle for a client, and the cookie in which its answer is awaited. */
export interface ShownRiddle {
  readonly riddle: string
  /** Zero bits with which its solution begins. */
  readonly bits: number
  readonly cookie: string
}

/** @param configured that of the administrators, which is taken where it has room for the challenge */
export function challengePage(exchange: Exchange, configured: SnapshotPage, shown: ShownRiddle): Answer {
  const isOwn = !configured.body.includes(place)
  const page = isOwn ? ownPage : configured
  const { status, headers, body } = pageAnswer(page, exchange, 'captcha-challenge')
  const style = isOwn ? `'${ownStyleDigest}'` : "'unsafe-inline'"
  const others = Object.entries(headers ?? {}).filter(
    ([name]) => !['content-security-policy', 'cache-control', 'set-cookie'].includes(name.toLowerCase()),
  )
  return {
    status,
    headers: {
      ...Object.fromEntries(others),
      'Cache-Control': 'no-store',
      'Content-Security-Policy': [...contentPolicy, `style-src ${style}`].join('; '),
    },
    body: String(body).replace(place, () => challengeOf(exchange, shown)),
  }
}

const ownStyleDigest = digestOf(style)

function challengeOf({ request }: Exchange, { riddle, bits, cookie }: ShownRiddle): string {
  const isGet = request.method === 'GET' || request.method === 'HEAD'
  const data = `data-riddle="${riddle}" data-bits="${bits}" data-cookie="${cookie}" data-method="${isGet ? 'GET' : 'other'}"`
  const unsent = '<p>What you sent has not reached the site. You can send it again in a moment.</p>'
  return `<div id="palisade-challenge" ${data} ${attributes.join(' ')}>
${isGet ? '' : unsent}<p role="status" aria-live="polite"></p><p><button type="button" hidden>Go back</button></p>
<noscript><p>Your browser runs no JavaScript here. Please allow JavaScript and cookies for this site and load the page again. Where you cannot, ask whoever runs the site, and name the support number.</p></noscript>
</div>
<script>${pageScript}</script>`
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
