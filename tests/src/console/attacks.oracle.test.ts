import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { send } from '@palisade/platform/testing'
import type { Browser, BrowserContext } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { owner } from '../support/console/owner.ts'
import { ConsoleVisitor, signIn } from '../support/console/visitor.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'

const publicUrl = 'https://palisade.example.org'

/** What a forged request would leave behind, if one were taken. */
const forged = { username: 'eve', password: 'a password of the attacker', grants: [{ role: 'owner' }] }

describe('attacks on whoever looks at the console', () => {
  let server: Server
  let browser: Browser
  let visitor: ConsoleVisitor
  let attacker: HttpsServer
  /** What the attacker's site shows, by path. */
  const pages = new Map<string, string>()
  before(async () => {
    server = await Server.start(newFolder(), {
      ...provisioned,
      administration: { publicUrl, operators: [owner] },
    })
    // The attacker has a certificate that the browser takes, so that the worst place for a site of his can be tried: the same host.
    const pem = readFileSync(join(server.dataDirectory, 'self-signed.pem'))
    attacker = createServer({ key: pem, cert: pem }, (request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(pages.get(request.url ?? '') ?? '')
    }).listen(0, '127.0.0.1')
    await once(attacker, 'listening')
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
  })
  after(async () => {
    await browser?.close()
    attacker?.close()
    attacker?.closeAllConnections()
    await cleanUp()
  })

  /** Places of the attacker: another port of the same host, which browsers call the same site, and another site. */
  const origins = () => {
    const { port } = attacker.address() as AddressInfo
    return [`https://127.0.0.1:${port}`, `https://localhost:${port}`]
  }

  /** A call of the administration with a cookie, from no browser. */
  const call = (
    cookie: string,
    method: string,
    path: string,
    more: { headers?: object; body?: object } = {},
  ) =>
    send(`${server.services}/admin/v1${path}`, {
      method,
      headers: { cookie, ...more.headers },
      ...(more.body && { body: more.body }),
    })

  const operators = async (cookie: string): Promise<string[]> => {
    const { json } = await call(cookie, 'GET', '/operators')
    return json.items.map(({ username }: { username: string }) => username)
  }

  test('a stolen cookie changes nothing by itself, and opens nothing once its owner has signed out or ended the session', async () => {
    for (const end of ['sign out', 'end session'] as const) {
      await visitor.visitAsOwner(async (page) => {
        const cookie = await cookieOf(page.context())
        const isOpen = async () => (await call(cookie, 'GET', '/operators')).status === 200
        assert.ok(await isOpen())
        assert.equal((await call(cookie, 'POST', '/operators', { body: forged })).status, 403)
        const headers = { 'x-csrf-token': 'x'.repeat(43) }
        assert.equal((await call(cookie, 'POST', '/operators', { headers, body: forged })).status, 403)
        assert.deepEqual(await operators(cookie), [owner.username])
        if (end === 'sign out') {
          await page.getByRole('button', { name: 'Sign out' }).click()
        } else {
          await page.getByRole('link', { name: 'My account' }).click()
          await page
            .getByRole('button', { name: /End session/ })
            .first()
            .click()
        }
        await page.getByRole('heading', { name: 'Sign in' }).waitFor()
        assert.equal(await isOpen(), false, end)
        assert.equal((await call(cookie, 'GET', '/session')).status, 401)
      })
    }
  })

  test('a page of another origin changes and reads nothing, on the same host neither', async () => {
    await visitor.visitAsOwner(
      async (page) => {
        const cookie = await cookieOf(page.context())
        const target = `${visitor.address}/admin/v1/operators`
        pages.set('/form', formTo(target))
        pages.set('/read', '<title>read</title>')
        for (const origin of origins()) {
          const other = await page.context().newPage()
          const answered = other.waitForResponse((reply) => reply.url() === target)
          await other.goto(`${origin}/form`)
          const { status } = await answered.then((reply) => ({ status: reply.status() }))
          assert.ok([401, 403, 415].includes(status), `a form of ${origin} was answered ${status}`)
          await other.goto(`${origin}/read`)
          for (const call of forgeries(target)) {
            assert.equal(await other.evaluate(call), 'nothing', `${origin}: ${call}`)
          }
          await other.close()
        }
        assert.deepEqual(await operators(cookie), [owner.username])
        assert.equal((await call(cookie, 'GET', '/session')).status, 200)
      },
      { others: origins() },
    )
  })

  test('no other origin shows the console in a frame', async () => {
    await visitor.visitAsOwner(
      async (page) => {
        pages.set(
          '/frame',
          `<title>frame</title><iframe src="${visitor.address}/console/operators"></iframe>`,
        )
        for (const origin of origins()) {
          const other = await page.context().newPage()
          await other.goto(`${origin}/frame`)
          const frame = other.frames()[1]
          assert.ok(frame, 'there is a frame')
          await frame.waitForLoadState()
          assert.equal(await frame.locator('#console').count(), 0, origin)
          assert.equal(await frame.getByText('Operators').count(), 0, origin)
          await other.close()
        }
        // A frame of the console's own address is refused as well.
        await page.evaluate(`new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.onload = resolve
        frame.src = '/console/operators'
        document.body.append(frame)
      })`)
        assert.equal(await page.frames()[1]?.locator('#console').count(), 0)
      },
      { allowed: /status of 401|frame/i },
    )
  })

  test('an address of another host is in no answer, whatever host a request names', async () => {
    const evil = 'evil.example.org'
    const named = [{ host: evil }, { 'x-forwarded-host': evil }, { forwarded: `host=${evil};proto=https` }]
    let answers = 0
    for (const headers of named) {
      for (const path of [
        '/',
        '/console',
        '/console/',
        '/console/audit',
        '/admin/v1/login',
        '/admin/v1/session',
      ]) {
        const { text, headers: replied } = await send(`${server.services}${path}`, { headers })
        assert.ok(!`${text} ${JSON.stringify(replied)}`.includes(evil), `${JSON.stringify(headers)} ${path}`)
        answers++
      }
    }
    assert.equal(answers, 18)
    assert.equal(
      (await send(`${server.services}/`, { headers: { host: evil } })).headers.location,
      '/console/',
    )
  })

  test('anybody is given the certificate that the server has signed itself, for its own hosts alone, and no key', async () => {
    const ask = (query: string) => send(`${server.services}/console/own-certificate.pem${query}`)
    const own = new X509Certificate(readFileSync(join(server.dataDirectory, 'self-signed.pem')))
    for (const host of ['localhost', '127.0.0.1']) {
      const { status, text } = await ask(`?host=${host}`)
      assert.equal(status, 200, host)
      assert.equal(new X509Certificate(text).fingerprint256, own.fingerprint256)
      assert.doesNotMatch(text, /KEY-----/)
    }
    const others = ['', '?host=', '?host=other.example', '?host=192.0.2.1', '?host=localhost&host=127.0.0.1']
    const hostile = ['?host=localhost%00', '?host=a%00b', '?host=%ff', `?host=${'x'.repeat(5000)}`]
    for (const query of [...others, ...hostile]) {
      const { status, text } = await ask(query)
      assert.deepEqual({ status, text }, { status: 204, text: '' }, query)
    }
  })

  test('what stands in the address of a page is text, and runs nowhere', async () => {
    const script = '"><img src=x onerror="document.title=1"><script>document.title=2</script>'
    const addresses = [
      `/audit?actor=${encodeURIComponent(script)}&from=${encodeURIComponent(script)}`,
      `/firewall/log?service=${encodeURIComponent(script)}`,
      `/firewall/protect?service=${encodeURIComponent(script)}`,
      `/firewall/services/${encodeURIComponent(script)}`,
      `/backup/computers?account=${encodeURIComponent(script)}`,
      `/operators/${encodeURIComponent(script)}`,
      `/email/accounts/${encodeURIComponent(script)}`,
      `/none/${encodeURIComponent(script)}`,
      `/sign-in?to=${encodeURIComponent('javascript:document.title=3')}`,
      `/sign-in?to=${encodeURIComponent('/%5cevil.example.org')}`,
    ]
    await visitor.visitAsOwner(
      async (page) => {
        for (const address of addresses) {
          await page.goto(`${visitor.address}/console${address}`)
          await page.locator('h1, [role=alert], #console p').first().waitFor()
          while ((await page.getByLabel('Loading').count()) > 0) await page.waitForTimeout(20)
          if (address.startsWith('/sign-in')) {
            await signIn(page, owner.password)
            await page.locator('h1', { hasNotText: 'Sign in' }).waitFor()
          }
          assert.equal(await page.locator('img[src="x"], script:not([src])').count(), 0, address)
          assert.doesNotMatch(await page.title(), /^\d$/, address)
          assert.equal(new URL(page.url()).origin, visitor.address)
        }
      },
      { allowed: /status of 40[0134]/ },
    )
  })
})

/** The cookie of the console's session, which scripts cannot read. */
async function cookieOf(context: BrowserContext): Promise<string> {
  const cookie = (await context.cookies()).find(({ name }) => name === '__Host-palisade')
  assert.ok(cookie?.httpOnly && cookie.secure && cookie.sameSite === 'Strict')
  return `${cookie.name}=${cookie.value}`
}

/** A page that sends a form as soon as it is opened; its one field makes JSON of the body. */
function formTo(target: string): string {
  const [begin, end] = [`${JSON.stringify(forged).slice(0, -1)},"x":"`, '"}']
  const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<title>form</title><form method="post" enctype="text/plain" action="${target}">
    <input type="hidden" name="${quoted(begin)}" value="${quoted(end)}"></form><script>document.forms[0].submit()</script>`
}

/** What a script of another origin tries; each gives what it has learnt, or `nothing`. */
function forgeries(target: string): string[] {
  const body = JSON.stringify(JSON.stringify(forged))
  const attempt = (options: string) =>
    `fetch(${JSON.stringify(target)}, { credentials: 'include', ${options} })
      .then(async (reply) => (await reply.text()) || 'nothing', () => 'nothing')`
  return [
    attempt(''),
    attempt(`method: 'POST', mode: 'no-cors', body: ${body}`),
    attempt(`method: 'POST', headers: { 'content-type': 'application/json' }, body: ${body}`),
    attempt(
      `method: 'POST', headers: { 'content-type': 'application/json', 'x-csrf-token': 'x' }, body: ${body}`,
    ),
  ]
}
