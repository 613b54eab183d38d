import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { owner } from '../support/console/owner.ts'
import { ConsoleVisitor, expectReadable, signIn } from '../support/console/visitor.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'

describe('the console in a browser', () => {
  let server: Server
  let browser: Browser
  let visitor: ConsoleVisitor
  before(async () => {
    server = await Server.start(newFolder(), {
      ...provisioned,
      administration: {
        operators: [
          owner,
          {
            username: 'mallory',
            displayName: '<img src=x onerror="document.title=1"><script>document.title=2</script>',
            password: 'another long password',
            grants: [{ role: 'auditor' }],
          },
        ],
      },
    })
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
  })
  after(async () => {
    await browser?.close()
    await cleanUp()
  })

  test('asks who somebody is, refuses a wrong password in a sentence, and leads back to where he wanted to go', async () => {
    await visitor.visit(async (page) => {
      await page.goto(`${visitor.address}/console/audit`)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await signIn(page, 'wrong password')
      await page
        .getByRole('alert')
        .getByText(/password/)
        .waitFor()
      await signIn(page, owner.password)
      await page.getByRole('heading', { name: 'Audit log' }).waitFor()
      assert.equal(new URL(page.url()).pathname, '/console/audit')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.goto(`${visitor.address}/`)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    })
  })

  test('leads nobody to another site after a sign-in', async () => {
    for (const to of ['//evil.example.org', 'https://evil.example.org', '/\\evil.example.org']) {
      await visitor.visit(async (page) => {
        await page.goto(`${visitor.address}/console/sign-in?to=${encodeURIComponent(to)}`)
        await signIn(page, owner.password)
        await page.getByRole('heading', { name: 'Overview' }).waitFor()
        assert.equal(new URL(page.url()).origin, visitor.address)
      })
    }
  })

  test('leads on from an address that no page has: to the page above it, to others that its words name, and to the search', async () => {
    await visitor.visit(async (page) => {
      await page.goto(`${visitor.address}/console/firewall/services/shop/users/7`)
      await signIn(page, owner.password)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
      assert.equal(await page.title(), 'There is no such page – Palisade')
      const main = page.getByRole('main')
      await main.getByRole('link', { name: 'Overview' }).waitFor()
      await main.getByRole('link', { name: '/firewall/services/shop', exact: true }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').waitFor()
      await page.keyboard.press('Escape')
      await main.getByRole('link', { name: 'Administration: Operators' }).click()
      await page.getByRole('heading', { name: 'Operators' }).waitFor()
    })
  })

  test('leaves one entry in the audit log for the tokens that its pages get, and finds a part of what is in it', async () => {
    await visitor.visitAsOwner(async (page) => {
      for (const path of ['firewall/services', 'firewall/log', 'firewall/services']) {
        const token = page.waitForResponse((reply) => reply.url().endsWith('/administrators/admin/token'))
        await page.goto(`${visitor.address}/console/${path}`)
        await token
        await page.getByRole('heading', { level: 1 }).waitFor()
      }
      await page.goto(`${visitor.address}/console/audit`)
      await page.getByLabel('Contains').fill('offirewalladmin')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.waitForURL(/text=offirewalladmin/)
      const entries = page.getByRole('button', { name: 'tokenOfFirewallAdministrator' })
      await entries.first().waitFor()
      assert.equal(await entries.count(), 1)
      await page.getByLabel('Contains').fill('no such words')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByText('No entry fits these filters.').waitFor()
      await expectReadable(page, 'audit-nothing-found')
    })
  })

  test('shows every page on a desktop and on a phone, and axe finds nothing, in light and in dark', async () => {
    await visitor.lookAt([
      { name: 'overview', route: '/', heading: 'Overview', pressKeys: true },
      { name: 'operators', route: '/operators', heading: 'Operators' },
      { name: 'audit', route: '/audit', heading: 'Audit log' },
      { name: 'system', route: '/system', heading: 'System' },
      {
        name: 'no-such-page',
        route: '/$',
        at: { _splat: 'firewall/services/shop/users' },
        heading: 'There is no such page',
      },
    ])
    await visitor.lookAt([{ name: 'sign-in', route: '/sign-in', heading: 'Sign in', pressKeys: true }], false)
  })

  test('keeps the ways to all pages, the search and the way out apart and in sight in a low window', async () => {
    await visitor.visitAsOwner(async (page) => {
      for (const [width, height] of [
        [720, 450],
        [1440, 450],
      ] as const) {
        await page.setViewportSize({ width, height })
        const button = page.getByRole('button', { name: 'Menu' })
        if (await button.isVisible()) await button.click()
        const last = page.getByRole('navigation', { name: 'Menu' }).getByRole('link').last()
        await last.scrollIntoViewIfNeeded()
        const [link, out] = await Promise.all([
          last.boundingBox(),
          page.getByRole('button', { name: 'Sign out' }).boundingBox(),
        ])
        assert.ok(link && out && link.y + link.height <= out.y, `${width}: ${link?.y} ${out?.y}`)
      }
      assert.ok(((await page.getByRole('button', { name: 'Sign out' }).boundingBox())?.y ?? 450) < 450)
      assert.ok(((await page.getByRole('button', { name: 'Find anything' }).boundingBox())?.y ?? -1) > 0)
    })
  })

  test('has no page that no test looks at', async () => {
    await visitor.visitAsOwner(async (page) => {
      const routes = await page.evaluate<string[]>('Object.keys(__TSR_ROUTER__.routesByPath)')
      const tests = globSync('*.oracle.test.ts', { cwd: import.meta.dirname })
      const looked = tests.flatMap((file) =>
        [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/ route: '(\/.*?)'/g)].map(
          ([, route = '']) => route,
        ),
      )
      assert.ok(routes.length > 30, `${routes.length} routes`)
      assert.deepEqual(routes.toSorted(), [...new Set(looked)].toSorted(), 'add it to a lookAt of its area')
    })
  })

  test('shows what others have written as text', async () => {
    await visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console/operators`)
      await page.getByText('<img src=x onerror=').waitFor()
      assert.equal(await page.title(), 'Operators – Palisade')
      assert.equal(await page.locator('img').count(), 0)
    })
  })

  test('is not shown in a frame, loads nothing from elsewhere, and is kept by browsers as long as it is the same', async () => {
    const reply = await fetch(`${server.services}/console/`, { headers: { 'accept-encoding': 'br' } })
    const policy = reply.headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe|\*|https:/)
    assert.equal(reply.headers.get('cache-control'), 'no-cache')
    assert.equal(reply.headers.get('content-encoding'), 'br')
    const html = await reply.text()
    const scripts = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path = '']) => path)
    assert.ok(scripts.length >= 2)
    let bytes = 0
    for (const path of scripts) {
      const file = await fetch(server.services + path, { headers: { 'accept-encoding': 'gzip' } })
      assert.match(file.headers.get('cache-control') ?? '', /immutable/)
      assert.equal(file.headers.get('content-encoding'), 'gzip')
      if (path.endsWith('.js')) bytes += Number(file.headers.get('content-length'))
    }
    assert.ok(bytes > 0 && bytes <= 150 * 1024, `${bytes} bytes of scripts for the first view`)
    assert.equal((await fetch(`${server.services}/console/assets/none.js`)).status, 404)
    assert.equal((await fetch(`${server.services}/console/assets/..%2f..%2fmain.js`)).status, 404)
  })
})
