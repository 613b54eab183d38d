import assert from 'node:assert/strict'
import type { IncomingMessage, RequestListener } from 'node:http'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startBrowser } from './support/applications/browser.ts'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

let server: Server
let proxy: ProxyProcess
let management: Management
let browser: Browser
before(async () => {
  server = await Server.start()
  proxy = await ProxyProcess.start(server, undefined, { spareWorker: false })
  management = await Management.connect(server)
  browser = await startBrowser()
})
after(async () => {
  await browser?.close()
  await cleanUp()
  cleanUpApplications()
})

const html = 'text/html; charset=utf-8'
const image = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** An application of several folders, whose pages use each other by all sorts of links. */
const pages: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  '/': [
    html,
    `<!doctype html><link rel=stylesheet href="shop/css/look.css"><title>Start</title>
     <a id=item href="shop/item?id=7&amp;kind=lamp#top">Lamp</a>
     <form action="/shop/search?old=1"><input name=q value="a b"><button id=search>Search</button></form>`,
  ],
  '/shop/item?id=7&kind=lamp': [
    html,
    `<!doctype html><title>Lamp</title><img id=picture src="pictures/lamp.gif" srcset="pictures/lamp.gif 1x">
     <a id=next href="../basket/?add=7">Basket</a><div id=stock></div>
     <div id=api data-address="" hidden><a href="stock">stock</a></div>
     <script>
       const address = document.querySelector('#api a').href
       fetch(address + '?item=7').then((reply) => reply.text()).then((text) => { document.querySelector('#stock').textContent = text })
     </script>`,
  ],
  '/shop/stock?item=7': ['text/plain', 'three left'],
  '/shop/css/look.css': [
    'text/css',
    '@import url("../css/more.css"); body { background: url(../pictures/back.gif) }',
  ],
  '/shop/css/more.css': ['text/css', '#item { color: rgb(1, 2, 3) }'],
  '/shop/pictures/back.gif': ['image/gif', image],
  '/shop/pictures/lamp.gif': ['image/gif', image],
  '/shop/search?q=a+b': [
    html,
    '<!doctype html><title>Found</title><form method=post id=pay><button>Pay</button></form>',
  ],
  '/basket/?add=7': [html, '<!doctype html><title>Basket</title>'],
}

function shop(requests: IncomingMessage[]): RequestListener {
  return (request, response) => {
    requests.push(request)
    request.resume()
    if (request.method === 'POST') {
      response.writeHead(303, { location: '/basket/?add=7', 'set-cookie': 'paid=yes; Path=/shop/deep' })
      response.end()
      return
    }
    const [type, body] = pages[request.url ?? ''] ?? [html, '<title>Missing</title>']
    if (pages[request.url ?? ''] === undefined) response.statusCode = 404
    response.setHeader('content-type', type)
    response.end(body)
  }
}

test('a browser runs no script that a Content Security Policy does not allow, and reports what would be', async () => {
  const page = `<!doctype html><title>Pay</title><script src=/own.js></script>
    <script>document.title += ' injected'</script>`
  const reports: string[] = []
  const behind = await application((request, response) => {
    if (request.url === '/own.js') {
      response.setHeader('content-type', 'text/javascript')
      response.end("document.title += ' own'")
    } else if (request.url === '/reports') {
      request.setEncoding('utf8').on('data', (text) => reports.push(text))
      response.end()
    } else {
      response.setHeader('content-type', html)
      response.end(page)
    }
  })
  const port = await management.protect('policies', behind)
  const at = 'services/policies/client-side-protection'
  for (const [name, url, mode] of [
    ['all', '/*', 'Report Only'],
    ['checkout', '/checkout/*', 'Block'],
  ] as const) {
    await management.call('POST', at, { name, host: '*', url })
    await management.call('POST', `${at}/${name}/csp-policies`, {
      'csp-policy-name': 'scripts',
      'csp-mode': mode,
      'script-src': ['Self'],
      'report-uri': '/reports',
    })
  }
  await management.untilHealth('services/policies', 'Up')
  const context = await browser.newContext()
  const opened = await context.newPage()
  const titleOf = async (path: string) => {
    await opened.goto(`http://127.0.0.1:${port}${path}`)
    return opened.title()
  }
  assert.equal(await titleOf('/'), 'Pay own injected')
  for (const path of ['/checkout/pay', '/CHECKOUT/pay', '/checkout;a=b/pay', '/x/..%2fcheckout/pay']) {
    assert.equal(await titleOf(path), 'Pay own', path)
  }
  await eventually('a report', async () => (/"script-src-elem"/.test(reports.join()) ? true : undefined))
  await context.close()
})

test('a browser goes through a site with encrypted links as it would without', async () => {
  const requests: IncomingMessage[] = []
  const port = await management.protect('site', await application(shop(requests)))
  await management.call('PUT', 'services/site/basic-security', { mode: 'Active' })
  await management.call('POST', 'services/site/url-encryption-rules', {
    name: 'everything',
    host: '*',
    url: '/*',
    'exclude-urls': ['/', '/favicon.ico'],
  })
  await management.call('PUT', 'services/site/url-encryption', { status: 'On' })
  await management.untilHealth('services/site', 'Up')
  const root = `http://127.0.0.1:${port}/`
  const wasAsked = (url: string) =>
    eventually(
      `a request for ${url}`,
      async () => (requests.some((one) => one.url === url) ? true : undefined),
      30_000,
    )

  const page = await browser.newPage()
  await page.goto(root)
  await page.waitForFunction(
    "getComputedStyle(document.querySelector('#item')).color === 'rgb(1, 2, 3)'",
    undefined,
    { timeout: 60_000 },
  )
  await wasAsked('/shop/pictures/back.gif')

  await page.click('#item')
  await page.waitForFunction("document.querySelector('#stock')?.textContent === 'three left'", undefined, {
    timeout: 60_000,
  })
  assert.match(page.url(), /\/~enc~[\w-]+#top$/)
  await page.waitForFunction("document.querySelector('#picture').naturalWidth === 1", undefined, {
    timeout: 60_000,
  })
  await page.click('#next')
  await page.waitForFunction("document.title === 'Basket'", undefined, { timeout: 60_000 })

  await page.goto(root)
  await page.click('#search')
  await page.waitForFunction("document.title === 'Found'", undefined, { timeout: 60_000 })
  await page.click('#pay button')
  await page.waitForFunction("document.title === 'Basket'", undefined, { timeout: 60_000 })
  const posted = requests.find(({ method }) => method === 'POST')
  assert.equal(posted?.url, '/shop/search?q=a+b')
  assert.equal(posted.headers.referer, `${root}shop/search?q=a+b`)
  assert.equal(requests.at(-1)?.headers.cookie, 'paid=yes')

  assert.deepEqual(
    [...new Set(requests.map(({ url }) => url ?? ''))].filter(
      (url) => url !== '/favicon.ico' && pages[url] === undefined,
    ),
    [],
  )
})

/** A shop with a form for orders, one that a script sends, and one for comments; it keeps what reaches it. */
function formShop(reached: string[]): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'POST')
        reached.push(`${request.url} ${Buffer.concat(chunks).toString('latin1')}`)
      response.setHeader('content-type', html)
      response.end(
        request.method === 'POST'
          ? '<!doctype html><title>Thanks</title>'
          : `<!doctype html><title>Shop</title>
             <form id=order action="/order" method=post><input type=hidden name=price value=5><input name=item>
               <select name=size><option>small<option>large</select><button>Order</button></form>
             <form id=upload action="/order" method=post enctype="multipart/form-data"><input type=hidden name=price value="7 &amp; 8">
               <input type=file name=file><button>Send</button></form>
             <form id=comment action="/comment" method=post><textarea name=text></textarea><button>Comment</button></form>
             <button id=script onclick="fetch('/cart', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }).then((reply) => { document.title = 'Status ' + reply.status })">Add</button>`,
      )
    })
  }
}

test('a browser sends forms as it would without us, and neither forged, tampered nor hasty ones', async () => {
  const reached: string[] = []
  const port = await management.protect('forms', await application(formShop(reached)))
  await management.call('POST', 'security-policies', { name: 'forms' })
  await management.call('PUT', 'security-policies/forms/url-protection', { 'csrf-prevention': 'Forms' })
  await management.call('PUT', 'security-policies/forms/parameter-protection', {
    'file-upload-extensions': ['*'],
  })
  await management.call('PUT', 'services/forms/basic-security', {
    mode: 'Active',
    'web-firewall-policy': 'forms',
  })
  await management.call('POST', 'services/forms/url-profiles', {
    name: 'order',
    url: '/order',
    mode: 'Active',
    'csrf-prevention': 'Forms',
    'hidden-parameter-protection': 'Forms',
  })
  await management.call('POST', 'services/forms/url-profiles/order/parameter-profiles', {
    name: 'size',
    parameter: 'size',
    'parameter-class': 'Generic',
    type: 'Session Choice',
  })
  await management.untilHealth('services/forms', 'Up')
  const root = `http://127.0.0.1:${port}/`
  const page = await browser.newPage()
  const titled = (title: string) =>
    page.waitForFunction(`document.title === '${title}'`, undefined, { timeout: 60_000 })
  const send = async (form: string) => {
    const [answer] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'POST', { timeout: 60_000 }),
      page.click(`${form} button`),
    ])
    return answer.status()
  }

  await page.goto(root)
  await page.fill('#order [name=item]', 'a lamp')
  await page.selectOption('#order select', 'large')
  assert.equal(await send('#order'), 200)
  await titled('Thanks')
  assert.equal(reached.at(-1), '/order price=5&item=a+lamp&size=large')

  await page.goto(root)
  await page.setInputFiles('#upload [name=file]', {
    name: 'a.txt',
    mimeType: 'text/plain',
    buffer: Buffer.alloc(300_000, 'a'),
  })
  assert.equal(await send('#upload'), 200)
  const [head = '', file = ''] = (reached.at(-1) ?? '').split('Content-Type: text/plain\r\n\r\n')
  assert.match(head, /name="price"\r\n\r\n7 & 8\r\n/)
  assert.equal(file.indexOf('\r\n'), 300_000)
  assert.match(file.slice(300_000), /^\r\n--[^\r]+--\r\n$/)
  assert.ok(!reached.some((one) => /ncforminfo|homepage/.test(one)))

  await page.goto(root)
  await page.click('#script')
  await page.waitForFunction("document.title.startsWith('Status')", undefined, { timeout: 60_000 })
  assert.equal(await page.title(), 'Status 200')
  const count = reached.length

  for (const change of [
    "document.querySelector('#order [name=price]').value = '1'",
    "document.querySelector('#order option').value = 'tiny'",
  ]) {
    await page.goto(root)
    await page.evaluate(change)
    assert.equal(await send('#order'), 403, change)
  }

  await management.call('POST', 'services/forms/form-spam-forms', {
    name: 'comments',
    'action-url': '/comment',
    mode: 'Active',
    'minimum-form-fill-time': 1024,
  })
  await management.untilHealth('services/forms', 'Up', /form-spam status is Off/)
  await management.call('PUT', 'services/forms/form-spam', { status: 'On', 'honeypot-status': 'Yes' })
  await management.untilHealth('services/forms', 'Up')
  await page.goto(root)
  assert.equal(await send('#comment'), 403, 'nobody writes as fast')
  await management.call('PUT', 'services/forms/form-spam-forms/comments', { 'minimum-form-fill-time': 1 })
  await management.untilHealth('services/forms', 'Up')
  await page.goto(root)
  await page.waitForFunction('performance.now() > 1500', undefined, { timeout: 60_000 })
  assert.equal(await send('#comment'), 200)
  assert.equal(reached.at(-1), '/comment text=')

  // Another port is another origin, to whose requests browsers add the cookies of this one.
  const forging = await application((request, response) => {
    request.resume()
    response.setHeader('content-type', html)
    response.end(
      `<!doctype html><form action="${root}${request.url === '/order' ? 'order' : 'cart'}" method=post><input name=item value=x><button>Win</button></form>`,
    )
  })
  for (const [host, path] of [
    ['127.0.0.1', '/order'],
    ['127.0.0.1', '/cart'],
    ['localhost', '/cart'],
  ] as const) {
    await page.goto(`http://${host}:${forging}${path}`)
    assert.equal(await send('form'), 403, host + path)
  }
  assert.equal(reached.length, count + 1)
  const told = async (attack: string, url: string) => {
    const [entry] = await management.entries(
      'web-firewall-logs',
      (one) => one.attack === attack && one.url === url && one['service-name'] === 'forms',
    )
    return entry?.action
  }
  assert.equal(await told('read-only-parameter-tampered', '/order'), 'DENY')
  assert.equal(await told('session-choice-parameter-tampered', '/order'), 'DENY')
  assert.equal(await told('form-spam', '/comment'), 'DENY')
  assert.equal(await told('cross-site-request-forgery', '/cart'), 'DENY')
})

/** Says how often it was reached, by which requests and with which cookies. */
function forms(requests: { method: string; body: string; cookie: string }[]): RequestListener {
  return (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => {
      body += text
    })
    request.on('end', () => {
      requests.push({ method: request.method ?? '', body, cookie: request.headers.cookie ?? '' })
      response.setHeader('content-type', html)
      response.end(
        `<!doctype html><h1>${request.method === 'POST' ? 'Sent' : 'Form'}</h1>
         <form method=post action="/send?x"><input name=q value="a b"><button>Send</button></form>`,
      )
    })
  }
}

test('a browser passes a challenge, also over HTTP/2 and at a proxy that knows nothing of it, and a program does not', async () => {
  const requests: { method: string; body: string; cookie: string }[] = []
  const serverPort = await application(forms(requests))
  const port = await management.protect('form', serverPort)
  await management.call('POST', 'services/form/ddos-policies', {
    name: 'all',
    url: '/*',
    'enforce-captcha': 'All clients',
  })
  await management.call('POST', 'self-signed-certificate', {
    name: 'site',
    'common-name': 'www.example.com',
    'country-code': 'DE',
    'key-type': 'ECDSA',
  })
  const securePort = await management.protect('secure', serverPort, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', 'services/secure/advanced-configuration', { 'enable-http2': 'Yes' })
  await management.call('PUT', 'services/secure/basic-security', { mode: 'Active' })
  await management.call('POST', 'services/secure/url-acls', {
    name: 'trap',
    url: '/trap',
    host: '*',
    action: 'Deny and Log',
    'deny-response': 'Response Page',
    'follow-up-action': 'Challenge with CAPTCHA',
    'follow-up-action-time': 600,
  })
  await management.call('POST', 'web-scraping-policies', { name: 'copies', 'insert-hidden-links': 'Yes' })
  await management.call('POST', 'services/secure/url-policies', {
    name: 'pages',
    url: '/*',
    mode: 'Active',
    'web-scraping-policy': 'copies',
  })
  await management.untilHealth('services/form', 'Up')
  await management.untilHealth('services/secure', 'Up')
  const [root, secure] = [`http://127.0.0.1:${port}/`, `https://127.0.0.1:${securePort}/`]

  const refused = await fetch(root, { headers: { accept: 'text/html' } })
  assert.equal(refused.status, 403)
  assert.match(await refused.text(), /<noscript>/)
  assert.equal(requests.length, 0)
  const [entry] = await management.entries('web-firewall-logs', ({ rule }) => rule === 'all')
  assert.equal(entry?.attack, 'captcha-challenge')

  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const page = await context.newPage()
  // The page of the challenge lets no other script run, such as one that waits.
  const isShown = (title: string) => page.getByRole('heading', { name: title }).waitFor({ timeout: 60_000 })
  await page.goto(`${root}a?b=1#c`)
  await isShown('Form')
  assert.equal(page.url(), `${root}a?b=1#c`)
  await page.click('button')
  await isShown('Sent')

  const folder = proxy.folder
  await proxy.program.stop()
  proxy = await ProxyProcess.start(server, folder)
  await page.goto(root)
  await isShown('Form')
  await context.clearCookies()
  await page.click('button')
  await page.click('#palisade-challenge button')
  await isShown('Form')
  await page.click('button')
  await isShown('Sent')
  const post = { method: 'POST', body: 'q=a+b', cookie: '' }
  assert.deepEqual(
    requests.filter(({ method }) => method === 'POST'),
    [post, post],
  )

  await page.goto(secure)
  await isShown('Form')
  await page.goto(`${secure}trap`)
  await page.goto(secure)
  await isShown('Form')
  const version = await page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
  assert.equal(version, 'h2')
  const trap = await page.locator('a[hidden]').getAttribute('href')
  assert.equal((await page.request.get(new URL(trap ?? '', secure).href)).status(), 403)
  const passes = (await context.cookies(secure)).filter(({ name }) => name.startsWith('palisade_pass'))
  assert.deepEqual(passes.map(({ secure }) => secure).sort(), [false, true])
  assert.ok(passes.every(({ httpOnly }) => httpOnly))
})
