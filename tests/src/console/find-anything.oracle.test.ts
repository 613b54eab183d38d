import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { owner } from '../support/console/owner.ts'
import { ConsoleVisitor, expectReadable, signIn } from '../support/console/visitor.ts'
import { Management } from '../support/firewall/proxy.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'

const password = 'a long enough password'
const serviceCount = 120
const request = '592fb19c-1de6-4814-bed0-7c76b7e8fbbb'

/** What is typed, the first result, and where it leads. */
const searches = [
  ['certif', 'Certificates Firewall settings', '/firewall/certificates'],
  ['undo', 'Checkpoints Firewall settings', '/firewall/checkpoints'],
  ['2fa', 'My account', '/account'],
  ['shop7.ex', 'shop7.example.org', '/firewall/services/shop7.example.org'],
  ['shop7.ex exc', 'shop7.example.org: exceptions', '/firewall/protect?service=shop7.example.org'],
  ['files01', 'files01 (0001) acme', '/backup/computers/acme/0001'],
  ['files01 restore', 'files01 (0001): restore acme', '/backup/computers/acme/0001/restore'],
  ['example.or email', 'example.org Example', '/email/accounts/5584599/example.org'],
  [owner.username, owner.username, `/operators/${owner.username}`],
  [
    'virtual interface',
    'Virtual Interface A further address of an interface, from which the firewall speaks to that network.',
    '/firewall/settings/virtual-interfaces',
  ],
  [request, `Why request ${request} was refused`, `/firewall/requests/${request}`],
  ['192.0.2.7', 'What the firewall found in requests of 192.0.2.7', '/firewall/log?client=192.0.2.7'],
  [
    '2001:db8::7',
    'What the firewall found in requests of 2001:db8::7',
    '/firewall/log?client=2001%3Adb8%3A%3A7',
  ],
  ['/login.php', 'What the firewall found in requests for /login.php', '/firewall/log?text=%2Flogin.php'],
] as const

describe('finding anything in the console of a large installation', () => {
  let browser: Browser
  let visitor: ConsoleVisitor
  before(async () => {
    const server = await Server.start(newFolder(), {
      ...provisioned,
      administration: {
        operators: [
          owner,
          { username: 'postmaster', password, grants: [{ role: 'operator', service: 'email' }] },
        ],
      },
    })
    const management = await Management.connect(server)
    for (let number = 0; number < serviceCount; number++) {
      const place = { 'ip-address': '127.0.0.1', port: 20_000 + number }
      await management.call('POST', 'services', {
        name: `shop${number}.example.org`,
        ...place,
        status: 'Off',
      })
    }
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
  })
  after(async () => {
    await browser?.close()
    await cleanUp()
  })

  /** Opens the search by keys and types into it. @returns the dialog */
  async function find(page: Page, words: string) {
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Find anything' })
    await dialog.getByRole('searchbox').fill(words)
    return dialog
  }

  test('pages, settings and things of every service are found by a part of their name, and by what else people call them', async () => {
    let found = 0
    await visitor.visitAsOwner(
      async (page) => {
        for (const [words, first, to] of searches) {
          await page.goto(`${visitor.address}/console/system`)
          await page.getByRole('heading', { name: 'System' }).waitFor()
          const dialog = await find(page, words)
          const link = dialog.getByRole('link', { name: first, exact: true })
          await link.waitFor()
          assert.equal(await link.getAttribute('href'), `/console${to}`, words)
          await page.keyboard.press('Enter')
          await dialog.waitFor({ state: 'detached' })
          await page.locator('#content:focus').waitFor()
          found++
        }
      },
      { allowed: /status of (401|404)/ },
    )
    assert.equal(found, searches.length)
  })

  test('the search goes by arrows and back to its field, says how many there are, and gives the focus back', async () => {
    await visitor.visitAsOwner(async (page) => {
      const opener = page.getByRole('button', { name: 'Find anything' })
      await opener.click()
      const dialog = page.getByRole('dialog', { name: 'Find anything' })
      const field = dialog.getByRole('searchbox')
      await field.fill('shop')
      await dialog.getByText(`and ${serviceCount - 6} more`).waitFor()
      await dialog.getByRole('status').getByText(`${serviceCount} results`).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.locator('a:focus', { hasText: /^shop1\.example\.org\s*$/ }).waitFor()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.type('119')
      await dialog.getByRole('link', { name: 'shop119.example.org', exact: true }).waitFor()
      await expectReadable(page, 'find-anything', undefined, 'dialog')
      await page.setViewportSize({ width: 360, height: 740 })
      await expectReadable(page, 'find-anything-phone', undefined, 'dialog')
      await field.fill('nobody is called so')
      await dialog.getByText('Nothing is called so.').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.ok(await opener.evaluate((element) => element === element.ownerDocument.activeElement))
    })
  })

  test('nobody finds what he may not see', async () => {
    await visitor.visit(async (page) => {
      await page.goto(`${visitor.address}/console/`)
      await signIn(page, password, 'postmaster')
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      const dialog = await find(page, 'example')
      await dialog.getByRole('link', { name: 'example.org Example' }).waitFor()
      assert.deepEqual(await dialog.getByRole('heading', { level: 3 }).allTextContents(), ['Email'])
      for (const words of ['shop7', 'files01', 'audit', request]) {
        await dialog.getByRole('searchbox').fill(words)
        await dialog.getByText('Nothing is called so.').waitFor()
      }
    })
  })

  test('very many services are drawn some at a time, and found by what is in front of and behind them', async () => {
    await visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console/firewall/services`)
      const cards = page.locator('main .cards > li')
      await page.getByRole('button', { name: `Show more: 30 of ${serviceCount} are shown` }).click()
      await page.getByRole('button', { name: `Show more: 60 of ${serviceCount} are shown` }).waitFor()
      assert.equal(await cards.count(), 60)
      await page.getByLabel('Find a service').fill(':20117')
      await page.getByRole('status').getByText('1 service').waitFor()
      assert.deepEqual(await cards.getByRole('heading').allTextContents(), ['shop117.example.org'])
      await page.goto(`${visitor.address}/console/firewall/rules`)
      await page.getByRole('button', { name: 'Show more' }).waitFor()
      assert.equal(await page.locator('main tbody tr').count(), 100)
      await page.goto(`${visitor.address}/console/firewall/settings`)
      await page.locator('main .services a').first().waitFor()
      assert.equal(await page.locator('main .services a').count(), 13)
    })
  })
})
