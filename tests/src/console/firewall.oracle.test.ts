import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { auditor } from '../support/console/full-installation.ts'
import { owner } from '../support/console/owner.ts'
import { expectNothingToChange } from '../support/console/read-only.ts'
import { createApiToken, expectSameCall, runInShell } from '../support/console/same-call.ts'
import { ConsoleVisitor, expectReadable, signIn } from '../support/console/visitor.ts'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  oneWorker,
  ProxyProcess,
} from '../support/firewall/proxy.ts'
import { statusOf } from '../support/firewall/status-of.ts'
import { eventually } from '../support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'

const host = 'shop.example.org'
const markup = '<img src=x onerror="document.title=1">'
const harmless = '/notes?text=select+name+from+users+where+id+%3D+1+union+select+2'
const attack = `/item?id=${encodeURIComponent("1' UNION SELECT user,password FROM users-- ")}`

describe('the firewall in the console', () => {
  let server: Server
  let management: Management
  let browser: Browser
  let visitor: ConsoleVisitor
  let behind: number
  let port: number
  before(async () => {
    server = await Server.start(newFolder(), {
      ...provisioned,
      administration: { operators: [owner, auditor] },
    })
    await ProxyProcess.start(server, newFolder(), {
      ...oneWorker,
      rules: { releasesFolder: newFolder() },
    })
    management = await Management.connect(server)
    behind = await application((incoming, response) => {
      incoming.resume()
      response.end('hello')
    })
    port = await freePort()
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
  })
  after(async () => {
    await browser?.close()
    cleanUpApplications()
    await cleanUp()
  })

  /** Sends a request as a client of the application. @returns the status of the answer */
  const ask = (path: string, headers = {}) => statusOf(port, path, { host, ...headers })

  /** The newest request for a path that rules refused; or would have, where its service only logs. */
  async function refusedRequest(path: string, done: 'DENY' | 'LOG' = 'DENY'): Promise<string> {
    const [entry] = await management.entries(
      'web-firewall-logs',
      ({ url, rule, action }) => url === path.split('?')[0] && rule === '949110' && action === done,
    )
    return entry?.['request-id'] ?? ''
  }

  const open = (page: Page, path: string) => page.goto(`${visitor.address}/console/firewall/${path}`)

  test('leads from an application that nobody guards to one whose attackers are refused, and that works', async () => {
    await visitor.visitAsOwner(async (page) => {
      await page.getByRole('main').getByRole('link', { name: 'Protect an application' }).click()
      await page.getByLabel('Where is your application?').fill(`127.0.0.1:${behind}`)
      await page.getByLabel('By which names do people call it?').fill(host)
      await page.getByLabel('Where shall people reach it?').fill(`127.0.0.1:${port}`)
      await page.getByRole('button', { name: 'Put the firewall in front' }).click()
      await page
        .getByText('The application can be reached through the firewall.')
        .waitFor({ timeout: 60_000 })
      assert.equal(await ask('/page'), 200)
      assert.equal(await ask(attack), 200, 'logged only')
      assert.equal(await ask(harmless), 200, 'logged only')
      await refusedRequest(harmless, 'LOG')
      await page.getByLabel('This was harmless: let it pass, the parameter “text” at /notes').check()
      const replay = page.getByRole('region', { name: 'What this would have let through' }).first()
      await replay.getByText('1 of 2 requests').waitFor()
      await replay.getByText('GET /notes').waitFor()
      assert.equal(await replay.getByText('GET /item').count(), 0)
      await expectReadable(page, 'firewall-protect-replay')
      await page.getByRole('button', { name: /^Accept th/ }).click()
      await page
        .getByText(/^Accepted as /)
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Start blocking attacks' }).click()
      await page.getByText('The application is protected').waitFor()
      await page.getByText('has an attack in it, and is refused').waitFor()
      await eventually('the attack being refused', async () =>
        (await ask(attack)) === 403 ? true : undefined,
      )
      assert.equal(await ask(harmless), 200, 'excepted')
      assert.equal(await ask('/page'), 200)
      await expectReadable(page, 'firewall-protected')
    })
  })

  test('says which stored requests other rules would refuse', async () => {
    await management.call('PUT', `services/${host}/stored-traffic`, { status: 'On', 'ordinary-requests': 1 })
    await eventually('a stored request', async () => {
      await ask('/page')
      const { data } = await management.call('GET', `services/${host}/stored-requests`)
      return (data as { requests: string }).requests === '0' ? undefined : true
    })
    await visitor.visitAsOwner(async (page) => {
      await open(page, `services/${host}`)
      const trial = page.getByRole('region', { name: 'Try other rules' })
      await trial.getByLabel('Rules').selectOption('debian')
      await trial.getByRole('button', { name: 'Try them' }).click()
      await trial
        .getByText(/^Of \d+ stored requests, 0 would be refused that pass now, and 0 would pass/)
        .waitFor()
      await expectReadable(page, 'firewall-rules-tried')
    })
  })

  test('lists the latest refused requests of a service with their reasons, a click from what lets each pass', async () => {
    const refused = '/basket?note=1%27+or+1%3D1+union+select+2'
    assert.equal(await ask(refused), 403)
    const id = await refusedRequest(refused)
    await visitor.visitAsOwner(async (page) => {
      await open(page, `services/${host}`)
      const row = page
        .getByRole('table', { name: 'Latest refused requests' })
        .getByRole('row')
        .filter({ hasText: 'GET /basket' })
      await row.getByText('127.0.0.1').waitFor()
      await row.getByRole('link', { name: /SQL injection/ }).click()
      await page.waitForURL(`${visitor.address}/console/firewall/requests/${id}`)
      await page.getByRole('button', { name: /^Accept th/ }).waitFor()
    })
  })

  test('says in a sentence why a request was refused; the smallest exception lets it pass, until it is taken back', async () => {
    const refused = '/search?q=1%27+or+1%3D1+union+select+2'
    await management.call('PUT', `services/${host}/stored-traffic`, { status: 'On' })
    assert.equal(await ask(refused), 403)
    const id = await refusedRequest(refused)
    await visitor.visitAsOwner(async (page) => {
      await open(page, 'log?service=shop.example.org')
      await page.locator(`a[href="/console/firewall/requests/${id}"]`).first().click()
      await page.getByRole('heading', { name: 'Why was this refused?' }).waitFor()
      await page
        .getByText(
          /^The request was refused because the parameter “q” looked like .*SQL injection.* \(rule 942\d+\)/,
        )
        .waitFor()
      await page.getByRole('region', { name: 'If this was harmless' }).getByText('/search').first().waitFor()
      const trial = page.getByRole('region', { name: 'Tried against stored requests' })
      await trial.getByText(/^Would also have let \d+ of \d+ stored requests pass/).waitFor()
      await expectReadable(page, 'firewall-refused')
      await page.getByLabel('Why (for the audit log)').fill('People search for words')
      await page.getByRole('button', { name: /^Accept th/ }).click()
      await page.getByText('The request passes now').waitFor()
      await eventually('the request passing', async () => ((await ask(refused)) === 200 ? true : undefined))
      const exceptions = await management.call('GET', `services/${host}/rule-exceptions`)
      assert.match(JSON.stringify(exceptions), /People search for words/)

      await page.getByRole('button', { name: 'Take it back' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText(/^The smallest change that lets it pass/).waitFor()
      await eventually('the request being refused', async () =>
        (await ask(refused)) === 403 ? true : undefined,
      )
    })
  })

  test('filters the log by what stands in the address, and keeps there what is chosen', async () => {
    await visitor.visitAsOwner(async (page) => {
      await open(page, 'log')
      await page.getByLabel('What was done').selectOption('Blocked')
      await page.waitForURL(/action=DENY/)
      await page.getByLabel('Text in the path').fill('SEAR')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.waitForURL(/text=SEAR/)
      const rows = page.locator('.long-table tbody tr')
      // The rows of before stay until those that fit are there.
      await rows.filter({ hasText: '/search' }).first().waitFor()
      await rows.filter({ hasNotText: '/search' }).first().waitFor({ state: 'detached' })
      for (const row of await rows.allInnerTexts()) assert.match(row, /Blocked[\s\S]*\/search/)
      await page.reload()
      await rows.first().waitFor()
      assert.equal(await page.getByLabel('Text in the path').inputValue(), 'SEAR')
      await page.getByRole('button', { name: 'Clear all filters' }).click()
      await page.getByText('GET /item (').first().waitFor()
      const id = await refusedRequest(attack)
      for (const field of ['Support number', 'Text in the path']) {
        await page.getByLabel(field).fill(id)
        await page.getByRole('button', { name: 'Search' }).click()
        await page.waitForURL(`**/requests/${id}`)
        await page.getByRole('heading', { name: 'Why was this refused?' }).waitFor()
        await open(page, 'log')
      }
      await open(page, 'log?text=nothing-has-this&client=192.0.2.99')
      await page.getByText('No entry fits these filters.').waitFor()
    })
  })

  test('has a row for each request, and shows new ones as they come to who follows', async () => {
    const path = '/followed?note=%27+or+1%3D1+union+select+2'
    await visitor.visitAsOwner(async (page) => {
      await open(page, 'log?text=followed')
      await page.getByText('No entry fits these filters.').waitFor()
      await page.getByLabel('Show new ones as they come').check()
      const rows = page.locator('.long-table tbody tr:not(.space)')
      for (const count of [1, 2]) {
        assert.equal(await ask(path), 403)
        await page
          .getByRole('status')
          .getByText(new RegExp(`^${count} requests? with \\d+ entries$`))
          .waitFor()
        assert.equal(await rows.count(), count)
        await page.setViewportSize({ width: count * 500, height: 768 })
        const what = await page.getByRole('columnheader', { name: 'What was found' }).boundingBox()
        assert.ok((what?.width ?? 0) > 100, `${what?.width} pixels for what was found`)
        assert.doesNotMatch((await rows.first().textContent()) ?? '', /Sum of all findings/)
      }
      await page.getByLabel('Show new ones as they come').uncheck()
      assert.equal(await ask(path), 403)
      await page.getByRole('button', { name: /^Show \d+ newer entr/ }).click()
      await page
        .getByRole('status')
        .getByText(/^3 requests with/)
        .waitFor()
      await page.goto(`${visitor.address}/console/`)
      await page.getByRole('link', { name: /^[1-9]\d* findings blocked$/ }).click()
      await page.waitForURL(/log\?action=DENY&since=24h/)
      await rows.filter({ hasText: '/followed' }).first().waitFor()
    })
  })

  test('finds why somebody was refused who knows about when and where, and no number', async () => {
    const path = '/checkout?note=%27+or+1%3D1+union+select+2'
    assert.equal(await ask(path), 403)
    await refusedRequest(path)
    await visitor.visitAsOwner(async (page) => {
      const minutesAgo = (minutes: number) =>
        page.evaluate<string>(`(() => {
          const at = new Date(Date.now() - ${minutes} * 60_000)
          return new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
        })()`)
      const search = page.getByRole('button', { name: 'Search' })
      const entries = page.locator('.long-table tbody tr')
      await page.getByRole('link', { name: 'Why was a visitor refused?' }).click()
      await page.getByLabel('When').selectOption('In the last 15 minutes')
      await page.waitForURL(/since=15m/)
      await page.getByLabel('Text in the path').fill('checkout')
      // He is half an hour out: what was asked for last counts, and the page says how to go on.
      await page.getByLabel(/^At about/).fill(await minutesAgo(35))
      await search.click()
      await page.waitForURL(/around=/)
      assert.doesNotMatch(page.url(), /since=/)
      await page.getByText('Nothing is in the log from ten minutes before').waitFor()
      await expectReadable(page, 'firewall-log-nothing-around')
      await page.getByRole('link', { name: 'Look an hour before and after' }).click()
      await entries.first().waitFor()
      await page.getByLabel(/^At about/).fill(await minutesAgo(4))
      await search.click()
      await page.waitForURL(/around=/)
      await entries.first().waitFor()
      for (const row of await entries.allInnerTexts()) assert.match(row, /\/checkout/)
      await expectSameCall(page, await createApiToken(page))
      await entries.getByRole('link').first().click()
      await page.getByText(/^The request was refused because the parameter “note” looked like /).waitFor()
      await page.getByRole('button', { name: /^Accept th/ }).waitFor()
    })
  })

  test('says what to do about a support number that was misheard', async () => {
    const misheard = '00000000-0000-4000-8000-000000000000'
    await visitor.visitAsOwner(
      async (page) => {
        await open(page, `requests/${misheard}`)
        await page.getByText(`No request with the support number ${misheard} is in the log.`).waitFor()
        await expectReadable(page, 'firewall-request-unknown')
        await page.getByRole('link', { name: 'Look for it in the log' }).click()
        await page.getByLabel('Support number').waitFor()
      },
      { allowed: /status of (401|404)/ },
    )
  })

  test('shows what clients have sent as text: addresses, names of parameters, hosts and user agents', async () => {
    const path = `/${encodeURIComponent(markup)}?${encodeURIComponent(markup)}=${encodeURIComponent("1' union select 2 -- <script>document.title=2</script>")}`
    await ask(path, { 'user-agent': markup, referer: markup })
    await ask(attack, { host: `${markup}.example.org`, 'user-agent': '<script>document.title=3</script>' })
    const id = await refusedRequest(path)
    await visitor.visitAsOwner(async (page) => {
      await open(page, `requests/${id}`)
      await page.getByText(markup).first().waitFor()
      await open(page, 'log')
      await page.locator('.long-table tbody tr').first().waitFor()
      await open(page, 'protect?service=shop.example.org')
      await page
        .getByText(/img src=x onerror/)
        .first()
        .waitFor()
      assert.equal(await page.title(), 'Protect an application – Palisade')
      assert.equal(await page.locator('img').count(), 0)
    })
  })

  test('shows how services fare, draws their traffic, and has one watch only once that is confirmed', async () => {
    await visitor.visitAsOwner(async (page) => {
      await open(page, 'services')
      const card = page.getByRole('listitem').filter({ hasText: host })
      await card.getByText('Active: attacks are blocked').waitFor()
      await card.getByText('Up').first().waitFor()
      await card.getByText(/[1-9]\d* requests in the last hour/).waitFor()
      await card.getByRole('link', { name: host }).click()
      await page.getByRole('figure').filter({ hasText: 'Requests' }).locator('canvas').waitFor()
      await page.getByLabel('Time', { exact: true }).selectOption('13 weeks')
      await page.waitForURL(/range=13w/)
      await page
        .getByRole('figure')
        .filter({ hasText: 'Requests' })
        .getByText('The figures of this chart')
        .click()
      await page
        .getByRole('table', { name: 'Requests' })
        .getByRole('cell', { name: /^[1-9]/ })
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Stop blocking' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      assert.equal(await ask(attack), 403)
      await page.getByRole('button', { name: 'Stop blocking' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Stop blocking' }).click()
      await page.getByText('Passive: attacks are logged only').waitFor()
      await page.getByText('nothing is blocked, and these requests have reached the application').waitFor()
      await eventually('the attack passing', async () => ((await ask(attack)) === 200 ? true : undefined))
      // The call that a page shows of a change makes it again.
      await page.getByText('Your last change, as a call').click()
      const line = (await page.locator('.recent-changes code').textContent()) ?? ''
      await expectReadable(page, 'firewall-own-call')
      await management.call('PUT', `services/${host}/basic-security`, { mode: 'Active' })
      await runInShell(page, await createApiToken(page), line)
      const { data } = await management.call('GET', `services/${host}/basic-security`)
      assert.match(JSON.stringify(data), /"mode":"Passive"/)
      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByText('1 is Passive: attacks reach it, and are only logged.').waitFor()
      await expectReadable(page, 'overview-passive')
      await page.getByRole('main').getByRole('link', { name: host }).click()
      await page.getByRole('button', { name: 'Start blocking' }).waitFor()
    })
  })

  test('shows all of it to who may only read, and no button that would be refused', async () => {
    const id = await refusedRequest(attack)
    let seen = 0
    await visitor.visit(async (page) => {
      await open(page, 'services')
      await signIn(page, auditor.password, auditor.username)
      await page.getByRole('link', { name: host, exact: true }).waitFor()
      for (const [path, sights] of [
        [`services/${host}`, ['Its log', 'Up', 'default']],
        [`requests/${id}`, ['Why was this refused?', 'If this was harmless', '/item']],
        [`services/${host}/settings`, ['Mode', 'Data transfer rate']],
        ['settings/security-policies/default', ['Max URL length']],
        ['settings/services', [host]],
        ['settings/security-policies', ['strict']],
        ['log', ['/item']],
        ['certificates', ['Certificates']],
        ['checkpoints', ['Checkpoints']],
        ['policies', ['Max URL length']],
      ] as const) {
        const name = `firewall-read-only-${path.replaceAll('/', '-')}`
        await open(page, path)
        if (path.includes('sett') && path.split('/').length > 2)
          await page.getByRole('button', { name: 'Open all' }).click()
        for (const sight of sights)
          await page.getByRole('main').getByText(sight).filter({ visible: true }).first().waitFor()
        await expectReadable(page, name)
        await expectNothingToChange(page)
        await page.setViewportSize({ width: 360, height: 740 })
        await expectReadable(page, `${name}-phone`, ['color-contrast'])
        await page.setViewportSize({ width: 1280, height: 900 })
        seen++
      }
    })
    assert.equal(seen, 10)
  })

  test('says what the firewall refused, and removes what it had made of an application by then', async () => {
    await visitor.visitAsOwner(
      async (page) => {
        await open(page, 'protect')
        await page.getByLabel('Where is your application?').fill('http://127.0.0.1:1/path')
        await page.getByLabel('By which names do people call it?').fill('other.example.org')
        await page.getByRole('button', { name: 'Put the firewall in front' }).click()
        await page
          .getByRole('alert')
          .getByText(/without a path/)
          .waitFor()
        await page.getByLabel('Where is your application?').fill('http://127.0.0.1:1')
        await page.getByLabel('Where shall people reach it?').fill(`127.0.0.1:${port}`)
        await page.getByLabel('Certificate').selectOption('Self-signed, for trials: browsers warn')
        await page.getByRole('button', { name: 'Put the firewall in front' }).click()
        await page
          .getByRole('alert')
          .getByText(/This was not done/)
          .waitFor()
        const certificates = await management.call('GET', 'certificates')
        assert.doesNotMatch(JSON.stringify(certificates), /other\.example\.org/)
      },
      { allowed: /status of 4/ },
    )
  })

  test('shows every page on a desktop and on a phone, and axe finds nothing, in light and in dark', async () => {
    const id = await refusedRequest(attack)
    await visitor.lookAt([
      { name: 'firewall-services', route: '/firewall/services', heading: 'Services' },
      {
        name: 'firewall-service',
        route: '/firewall/services/$service',
        at: { service: host },
        heading: host,
        pressKeys: true,
      },
      { name: 'firewall-log', route: '/firewall/log', heading: 'Firewall log' },
      {
        name: 'firewall-request',
        route: '/firewall/requests/$request',
        at: { request: id },
        heading: 'Why was this',
      },
      { name: 'firewall-protect', route: '/firewall/protect', heading: 'Protect an application' },
      {
        name: 'firewall-watch',
        route: '/firewall/protect',
        search: `?service=${host}`,
        heading: 'Protect an application',
      },
    ])
  })
})
