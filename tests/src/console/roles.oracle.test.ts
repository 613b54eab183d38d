import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { auditor, fullInstallation } from '../support/console/full-installation.ts'
import { owner } from '../support/console/owner.ts'
import { expectNothingToChange } from '../support/console/read-only.ts'
import { ConsoleVisitor, signIn, takePicture } from '../support/console/visitor.ts'
import { cleanUp, newFolder, Server } from '../support/programs/server.ts'

const password = 'a long enough password'
const firewall = [
  '/firewall/services',
  '/firewall/log',
  '/firewall/settings',
  '/firewall/policies',
  '/firewall/certificates',
  '/firewall/checkpoints',
  '/firewall/rules',
]
const backup = ['/backup/computers', '/backup/tasks', '/backup/vault', '/backup/accounts']
const email = ['/email/accounts', '/email/api-clients']
const awareness = ['/awareness/campaigns', '/awareness/access']
const administration = ['/operators', '/notifications', '/audit', '/system']

interface Role {
  readonly grants: readonly { readonly role: string; readonly service?: string; readonly account?: string }[]
  /** What the overview shows, by its headings. */
  readonly services: readonly string[]
  /** The pages beside the overview. */
  readonly pages: readonly string[]
}

/** Operators by name, and what their grants open. */
const roles: Readonly<Record<string, Role>> = {
  'without-firewall': {
    grants: ['backup', 'email', 'awareness'].map((service) => ({ role: 'operator', service })),
    services: ['Backup', 'Email', 'Awareness'],
    pages: [...backup, ...email, ...awareness],
  },
  'one-backup-account': {
    grants: [{ role: 'operator', service: 'backup', account: 'acme' }],
    services: ['Backup'],
    pages: backup,
  },
  'one-email-account': {
    grants: [{ role: 'operator', service: 'email', account: '5584599' }],
    services: ['Email'],
    pages: ['/email/accounts'],
  },
  [auditor.username]: {
    grants: auditor.grants,
    services: ['Firewall', 'Backup', 'Email', 'Awareness'],
    pages: [...firewall, ...backup, ...email, ...awareness, ...administration],
  },
  'firewall-auditor': {
    grants: [{ role: 'auditor', service: 'firewall' }],
    services: ['Firewall'],
    pages: firewall,
  },
  'without-grants': { grants: [], services: [], pages: [] },
}

describe('the console for every role', () => {
  let browser: Browser
  let visitor: ConsoleVisitor
  before(async () => {
    const others = Object.entries(roles).filter(([username]) => username !== auditor.username)
    const server = await Server.start(newFolder(), {
      ...fullInstallation,
      administration: {
        ...fullInstallation.administration,
        operators: [
          owner,
          { ...auditor, password },
          ...others.map(([username, { grants }]) => ({ username, password, grants })),
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

  test('shows each of them the services and pages that he may see without a refusal, and says of the others that he may not', async () => {
    let all: readonly string[] = []
    await visitor.visitAsOwner(async (page) => {
      all = await listedPages(page)
    })
    assert.ok(all.length >= 20, `only ${all.length} pages are listed`)
    let seen = 0
    for (const [username, { grants, services, pages }] of Object.entries(roles)) {
      // A call that the server refuses fails the visit: the browser logs it.
      await visitor.visit(async (page) => {
        await page.goto(`${visitor.address}/console/`)
        await signIn(page, password, username)
        await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
        await expectOverview(
          page,
          services,
          grants.some(({ account }) => account === undefined),
        )
        await takePicture(page, `overview-of-${username}`)
        assert.deepEqual(await listedPages(page), ['/', ...all.filter((path) => pages.includes(path))])
        for (const path of all.filter((one) => one !== '/')) {
          await open(page, path, pages.includes(path))
          assert.equal(await page.getByRole('alert').count(), 0, `${username}: ${path}`)
          if (grants.every(({ role }) => role === 'auditor')) await expectNothingToChange(page)
          seen++
        }
      })
    }
    assert.equal(seen, (all.length - 1) * Object.keys(roles).length)
  })
})

/**
 * The overview shows these services, and what needs attention to those alone who may see all of a service: nobody else is told that nothing
 * does.
 */
async function expectOverview(
  page: Page,
  services: readonly string[],
  seesAttention: boolean,
): Promise<void> {
  if (services.length === 0) await page.getByText('Nobody has granted you anything to see yet.').waitFor()
  for (const name of services) await page.getByRole('heading', { name, level: 3 }).waitFor()
  while ((await page.getByLabel('Loading').count()) > 0) await page.waitForTimeout(20)
  assert.deepEqual(
    await page.getByRole('heading', { level: 3 }).getByRole('link').allTextContents(),
    services,
  )
  const quiet = await page.getByText(/\bworks\b|Nothing needs attention/).count()
  assert.equal(quiet > 0, seesAttention)
}

/** Addresses below /console of the pages that the navigation lists. */
async function listedPages(page: Page): Promise<string[]> {
  const links = await page.getByRole('navigation', { name: 'Menu' }).getByRole('link').all()
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
  return addresses.map((address) => (address ?? '').replace(/^\/console/, ''))
}

/** Opens a page as its link would, and waits until it is there. @param isOpen whether the operator may see it */
async function open(page: Page, path: string, isOpen: boolean): Promise<void> {
  await page.evaluate(`
    document.querySelector('h1').dataset.former = ''
    history.pushState(null, '', ${JSON.stringify(`/console${path}`)})
  `)
  const refusal = page.getByRole('heading', { name: 'You may not see this page', level: 1 })
  if (isOpen) {
    await page.locator('h1:not([data-former])').waitFor()
    assert.equal(await refusal.count(), 0, path)
    while ((await page.getByLabel('Loading').count()) > 0) await page.waitForTimeout(20)
  } else {
    await refusal.waitFor()
  }
}
