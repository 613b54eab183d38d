import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { auditor, fullInstallation } from '../support/console/full-installation.ts'
import { owner } from '../support/console/owner.ts'
import { createApiToken, runInShell } from '../support/console/same-call.ts'
import { ConsoleVisitor, expectReadable, signIn } from '../support/console/visitor.ts'
import { bearer } from '../support/programs/calls.ts'
import { cleanUp, newFolder, Server } from '../support/programs/server.ts'

/** What a browser runs, in the place of a name. */
const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
/** What a shell runs, in the place of an id. */
const substitution = "eve';$(echo>&2);"
const account = encodeURIComponent(substitution)

/** Things with hostile names, by where they are made: nobody keeps them in a file, so that the owner can change them, too. */
const hostile: readonly (readonly [path: string, body: object])[] = [
  ['operators', { username: substitution, displayName: markup, grants: [{ role: 'auditor' }] }],
  ['email/accounts', { id: substitution, name: markup }],
  [`email/accounts/${account}/domains`, { name: 'hostile.example' }],
  ['awareness/campaigns', { name: markup }],
  ['awareness/api-keys', { name: markup }],
  ['backup/accounts', { id: substitution }],
  [`backup/accounts/${account}/computers`, { id: substitution, name: markup }],
]

describe('the pages of people, notifications, awareness and email', () => {
  let browser: Browser
  let visitor: ConsoleVisitor
  before(async () => {
    const server = await Server.start(newFolder(), fullInstallation)
    await reportMail(server)
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
    await visitor.visitAsOwner(async (page) => {
      const headers = { authorization: `Bearer ${await createApiToken(page)}` }
      for (const [path, data] of hostile) {
        const reply = await page.request.post(`${visitor.address}/admin/v1/${path}`, { headers, data })
        assert.equal(reply.status(), 201, `${path}: ${await reply.text()}`)
      }
    })
  })
  after(async () => {
    await browser?.close()
    await cleanUp()
  })

  test('make a token that is shown once and opens the API until it is withdrawn', async () => {
    await visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console/account`)
      await page.getByRole('button', { name: 'Make token' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Name').fill('terraform')
      await form.getByRole('button', { name: 'Make token' }).click()
      await page.getByText('never again').waitFor()
      const token = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
      const headers = { authorization: `Bearer ${token}` }
      const open = () => page.request.get(`${visitor.address}/admin/v1/operators`, { headers })
      assert.equal((await open()).status(), 200)
      await page.getByRole('button', { name: 'I have copied it' }).click()
      assert.equal(await page.getByText(token).count(), 0)
      await page.getByRole('button', { name: 'Withdraw: Withdraw the token terraform' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()
      await page.getByRole('cell', { name: 'terraform', exact: true }).waitFor({ state: 'detached' })
      await page.context().clearCookies()
      assert.equal((await open()).status(), 401)
    })
  })

  test('show an auditor everything, and no button that would be refused', async () => {
    await visitor.visit(async (page) => {
      await page.goto(`${visitor.address}/console/notifications`)
      await signIn(page, auditor.password, auditor.username)
      await page.getByRole('heading', { name: 'of-the-file', exact: true }).waitFor()
      assert.equal(await page.getByRole('button', { name: /Add|Send|Change|Remove/ }).count(), 0)
      for (const path of ['/operators', `/operators/${owner.username}`, '/email/accounts/5584599']) {
        await page.goto(`${visitor.address}/console${path}`)
        await page.getByRole('table').first().waitFor()
        const changing = page.getByRole('main').getByRole('button', { name: /Add|Change|Remove|Set|End/ })
        assert.equal(await changing.count(), 0, path)
      }
    })
  })

  test('show as text what stands in names, and give a shell one word of each', async () => {
    await visitor.visitAsOwner(async (page) => {
      for (const path of [
        '/operators',
        `/operators/${account}`,
        '/email/accounts',
        `/email/accounts/${account}`,
        '/awareness/campaigns',
        '/awareness/access',
        `/backup/computers?account=${account}`,
        `/backup/computers/${account}/${account}`,
        `/audit?actor=${account}`,
      ]) {
        await page.goto(`${visitor.address}/console${path}`)
        const isAudit = path.startsWith('/audit')
        if (!isAudit) await page.getByText(markup).first().waitFor()
        const line = page.locator('details.same-call code').first()
        await line.waitFor({ state: 'attached' })
        const words = await wordsOf((await line.textContent()) ?? '')
        if (path.includes(account))
          assert.ok(
            words.some((word) => word.includes(substitution)),
            path,
          )
        assert.doesNotMatch(await page.title(), /^\d$/, path)
        assert.equal(await page.locator('img[src="x"], script:not([src])').count(), 0, path)
      }
    })
  })

  test('show what was changed as calls that make it again, with a placeholder for each secret', async () => {
    const password = 'nobody else knows it'
    await visitor.visitAsOwner(
      async (page) => {
        const apiToken = await createApiToken(page)
        await page.getByRole('link', { name: 'Operators', exact: true }).click()
        assert.equal(await page.locator('.recent-changes').count(), 0, 'nothing was changed')
        await page.getByRole('button', { name: /^Add/ }).first().click()
        const form = page.getByRole('dialog')
        await form.getByLabel('Username').fill("o'brien")
        await form.getByLabel('Password', { exact: true }).fill(password)
        await form
          .getByRole('button', { name: /^Add|^Create/ })
          .last()
          .click()
        await page.getByText('Your last change, as a call').click()
        const [create = ''] = await page.locator('.recent-changes code').allTextContents()
        assert.match(create, /"password":"SECRET"/)
        assert.ok(!create.includes(password))
        await page.getByRole('link', { name: "o'brien", exact: true }).click()
        await page
          .getByRole('button', { name: /^(Delete|Remove) / })
          .first()
          .click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^(Delete|Remove)/ })
          .click()
        await page.getByText('Your last 2 changes, as calls').click()
        const [remove = '', before] = await page.locator('.recent-changes code').allTextContents()
        assert.equal(before, create, 'the newest first')
        await expectReadable(page, 'recent-changes')
        const withPassword = create.replace('SECRET', 'another long secret')
        assert.equal(JSON.parse(await runInShell(page, apiToken, withPassword)).username, "o'brien")
        await runInShell(page, apiToken, remove)
        const gone = await page.request.get(`${visitor.address}/admin/v1/operators/o'brien`)
        assert.equal(gone.status(), 404)
      },
      { allowed: /status of 40[14]/ },
    )
  })

  test('take what is asked for alone: names that may be left out are, and a computer is called as people call it', async () => {
    await visitor.visitAsOwner(async (page) => {
      const add = async (
        path: string,
        button: string,
        fields: Readonly<Record<string, string>>,
        seen: string,
      ) => {
        await page.goto(`${visitor.address}/console${path}`)
        await page.getByRole('main').getByRole('button', { name: button }).click()
        const form = page.getByRole('dialog')
        for (const [label, text] of Object.entries(fields)) await form.getByLabel(label).first().fill(text)
        await form.getByRole('button', { name: /^Add/ }).last().click()
        await page.getByText(seen).first().waitFor()
      }
      await add('/operators', 'Add operator', { Username: 'turing' }, 'turing')
      await add('/email/accounts', 'Add account', { Account: '778899' }, '778899')
      await add(
        '/backup/computers?account=acme',
        'Add a computer',
        { Name: 'Web server' },
        'Waiting for the agent',
      )
      const made = await page.request.get(
        `${visitor.address}/admin/v1/backup/accounts/acme/computers/Web-server`,
      )
      assert.equal((await made.json()).name, 'Web server')
    })
  })

  test('open their menu on a phone by a button, and close it by Escape', async () => {
    await visitor.visitAsOwner(
      async (page) => {
        const menu = page.getByRole('button', { name: 'Menu' })
        const audit = page.getByRole('link', { name: 'Audit log' })
        assert.equal(await audit.isVisible(), false)
        await menu.click()
        assert.equal(await menu.getAttribute('aria-expanded'), 'true')
        await page.keyboard.press('Escape')
        assert.equal(await audit.isVisible(), false)
        await menu.click()
        await audit.click()
        await page.getByRole('heading', { name: 'Audit log' }).waitFor()
        assert.equal(await page.title(), 'Audit log – Palisade')
        assert.equal(await menu.getAttribute('aria-expanded'), 'false')
      },
      { size: 'phone' },
    )
  })

  test('fit a desktop and a phone, and axe finds nothing, in light and in dark', async () => {
    await visitor.lookAt([
      { name: 'account', route: '/account', heading: 'My account' },
      {
        name: 'operator',
        route: '/operators/$operator',
        at: { operator: auditor.username },
        heading: 'Grace Hopper',
      },
      {
        name: 'operator-not-of-a-file',
        route: '/operators/$operator',
        at: { operator: substitution },
        heading: markup,
      },
      { name: 'notifications', route: '/notifications', heading: 'Notifications' },
      { name: 'campaigns', route: '/awareness/campaigns', heading: 'Campaigns' },
      { name: 'awareness-access', route: '/awareness/access', heading: 'Users and API keys' },
      { name: 'mail-accounts', route: '/email/accounts', heading: 'Mail accounts' },
      {
        name: 'mail-account',
        route: '/email/accounts/$account',
        at: { account: '5584599' },
        heading: 'Example',
      },
      {
        name: 'mail-domain',
        route: '/email/accounts/$account/$domain',
        at: { account: '5584599', domain: 'example.org' },
        heading: 'example.org',
      },
      {
        name: 'mail-account-not-of-a-file',
        route: '/email/accounts/$account',
        at: { account: substitution },
        heading: markup,
      },
      {
        name: 'mail-domain-not-of-a-file',
        route: '/email/accounts/$account/$domain',
        at: { account: substitution, domain: 'hostile.example' },
        heading: 'hostile.example',
      },
      { name: 'mail-clients', route: '/email/api-clients', heading: 'API clients' },
    ])
  })
})

/** The words that a shell makes of a line, after the command. It fails when it runs anything else, or says anything. */
async function wordsOf(line: string): Promise<string[]> {
  const script = `palisade() { printf '%s\\n' "$@"; }\n${line}`
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-ec', script], { env: { PATH: '' } })
  assert.equal(stderr, '')
  return stdout.split('\n')
}

/** What a gateway reports of the mail of a week. */
async function reportMail(server: Server): Promise<void> {
  const headers = { ...(await bearer(server, 'email')), 'content-type': 'application/json' }
  const counts = Array.from({ length: 7 }, (_, days) => {
    const at = new Date(Date.now() - days * 86_400_000).toISOString()
    const of = (direction: string, action: string, threatType: string, reason: string, count: number) => ({
      ...{ direction, action, threatType, reason, at, count },
    })
    return [
      of('inbound', 'allowed', 'none', 'none', 900 + 40 * days),
      of('inbound', 'blocked', 'malware', 'antivirus', 12 + days),
      of('inbound', 'quarantined', 'phishing', 'link_protection', 30 - days),
      of('outbound', 'allowed', 'none', 'none', 300 - 10 * days),
      of('outbound', 'blocked', 'data_exfiltration', 'content_policies', 2),
    ]
  }).flat()
  const address = `${server.services}/email/beta/accounts/5584599/ess/domains/4/statistics`
  const body = JSON.stringify({ report: 'week', counts })
  const reply = await fetch(address, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(await reply.text())
}
