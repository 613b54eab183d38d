import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { newFolder } from '../support/programs/server.ts'
import { wikiEditor } from './applications.ts'
import { curl, documents, pythonCalls, run } from './clients.ts'

/** What clients do with an application. @param origin through the recorder */
export type Visit = (origin: string, browser: Browser) => Promise<void>

/** How an application is started, and visited through the recorder. */
export interface Plan {
  /** Gives its port. */
  readonly start: () => Promise<number>
  readonly visit: Visit
}

/** In a window of its own. */
export async function inBrowser(browser: Browser, visit: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB' })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  try {
    await visit(page)
  } finally {
    await context.close()
  }
}

async function call(address: string, init: RequestInit = {}): Promise<void> {
  const reply = await fetch(address, init)
  await reply.arrayBuffer()
}

const json = (method: string, body: unknown, type = 'application/json'): RequestInit => ({
  method,
  headers: { 'content-type': type, accept: 'application/json' },
  body: JSON.stringify(body),
})

/** Scripts of pages at another site, command lines and programs. */
export const useJsonApi: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto('about:blank')
    await page.goto(`${origin.replace('127.0.0.1', 'pages.localhost')}/posts`)
    // From another origin, browsers ask with OPTIONS first.
    await page.evaluate(async (root) => {
      for (const [method, path, body] of [
        ['GET', '/posts?_page=2&_limit=10', undefined],
        ['POST', '/posts', { title: 'From a page', text: 'He said "select one from these", and we did.' }],
        ['PUT', '/posts/1', { id: 1, title: 'It’s changed', html: '<p>A <b>bold</b> word</p>' }],
        ['PATCH', '/posts/1', { views: 17, at: new Date(0).toISOString() }],
        ['DELETE', '/posts/3', undefined],
      ] as const) {
        await fetch(root + path, {
          method,
          headers: {
            'content-type': 'application/json',
            'x-requested-with': 'XMLHttpRequest',
            authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmVk',
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }).catch(() => undefined)
      }
      const form = new FormData()
      form.append('title', 'With a file')
      form.append('file', new Blob(['plain text'], { type: 'text/plain' }), 'notes.txt')
      await fetch(`${root}/posts`, { method: 'POST', body: form }).catch(() => undefined)
      Reflect.get(navigator, 'sendBeacon').call(navigator, `${root}/posts`, '{"event":"leave","seconds":12}')
    }, origin)
  })
  await call(
    `${origin}/posts`,
    json('POST', { data: { type: 'posts', attributes: { title: 'JSON:API' } } }, 'application/vnd.api+json'),
  )
  await call(
    `${origin}/posts/1`,
    json('PATCH', [{ op: 'replace', path: '/title', value: 'Patched' }], 'application/json-patch+json'),
  )
  await call(
    `${origin}/posts`,
    json('POST', { '@context': 'https://schema.org', '@type': 'Person' }, 'application/ld+json'),
  )
  await call(`${origin}/posts`, {
    method: 'POST',
    body: '{"a":1}\n{"a":2}\n',
    headers: { 'content-type': 'application/x-ndjson' },
  })
  await call(`${origin}/posts`, {
    method: 'POST',
    body: 'id,name\n1,Ann\n',
    headers: { 'content-type': 'text/csv' },
  })
  await call(`${origin}/posts`, {
    method: 'POST',
    body: 'title: First\ntags: [a, b]\n',
    headers: { 'content-type': 'application/yaml' },
  })
  await call(`${origin}/posts`, {
    method: 'POST',
    body: Buffer.from([0x82, 0xa1, 0x61, 1, 0xa1, 0x62, 2]),
    headers: { 'content-type': 'application/msgpack' },
  })
  await call(`${origin}/posts`, { method: 'POST', body: new URLSearchParams(dataTable()) })
  await call(`${origin}/posts?${new URLSearchParams(dataTable())}`)
  await call(
    `${origin}/posts?filter=${encodeURIComponent('{"where":{"and":[{"title":{"like":"%a%"}},{"id":{"gt":3}}]}}')}`,
  )
  await call(
    `${origin}/posts?redirect_uri=${encodeURIComponent('https://app.example.org/back?state=x&code=y')}&scope=openid%20profile`,
  )
  await run('python3', ['-c', pythonCalls, origin])
  await curl('-X', 'POST', `${origin}/posts`)
  await curl('-X', 'DELETE', `${origin}/posts/9`)
  await curl('-d', '{"title":"without a type"}', `${origin}/posts`)
  await curl('--json', '{"title":"with a type"}', `${origin}/posts`)
  await curl('-F', 'title=a form', '-F', 'file=@/usr/share/common-licenses/BSD', `${origin}/posts`)
  await curl('-I', `${origin}/posts`)
  await curl('-X', 'OPTIONS', `${origin}/posts`)
  await curl('--compressed', '-H', 'Range: bytes=0-99', '-H', 'If-None-Match: "abc"', `${origin}/posts/1`)
  await curl('-T', '/usr/share/common-licenses/BSD', '-H', 'Content-Type: text/plain', `${origin}/posts/1`)
  await call(`${origin}/posts`, { method: 'POST', body: new URLSearchParams(nestedForm()) })
  await call(`${origin}/posts?since=2025-01-01`, { headers: headersOfProxies() })
}

/** A form for an order, in the notation of Rails. */
function nestedForm(): Record<string, string> {
  const variant = 'order[line_items_attributes][0][product_variant_attributes]'
  return {
    utf8: '✓',
    authenticity_token: Buffer.alloc(64, 'token').toString('base64'),
    [`${variant}[option_values_attributes][0][name]`]: 'Colour & size',
    [`${variant}[option_values_attributes][1][name]`]: 'Folder C:\\Users\\ann',
    'order[note]': 'Please leave it at the door; we are at work until six. '.repeat(30),
  }
}

/** What a client, a content delivery network, a gateway and a mesh of services add to each other. */
function headersOfProxies(): Record<string, string> {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  return {
    accept: 'application/json',
    'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
    authorization: `Bearer eyJhbGciOiJSUzI1NiJ9.${Buffer.alloc(1_200, '{"roles":["editor"]}').toString('base64url')}.c2lnbmVk`,
    'cdn-loop': 'cdn.example.net',
    'cache-control': 'no-cache',
    pragma: 'no-cache',
    dnt: '1',
    priority: 'u=1, i',
    traceparent: `00-${trace}-00f067aa0ba902b7-01`,
    tracestate: 'vendor=00f067aa0ba902b7',
    baggage: 'user=7,region=eu-central',
    'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678912345678',
    'x-b3-traceid': trace,
    'x-b3-spanid': '00f067aa0ba902b7',
    'x-b3-sampled': '1',
    'x-client-version': '7.12.0 (web; build 20250110)',
    'x-correlation-id': '0e9c4d9e-6b0f-4c8a-9a3d-2f3f4b5c6d7e',
    'x-envoy-attempt-count': '1',
    'x-envoy-external-address': '198.51.100.7',
    'x-forwarded-for': '198.51.100.7, 192.0.2.20',
    'x-forwarded-host': 'www.example.org',
    'x-forwarded-proto': 'https',
    'x-real-ip': '198.51.100.7',
    'x-request-id': '7d1f2c3b4a5e6f708192a3b4c5d6e7f8',
    'x-request-start': 't=1736500000123',
    'x-requested-with': 'XMLHttpRequest',
    'x-tenant': 'acme',
    'x-timezone': 'Europe/Berlin',
  }
}

/** What a widespread table in pages asks its server for. */
function dataTable(): Record<string, string> {
  const bodies: Record<string, string> = {
    draw: '3',
    start: '20',
    length: '10',
    'search[value]': '',
    'search[regex]': 'false',
    'order[0][column]': '2',
    'order[0][dir]': 'asc',
  }
  for (let column = 0; column < 12; column++) {
    for (const [name, value] of [
      ['data', `field_${column}`],
      ['name', ''],
      ['searchable', 'true'],
      ['orderable', 'true'],
      ['search][value', ''],
      ['search][regex', 'false'],
    ] as const) {
      bodies[`columns[${column}][${name}]`] = value
    }
  }
  return bodies
}

/** Queries in each way in which clients send them. */
export const useGraphql: Visit = async (origin, browser) => {
  const address = `${origin}/graphql`
  const query = 'query Books($first: Int) { books(search: "a", first: $first) { id title notes } }'
  await inBrowser(browser, async (page) => {
    await page.goto(`${address}?query=${encodeURIComponent(query)}`)
    await page.waitForTimeout(1_000)
    await page.evaluate(async (text) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, multipart/mixed' }
      await fetch('/graphql', {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: text, variables: { first: 3 }, operationName: 'Books' }),
      })
    }, query)
  })
  const introspection =
    'query IntrospectionQuery { __schema { queryType { name } types { ...T } } } fragment T on __Type { kind name fields(includeDeprecated: true) { name args { name type { name } } type { kind name } } }'
  for (const body of [
    { query: introspection },
    {
      query: 'mutation($book: BookInput!) { addBook(book: $book) { id } }',
      variables: { book: { title: "Jane's 'best' book; or not" } },
    },
    { query: 'mutation { addNote(id: "1", note: "She looked up; he didn\'t. -- end") { id notes } }' },
  ]) {
    await call(address, json('POST', body))
  }
  await call(address, { method: 'POST', body: query, headers: { 'content-type': 'application/graphql' } })
  await call(address, json('POST', { query }, 'application/graphql-response+json'))
  await call(
    `${address}?${new URLSearchParams({ query, variables: '{"first":2}', extensions: '{"persistedQuery":{"version":1}}' })}`,
  )
  const form = new FormData()
  form.append(
    'operations',
    JSON.stringify({ query: 'mutation($f: Upload) { up(f: $f) }', variables: { f: null } }),
  )
  form.append('map', '{"0":["variables.f"]}')
  form.append('0', new Blob(['x']), 'a.txt')
  await call(address, { method: 'POST', body: form })
  await curl('--json', JSON.stringify({ query }), address)
}

/** Somebody draws a flow in the editor, and deploys it. */
export const useNodeRed: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(origin)
    await page.locator('#red-ui-header-button-deploy').waitFor()
    await page.waitForTimeout(1_500)
    await page.evaluate(async () => {
      const flows = [
        { id: 'tab1', type: 'tab', label: 'Heating', disabled: false, info: '' },
        {
          id: 'n1',
          type: 'inject',
          z: 'tab1',
          name: 'each minute',
          props: [{ p: 'payload' }],
          repeat: '60',
          topic: 'home/heating',
          payload: '',
          payloadType: 'date',
          x: 120,
          y: 80,
          wires: [['n2']],
        },
        {
          id: 'n2',
          type: 'switch',
          z: 'tab1',
          name: 'cold?',
          property: 'payload',
          rules: [{ t: 'lt', v: '19', vt: 'num' }],
          x: 300,
          y: 80,
          wires: [[]],
        },
      ]
      await fetch('flows', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'node-red-api-version': 'v2',
          'node-red-deployment-type': 'full',
        },
        body: JSON.stringify({ flows }),
      })
    })
    await page.reload()
    await page.waitForTimeout(1_500)
  })
}

/** Somebody administers databases, and programs call the API. */
export const usePouchdb: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(`${origin}/_utils/`)
    await page.waitForTimeout(1_500)
  })
  const shop = `${origin}/shop`
  await call(shop, { method: 'PUT' })
  await call(`${shop}/lamp`, json('PUT', { name: 'Lamp', price: 12.5 }))
  await call(
    `${shop}/_bulk_docs`,
    json('POST', {
      docs: Array.from({ length: 20 }, (_, index) => ({
        _id: `item-${index}`,
        name: `Item ${index}`,
        sold: index % 2 === 0,
      })),
    }),
  )
  await call(`${shop}/_index`, json('POST', { index: { fields: ['price'] } }))
  await call(
    `${shop}/_find`,
    json('POST', { selector: { price: { $gt: 3 }, name: { $regex: '^L' } }, sort: [{ price: 'asc' }] }),
  )
  await call(
    `${shop}/_design/views`,
    json('PUT', { views: { by_name: { map: 'function (doc) { if (doc.name) emit(doc.name, 1) }' } } }),
  )
  await call(`${shop}/_design/views/_view/by_name?startkey=%22A%22&endkey=%22Z%22&include_docs=true&limit=21`)
  await call(`${shop}/_changes?style=all_docs&since=0&limit=100&heartbeat=10000`)
  await call(`${shop}/_all_docs`, json('POST', { keys: ['lamp', 'item-1'] }))
  await call(`${shop}/_revs_diff`, json('POST', { lamp: ['1-967a00dff5e02add41819138abb3284d'] }))
  await call(`${shop}/item-1/photo.gif?rev=1-x`, {
    method: 'PUT',
    body: Buffer.from('R0lGODlhAQABAIAAAAAAAP', 'base64'),
    headers: { 'content-type': 'image/gif' },
  })
  await call(`${shop}/lamp?rev=1-x`, { method: 'DELETE' })
  await run(
    process.execPath,
    [
      '-e',
      'const P = require("pouchdb").plugin(require("pouchdb-adapter-memory")); const a = new P("a", { adapter: "memory" }); a.put({ _id: "x", text: "replicated" }).then(() => P.replicate(a, process.argv[1])).then(() => P.replicate(process.argv[1], a)).catch(console.error)',
      shop,
    ],
    { cwd: packagesFolder() },
  )
}

/** Programs keep files over WebDAV. */
export const useWebdav: Visit = async (origin) => {
  const remote = `:webdav,url="${origin}",vendor=other:`
  const folder = documents()
  await run('/usr/bin/rclone', ['copy', folder, remote])
  await run('/usr/bin/rclone', ['lsl', remote])
  await run('/usr/bin/rclone', ['moveto', `${remote}table.csv`, `${remote}tables/table.csv`])
  await run('/usr/bin/rclone', ['delete', `${remote}backup.sh`])
  await run('/usr/bin/cadaver', [origin], {
    cwd: folder,
    input:
      'ls\nmkcol more\ncd more\nput page.html\nlock page.html\ncopy page.html second.html\nmove second.html third.html\npropget page.html\nunlock page.html\ndelete third.html\nquit\n',
  })
  await curl(
    '-X',
    'PROPFIND',
    '-H',
    'Depth: 1',
    '-H',
    'Content-Type: application/xml; charset="utf-8"',
    '--data-binary',
    '<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:prop><D:getlastmodified/><D:resourcetype/></D:prop></D:propfind>',
    `${origin}/`,
  )
  await curl(
    '-X',
    'LOCK',
    '-H',
    'Timeout: Second-600',
    '-H',
    'Content-Type: application/xml; charset="utf-8"',
    '-H',
    'If: (<opaquelocktoken:11111111-2222-3333-4444-555555555555>)',
    '--data-binary',
    '<?xml version="1.0" encoding="utf-8"?><lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner><href>ann</href></owner></lockinfo>',
    `${origin}/more/page.html`,
  )
  await curl(
    '-X',
    'UNLOCK',
    '-H',
    'Lock-Token: <opaquelocktoken:11111111-2222-3333-4444-555555555555>',
    `${origin}/more/page.html`,
  )
  await curl(
    '-T',
    join(folder, 'numbers.bin'),
    '-H',
    'Content-Range: bytes 0-19999/20000',
    '-H',
    'OC-Checksum: SHA1:da39a3ee5e6b4b0d3255bfef95601890afd80709',
    `${origin}/numbers.bin`,
  )
}

/** Somebody and his programs keep appointments and addresses. */
export const useCalendars: Visit = async (origin, browser) => {
  const home = `${origin}/ann/`
  const signedIn = ['-u', 'ann:secret']
  await inBrowser(browser, async (page) => {
    await page.goto(`${origin}/.web/`)
    await page.locator('input[type=text]').first().fill('ann')
    await page.locator('input[type=password]').first().fill('ann')
    await page.locator('button[type=submit]').first().click()
    await page.waitForTimeout(1_500)
  })
  const xml = ['-H', 'Content-Type: application/xml; charset=utf-8']
  await curl(
    ...signedIn,
    '-X',
    'MKCALENDAR',
    ...xml,
    '--data-binary',
    '<?xml version="1.0" encoding="UTF-8"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>Work &amp; home</D:displayname><C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>',
    `${home}work/`,
  )
  for (const [name, summary] of [
    ['one', 'Lunch with Ann; bring the plan'],
    ['two', "Don't forget: select a room"],
    ['three', 'Call "Smith & Sons" -- later'],
  ]) {
    const event = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\nUID:${name}@example.org\r\nDTSTAMP:20250101T120000Z\r\nDTSTART;TZID=Europe/Berlin:20250110T120000\r\nDTEND;TZID=Europe/Berlin:20250110T130000\r\nRRULE:FREQ=WEEKLY;COUNT=10\r\nSUMMARY:${summary}\r\nATTENDEE;CN=Ann;PARTSTAT=ACCEPTED:mailto:ann@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    await curl(
      ...signedIn,
      '-X',
      'PUT',
      '-H',
      'Content-Type: text/calendar; charset=utf-8',
      '-H',
      'If-None-Match: *',
      '--data-binary',
      event,
      `${home}work/${name}.ics`,
    )
  }
  await curl(
    ...signedIn,
    '-X',
    'PROPFIND',
    '-H',
    'Depth: 0',
    ...xml,
    '--data-binary',
    '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><current-user-principal/><principal-URL/><sync-token/></prop></propfind>',
    `${origin}/.well-known/caldav`,
  )
  await curl(
    ...signedIn,
    '-X',
    'REPORT',
    '-H',
    'Depth: 1',
    ...xml,
    '--data-binary',
    '<?xml version="1.0"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="20250101T000000Z" end="20250201T000000Z"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>',
    `${home}work/`,
  )
  await curl(
    ...signedIn,
    '-X',
    'PUT',
    '-H',
    'Content-Type: text/vcard',
    '--data-binary',
    "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann O'Neill\r\nN:O'Neill;Ann;;;\r\nTEL;TYPE=CELL:+49 30 123\r\nNOTE:She said\\, yes\\; maybe\r\nEND:VCARD\r\n",
    `${home}people/ann.vcf`,
  )
  await curl(...signedIn, '-X', 'DELETE', '-H', 'If-Match: "abc"', `${home}work/one.ics`)
  await curl(...signedIn, '-X', 'OPTIONS', home)
}

/** Git clones, fetches and pushes. */
export const useGit: Visit = async (origin) => {
  const cwd = newFolder()
  const git = (...argv: string[]) =>
    run(
      'git',
      ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'init.defaultBranch=main', ...argv],
      { cwd },
    )
  await git('clone', `${origin}/work.git`, 'one')
  for (let commit = 0; commit < 30; commit++) {
    writeFileSync(join(cwd, 'one', `file-${commit}.txt`), `Line ${commit}\n${'text '.repeat(commit * 10)}\n`)
    await git('-C', 'one', 'add', '.')
    await git('-C', 'one', 'commit', '-qm', `Change ${commit}`)
    if (commit % 10 === 3) await git('-C', 'one', 'push', 'origin', 'HEAD:main')
  }
  await git('-C', 'one', 'push', 'origin', 'HEAD:main', 'HEAD:refs/heads/topic/a')
  await git('clone', `${origin}/work.git`, 'two')
  await git('clone', '--depth', '1', `${origin}/work.git`, 'three')
  writeFileSync(join(cwd, 'one', 'more.txt'), 'more\n')
  await git('-C', 'one', 'add', '.')
  await git('-C', 'one', 'commit', '-qm', 'More')
  await git('-C', 'one', 'push', 'origin', 'HEAD:main')
  await git('-C', 'two', 'fetch')
  await git('-C', 'three', 'fetch', '--unshallow')
  await git('ls-remote', `${origin}/work.git`)
}

/** A client uploads a file in pieces. */
export const useResumableUploads: Visit = async (origin) => {
  await run(
    process.execPath,
    [
      '-e',
      'const { Upload } = require("tus-js-client"); new Upload(Buffer.alloc(50000, "numbers and text "), { endpoint: process.argv[1], chunkSize: 20000, metadata: { filename: "holiday film.mp4", filetype: "video/mp4" }, onSuccess: () => process.exit(), onError: (e) => { console.error(e); process.exit(1) } }).start()',
      `${origin}/files`,
    ],
    { cwd: packagesFolder() },
  )
  await curl('-X', 'OPTIONS', `${origin}/files`)
}

/** A page talks by long polls. */
export const useChat: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(origin)
    await page.evaluate(async () => {
      const connect = Reflect.get(globalThis, 'io')
      const socket = connect({ transports: ['polling'] })
      const say = (text: string) =>
        new Promise((resolve) => {
          socket.once('said', resolve)
          socket.emit('say', text)
        })
      for (const text of [
        'Hello',
        "it's me; are you there?",
        '<3 && :-)',
        'see https://example.org/?a=1&b=2',
        'update me or delete from the list what you like',
      ])
        await say(text)
      socket.close()
    })
  })
}

/** Somebody opens the documentation of an API, and calls it. */
export const useApiDocumentation: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(`${origin}/docs/`)
    await page.locator('.opblock').first().waitFor()
    await page.goto(`${origin}/items?q=a%20%26%20b`)
  })
}

/** Presses a button of a form, whatever greeting lies over it, and waits for the page that comes of it. */
export async function submit(page: Page, button: string): Promise<void> {
  const navigation = page.waitForEvent('framenavigated')
  await page.locator(button).dispatchEvent('click')
  await navigation
  await page.waitForLoadState()
}

/** Presses Enter in a field of a form, and waits for the page that comes of it. */
export async function enter(page: Page, field: string): Promise<void> {
  const navigation = page.waitForEvent('framenavigated')
  await page.locator(field).press('Enter')
  await navigation
  await page.waitForLoadState('networkidle')
}

/** Somebody logs in to MediaWiki, writes and searches, as do programs. */
export const useMediaWiki: Visit = async (origin, browser) => {
  await inBrowser(browser, async (page) => {
    await page.goto(`${origin}/index.php/Main_Page`)
    await page.goto(`${origin}/index.php?title=Special:UserLogin&returnto=Main+Page`)
    await page.fill('#wpName1', wikiEditor.name)
    await page.fill('#wpPassword1', wikiEditor.password)
    await page.click('#wpLoginAttempt')
    await page.waitForLoadState()
    for (const [title, text, summary] of [
      [
        'Garden',
        "== Spring ==\n''Tulips'' and '''roses''', see [[Main Page]].\n* {{CURRENTYEAR}}\n<ref>A book</ref>",
        'First words',
      ],
      [
        'How to build',
        '# <code>git clone https://example.org/x.git && cd x</code>\n# <code>make -j4 | tee log.txt</code>\n\nSelect a branch from the list, and merge it.',
        "It's a start (50 %)",
      ],
      [
        'Köln',
        'Die Stadt am Rhein – „schön“ & groß.\n{| class="wikitable"\n! Jahr !! Wert\n|-\n| 2024 || 1.000.000\n|}',
        'Übersicht',
      ],
    ] as const) {
      await page.goto(`${origin}/index.php?title=${encodeURIComponent(title)}&action=edit`)
      await page.fill('#wpTextbox1', text)
      await page.fill('#wpSummary', summary)
      await submit(page, '#wpPreview')
      await submit(page, '#wpSave')
      await page.goto(`${origin}/index.php?title=${encodeURIComponent(title)}&action=history`)
    }
    await page.goto(
      `${origin}/index.php?search=${encodeURIComponent('roses AND "tulips"')}&title=Special%3ASearch&go=Go`,
    )
    await page.goto(`${origin}/index.php/Special:Preferences`)
    await page.goto(`${origin}/index.php?title=Special:RecentChanges&limit=500&days=30&hidebots=0`)
    await page.goto(`${origin}/index.php?title=Garden&diff=cur&oldid=prev`)
  })
  await curl(
    `${origin}/api.php?action=query&list=recentchanges&rcprop=title%7Cids%7Csizes%7Cflags%7Cuser&format=json`,
  )
  await curl(
    '-d',
    'action=parse&format=json&contentmodel=wikitext',
    '--data-urlencode',
    "text='''Bold''' <nowiki>x</nowiki> [[File:A.png|thumb]]",
    `${origin}/api.php`,
  )
}

/** npm installs, searches and publishes. */
export const usePackageRegistry: Visit = async (origin) => {
  const cwd = newFolder()
  writeFileSync(
    join(cwd, 'package.json'),
    JSON.stringify({ name: 'mine', version: '1.0.0', dependencies: { small: '1.0.0' } }),
  )
  writeFileSync(join(cwd, 'index.js'), "module.exports = (a) => a && '<b>' + a + '</b>'\n")
  writeFileSync(
    join(cwd, '.npmrc'),
    `registry=${origin}/\n//${new URL(origin).host}/:_authToken=0123456789abcdef\n`,
  )
  const npm = (...argv: string[]) => run('npm', [...argv, '--fetch-retries=0'], { cwd })
  await npm('view', 'small')
  await npm('install', '--ignore-scripts')
  await npm('audit')
  await npm('search', 'small things')
  await npm('publish', '--ignore-scripts')
  await npm('dist-tag', 'add', 'small@1.0.0', 'next')
  await npm('whoami')
  await npm('ping')
}

/** A client of S3 copies, lists and deletes objects in a bucket. */
export const useObjectStorage =
  (accessKeyId: string, secretAccessKey: string, bucket: string): Visit =>
  async (origin) => {
    const remote = `:s3,provider=Other,endpoint="${origin}",access_key_id=${accessKeyId},secret_access_key=${secretAccessKey},force_path_style=true:${bucket}`
    await run('/usr/bin/rclone', ['copy', documents(), remote])
    await run('/usr/bin/rclone', ['lsl', remote])
    await run('/usr/bin/rclone', ['cat', `${remote}/read me.txt`])
    await run('/usr/bin/rclone', ['moveto', `${remote}/table.csv`, `${remote}/tables/2025/table.csv`])
    await run('/usr/bin/rclone', ['purge', remote])
  }

export function packagesFolder(): string {
  return process.argv[2] ?? '.'
}
