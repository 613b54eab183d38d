import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { hasFocus, isInContent, tabTo } from '../support/console/keyboard.ts'
import { owner } from '../support/console/owner.ts'
import { openSection, save, setting } from '../support/console/settings.ts'
import { ConsoleVisitor, takePicture } from '../support/console/visitor.ts'
import {
  application,
  cleanUpApplications,
  Management,
  oneWorker,
  ProxyProcess,
} from '../support/firewall/proxy.ts'
import { eventually } from '../support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'

/** What browsers log of a refusal that is part of a visit. */
const refusals = /status of (401|406|412)/

describe('settings of the firewall in the console', () => {
  let server: Server
  let browser: Browser
  let visitor: ConsoleVisitor
  let management: Management
  let address: string
  before(async () => {
    server = await Server.start(newFolder(), { ...provisioned, administration: { operators: [owner] } })
    await ProxyProcess.start(server, newFolder(), oneWorker)
    management = await Management.connect(server)
    const behind = await application((_, response) => response.end('served'))
    address = `http://127.0.0.1:${await management.protect('shop', behind)}`
    await management.untilHealth('services/shop', 'Up')
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
  })
  after(async () => {
    await browser?.close()
    await cleanUp()
    cleanUpApplications()
  })

  const attacked = async () => (await fetch(`${address}/?q=<script>alert(1)</script>`)).status
  const until = (what: string, fits: () => Promise<boolean>) =>
    eventually(what, async () => ((await fits()) ? true : undefined))
  const untilAttacks = (what: 'blocked' | 'served') =>
    until(`an attack being ${what}`, async () => ((await attacked()) === 200) === (what === 'served'))
  const withHeader = async (length: number) =>
    (await fetch(address, { headers: { 'x-long': 'a'.repeat(length) } })).status
  const member = async (path: string, title: string, name: string) => {
    const { data } = await management.call('GET', path)
    const [object] = Object.values(data as Record<string, Record<string, Record<string, unknown>>>)
    return object?.[title]?.[name]
  }

  test('a mode that is chosen in the form of a service blocks attacks in its traffic', async () => {
    await untilAttacks('served')
    await visitor.visitAsOwner(async (page) => {
      const form = await openSection(page, 'services/shop/settings', 'basic-security')
      await setting(form, 'mode').getByLabel('Mode').selectOption('Active')
      await setting(form, 'mode').getByText('changed', { exact: true }).waitFor()
      await save(form)
    })
    await untilAttacks('blocked')
  })

  test('a policy is created, named by the service, and its limit of headers holds in the traffic', async () => {
    await visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console/firewall/settings/security-policies`)
      await page.getByRole('button', { name: 'Create a Security Policy' }).click()
      await page.getByLabel('Name', { exact: true }).fill('mine')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('heading', { name: 'Security Policy mine', level: 1 }).waitFor()
      const limits = await openSection(page, 'settings/security-policies/mine', 'request-limits')
      await setting(limits, 'max-header-value-length').getByRole('textbox').fill('300')
      await save(limits)
      assert.equal(await withHeader(400), 200)
      const security = await openSection(page, 'services/shop/settings', 'basic-security')
      await setting(security, 'web-firewall-policy').getByRole('combobox').fill('mine')
      await save(security)
    })
    await until('a long header being refused', async () => (await withHeader(400)) !== 200)
    assert.equal(await withHeader(200), 200)
  })

  test('says beside its field what is wrong with a value, before it is sent and when the service refuses it', async () => {
    await visitor.visitAsOwner(
      async (page) => {
        const limits = await openSection(page, 'settings/security-policies/mine', 'request-limits')
        const field = setting(limits, 'max-url-length')
        await field.getByRole('textbox').fill('0')
        await limits.getByRole('button', { name: 'Save 1 change' }).click()
        await field.getByText('A whole number from 1 to 131072.').nth(1).waitFor()
        assert.equal(await field.getByRole('textbox').getAttribute('aria-invalid'), 'true')
        await field.getByRole('button', { name: 'Undo' }).click()
        assert.equal(await limits.getByRole('button', { name: /^Save / }).count(), 0)

        const security = await openSection(page, 'services/shop/settings', 'basic-security')
        const policy = setting(security, 'web-firewall-policy')
        await policy.getByRole('combobox').fill('nowhere')
        await security.getByRole('button', { name: 'Save 1 change' }).click()
        await policy.getByText(/The member web-firewall-policy must .* "nowhere"/).waitFor()
        await takePicture(page, 'firewall-settings-refused')
        page.once('dialog', (dialog) => dialog.accept())
      },
      { allowed: refusals },
    )
    assert.equal(await member('services/shop', 'Basic Security', 'web-firewall-policy'), 'mine')
  })

  test('finds settings of a service by their words, in all sections', async () => {
    await visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console/firewall/services/shop/settings`)
      await page.getByRole('searchbox').fill('slow client')
      await page.locator('[data-section="slow-client-attack"] [data-field="data-transfer-rate"]').waitFor()
      await page.getByRole('searchbox').fill('cookie')
      await page.locator('[data-field="persistence-cookie-name"]').waitFor()
      assert.equal(await page.locator('[data-field="data-transfer-rate"]').count(), 0)
      await page.getByRole('searchbox').fill('no such setting')
      await page.getByText('No setting has all of these words.').waitFor()
    })
  })

  test('one person does not overwrite what another has changed meanwhile', async () => {
    await visitor.visitAsOwner(
      async (page) => {
        const mine = await openSection(page, 'settings/security-policies/mine', 'request-limits')
        await setting(mine, 'max-query-length').getByRole('textbox').fill('1111')
        await setting(mine, 'max-number-of-cookies').getByRole('textbox').fill('11')
        await management.call('PUT', 'security-policies/mine/request-limits', {
          'max-url-length': 2222,
          'max-number-of-cookies': 22,
        })
        await mine.getByRole('button', { name: 'Save 2 changes' }).click()
        await mine.getByText('Somebody else has changed this meanwhile', { exact: true }).waitFor()
        assert.equal(await member('security-policies/mine', 'Request Limits', 'max-query-length'), '4096')
        await setting(mine, 'max-number-of-cookies')
          .getByText(/Somebody else .* 22/)
          .waitFor()
        assert.equal(await setting(mine, 'max-url-length').getByRole('textbox').inputValue(), '2222')
        await takePicture(page, 'firewall-settings-conflict')
        await save(mine)
      },
      { allowed: refusals },
    )
    assert.equal(await member('security-policies/mine', 'Request Limits', 'max-query-length'), '1111')
    assert.equal(await member('security-policies/mine', 'Request Limits', 'max-number-of-cookies'), '11')
    assert.equal(await member('security-policies/mine', 'Request Limits', 'max-url-length'), '2222')
  })

  test('asks before changes are lost that were not saved', async () => {
    await visitor.visitAsOwner(async (page) => {
      const form = await openSection(page, 'services/shop/settings', 'slow-client-attack')
      await setting(form, 'data-transfer-rate').getByRole('textbox').fill('99')
      await page.getByRole('link', { name: 'Checkpoints' }).click()
      await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      assert.equal(await setting(form, 'data-transfer-rate').getByRole('textbox').inputValue(), '99')
      await page.getByRole('link', { name: 'Checkpoints' }).click()
      await page.getByRole('button', { name: 'Leave and lose them' }).click()
      await page.getByRole('heading', { name: 'Checkpoints', level: 1 }).waitFor()
    })
  })

  test('a roll back to a checkpoint undoes a change in the traffic, and says before what it undoes', async () => {
    await untilAttacks('blocked')
    await visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console/firewall/checkpoints`)
      await page.getByLabel('Name').fill('before-release')
      await page.getByLabel('Comment').fill('all is well')
      await page.getByRole('button', { name: 'Make a checkpoint' }).click()
      const checkpoint = page.getByRole('listitem', { name: 'before-release' })
      await checkpoint.waitFor()

      const form = await openSection(page, 'services/shop/settings', 'basic-security')
      await setting(form, 'mode').getByLabel('Mode').selectOption('Passive')
      await save(form)
      await untilAttacks('served')

      await page.goto(`${visitor.address}/console/firewall/checkpoints`)
      await checkpoint.getByRole('button', { name: 'What has changed since' }).click()
      await page.getByRole('cell', { name: 'Passive' }).waitFor()
      await takePicture(page, 'firewall-checkpoint-differences')
      await page.getByRole('button', { name: 'Close' }).click()
      await checkpoint.getByRole('button', { name: 'Roll back' }).click()
      const question = page.getByRole('dialog')
      await question.getByRole('cell', { name: 'Passive' }).waitFor()
      await question.getByRole('button', { name: 'Roll back' }).click()
      await page.getByText('The configuration is again what it was at before-release.').waitFor()
    })
    await untilAttacks('blocked')
    assert.equal(await member('services/shop', 'Basic Security', 'mode'), 'Active')
  })

  test('shows of two policies what differs, and nothing else', async () => {
    await visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console/firewall/policies`)
      await page.getByLabel('This policy').selectOption('mine')
      await page.getByLabel('with', { exact: true }).selectOption('strict')
      const table = page.getByRole('table', { name: 'Compare policies' })
      const row = table.getByRole('row').filter({ hasText: 'Max header value length' })
      await row.getByRole('cell', { name: '300' }).waitFor()
      await table.getByText('Max URL length').waitFor()
      assert.equal(await table.getByText('Max header name length').count(), 0)
      await takePicture(page, 'firewall-policies-compared')
      await page.getByLabel('with', { exact: true }).selectOption('mine')
      await page.getByText('They do not differ.').waitFor()
    })
  })

  test('by keyboard alone, somebody signs in, opens a service, changes its mode and saves it, and never loses the focus', async () => {
    const before = await member('services/shop', 'Basic Security', 'mode')
    await visitor.visit(async (page) => {
      const link = (name: string) => page.getByRole('link', { name, exact: true })
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await page.goto(`${visitor.address}/console/`)
      await page.getByLabel('Username').waitFor()
      assert.ok(await hasFocus(page.getByLabel('Username')))
      await page.keyboard.type(owner.username)
      await page.keyboard.press('Tab')
      await page.keyboard.type(owner.password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()

      await tabTo(page, link('Services'))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor()
      assert.ok(await isInContent(page))
      await tabTo(page, link('shop'))
      await page.keyboard.press('Enter')
      await tabTo(page, link('Settings of the service'))
      await page.keyboard.press('Enter')
      const part = page.locator('[data-section="basic-security"]')
      await tabTo(page, part.locator('> summary'))
      if ((await part.getAttribute('open')) === null) await page.keyboard.press('Enter')
      const mode = setting(part, 'mode').getByLabel('Mode')
      await tabTo(page, mode)
      const isFirst = (await page.evaluate('document.activeElement.selectedIndex')) === 0
      await page.keyboard.press(isFirst ? 'ArrowDown' : 'ArrowUp')
      const saving = part.getByRole('button', { name: 'Save 1 change' })
      await tabTo(page, saving)
      await page.keyboard.press('Enter')
      await part.getByText('Saved.', { exact: true }).waitFor()
      await saving.waitFor({ state: 'detached' })
      assert.ok(await isInContent(page), 'the focus stays where the button was')

      await page.goto(`${visitor.address}/console/notifications`)
      for (const leave of ['Escape', 'Cancel']) {
        await tabTo(page, button('Add channel'))
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor()
        if (leave === 'Cancel') await tabTo(page, button('Cancel'))
        await page.keyboard.press(leave === 'Cancel' ? 'Enter' : 'Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        assert.ok(await hasFocus(button('Add channel')), `after ${leave}`)
      }
    })
    assert.notEqual(await member('services/shop', 'Basic Security', 'mode'), before)
  })

  test('deletes an object only when that was confirmed', async () => {
    await management.call('POST', 'rate-control-pools', { name: 'gone' })
    await visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console/firewall/settings/rate-control-pools/gone`)
      await page.getByRole('button', { name: 'Delete Rate Control Pool gone' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Delete Rate Control Pool gone' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete Rate Control Pool gone' }).click()
      await page.getByRole('heading', { name: 'Rate Control Pool', exact: true, level: 1 }).waitFor()
    })
    await assert.rejects(management.call('GET', 'rate-control-pools/gone'), /404/)
  })

  test('a click takes back that a service was deleted, at once or later, and its traffic passes again', async () => {
    const served = async () => (await fetch(address).catch(() => undefined))?.status === 200
    await until('the service', served)
    await visitor.visitAsOwner(async (page) => {
      const remove = async () => {
        await page.goto(`${visitor.address}/console/firewall/services/shop/settings`)
        const button = page.getByRole('button', { name: 'Delete Service shop' })
        await button.click()
        await page.getByRole('dialog').getByText('You can undo that').waitFor()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete Service shop' }).click()
        await page.getByText('Service shop is deleted.', { exact: true }).waitFor()
        await until('the service to end', async () => !(await served()))
      }
      await remove()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Service shop is there again.', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'shop', exact: true }).waitFor()
      await until('the service', served)
      await page.reload()
      await page.getByText('Service shop is there again.', { exact: true }).waitFor()

      await remove()
      await page.goto(`${visitor.address}/console/firewall/checkpoints`)
      const newest = page
        .getByRole('listitem')
        .filter({ hasText: 'What was deleted: service "shop"' })
        .first()
      await newest.getByRole('button', { name: 'Roll back' }).click()
      await page.getByRole('dialog').getByText('nothing else is changed').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
      await page.getByText('What was deleted is there again.').waitFor()
      await until('the service', served)
    })
  })

  test('shows the pages of settings, and about whole configurations, on a desktop and on a phone, and axe finds nothing, in light and in dark', async () => {
    const settings = (name: string, path: string, heading: string) => ({
      name,
      route: '/firewall/settings/$',
      at: { _splat: path },
      heading,
    })
    await visitor.lookAt([
      { name: 'firewall-settings', route: '/firewall/settings', heading: 'All settings' },
      {
        name: 'firewall-service-settings',
        route: '/firewall/services/$service/settings',
        at: { service: 'shop' },
        heading: 'Service shop',
      },
      settings('firewall-policy-settings', 'security-policies/strict', 'Security Policy strict'),
      settings('firewall-servers', 'services/shop/servers', 'Server'),
      { name: 'firewall-policies', route: '/firewall/policies', heading: 'Compare policies' },
      { name: 'firewall-checkpoints', route: '/firewall/checkpoints', heading: 'Checkpoints' },
      { name: 'firewall-certificates', route: '/firewall/certificates', heading: 'Certificates' },
      { name: 'firewall-rules', route: '/firewall/rules', heading: 'Attack rules' },
    ])
  })
})
