import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startProvider, type TestProvider } from '@palisade/administration/testing'
import type { Browser, Locator, Page } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { owner } from '../support/console/owner.ts'
import { ConsoleVisitor, signIn } from '../support/console/visitor.ts'
import { freePort } from '../support/firewall/proxy.ts'
import { Administration } from '../support/programs/administration.ts'
import { eventually } from '../support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'

const secret = 'the secret of the client palisade'
const { password } = owner

describe('signing in to the console, and what everybody does with his own account', () => {
  let browser: Browser
  let visitor: ConsoleVisitor
  let provider: TestProvider
  let administration: Administration
  let receiver: HttpServer
  const received: string[] = []
  before(async () => {
    // Passkeys are for a host name, and an address is none.
    const address = `https://localhost:${await freePort()}`
    const at = `${address}/admin/v1/login/company`
    provider = await startProvider({ secret, redirectUris: [`${at}/callback`], logoutUri: `${at}/logout` })
    const folder = newFolder()
    const clientSecretFile = join(folder, 'client-secret')
    writeFileSync(clientSecretFile, secret, { mode: 0o600 })
    const server = await Server.start(folder, {
      ...provisioned,
      services: { listen: { http: 0, https: Number(new URL(address).port) } },
      administration: {
        publicUrl: address,
        openid: [
          {
            name: 'company',
            issuer: provider.issuer,
            clientId: 'palisade',
            clientSecretFile,
            scopes: ['profile', 'groups'],
            grants: [{ claim: 'groups', value: 'audit', grants: [{ role: 'auditor' }] }],
          },
        ],
      },
    })
    administration = await Administration.connect(server)
    for (const username of [owner.username, 'with-app', 'with-passkey']) {
      const reply = await administration.call('POST', '/operators', { ...owner, username })
      assert.equal(reply.status, 201)
    }
    receiver = createServer((request, response) => {
      let body = ''
      request.on('data', (part) => (body += String(part)))
      request.on('end', () => received.push(body))
      response.end()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, address)
  })
  after(async () => {
    await browser?.close()
    await provider?.close()
    receiver?.close()
    await cleanUp()
  })

  const dialog = (page: Page): Locator => page.getByRole('dialog')
  const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true })

  async function enter(page: Page, username: string, path = '/account', key = password): Promise<void> {
    await page.goto(`${visitor.address}/console${path}`)
    await signIn(page, key, username)
  }

  test('an authenticator app is set up by its secret, and from then on a login asks for its code', async () => {
    await visitor.visit(async (page) => {
      await enter(page, 'with-app')
      await button(page, 'Set up an authenticator app').click()
      await page.getByText('Type the secret instead').click()
      const shared = (await dialog(page).locator('code').textContent()) ?? ''
      await dialog(page).getByLabel('Code of the app').fill(codeOf(shared, 0))
      await button(dialog(page), 'Use this app').click()
      await page.getByText('set up: each login asks for a code').waitFor()
      await button(page, 'Sign out').click()
      await signIn(page, password, 'with-app')
      // Each code counts once; this is the next one, which counts already.
      await page.getByLabel('Code of your authenticator app').fill(codeOf(shared, 30))
      await button(page, 'Sign in').click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
    })
  })

  test('a passkey is added, opens the console alone, and is asked for beside the password', async () => {
    await visitor.visit(async (page) => {
      await addAuthenticator(page)
      await enter(page, 'with-passkey')
      await button(page, 'Add passkey').click()
      await dialog(page).getByLabel('Name').fill('laptop')
      await dialog(page).locator('input[name=currentPassword]').fill(password)
      await button(dialog(page), 'Add passkey').click()
      await page.getByText('laptop', { exact: true }).waitFor()
      await button(page, 'Sign out').click()
      await button(page, 'Sign in with a passkey').click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await button(page, 'Sign out').click()
      await signIn(page, password, 'with-passkey')
      await button(page, 'Continue with your passkey').click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.getByRole('link', { name: 'My account' }).click()
      await button(page, 'Remove: Remove the passkey laptop').click()
      await button(dialog(page), 'Remove').click()
      await page.getByText('You have no passkey.').waitFor()
    })
  })

  test('who signs in at a provider comes to the page that he wanted, and who is granted nothing is told so', async () => {
    await visitor.visit(
      async (page) => {
        provider.person = 'grace'
        provider.claims.set('grace', { preferred_username: 'grace', name: 'Grace Hopper', groups: ['audit'] })
        await page.goto(`${visitor.address}/console/audit`)
        await page.getByRole('link', { name: 'Sign in with company' }).click()
        await page.getByRole('heading', { name: 'Audit log' }).waitFor()
        await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
        assert.equal(new URL(page.url()).pathname, '/console/audit')
      },
      { others: [provider.issuer] },
    )
    await visitor.visit(
      async (page) => {
        provider.person = 'stranger'
        await page.goto(`${visitor.address}/console/`)
        await page.getByRole('link', { name: 'Sign in with company' }).click()
        await page.getByRole('alert').waitFor()
        assert.match((await page.getByRole('alert').textContent()) ?? '', /grant/)
        await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      },
      { others: [provider.issuer] },
    )
  })

  test('a session that is ended elsewhere leads to the sign-in with the next look, and back to its page', async () => {
    await visitor.visitAsOwner(async (there) => {
      await visitor.visitAsOwner(async (here) => {
        await here.getByRole('link', { name: 'My account' }).click()
        const sessions = here
          .getByRole('table', { name: 'Sessions' })
          .getByRole('button', { name: /End session/ })
        await sessions.last().waitFor()
        const before = await sessions.count()
        assert.ok(before >= 2)
        // The newest is first, which is this one itself.
        await sessions.nth(1).click()
        await eventually(
          'the end of the session',
          async () => (await sessions.count()) === before - 1 || undefined,
        )
      })
      // The overview looks by itself now and then, and may be at the sign-in by now.
      await there.goto(`${visitor.address}/console/audit`)
      await there.getByRole('heading', { name: 'Sign in' }).waitFor()
      await signIn(there, password)
      await there.getByRole('heading', { name: 'Audit log' }).waitFor()
    })
  })

  test('a channel of notifications is added, tested and removed', async () => {
    await visitor.visitAsOwner(async (page) => {
      await page.getByRole('link', { name: 'Notifications' }).click()
      await button(page, 'Add channel').click()
      await dialog(page).getByLabel('Name').fill('on-call')
      const { port } = receiver.address() as AddressInfo
      await dialog(page).getByLabel('Address').fill(`http://127.0.0.1:${port}/`)
      await dialog(page)
        .getByLabel('Secret for signatures')
        .fill(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
      await button(dialog(page), 'Add channel').click()
      await button(page, 'Send test: on-call').click()
      await page.getByText('A test is on its way.').waitFor()
      await eventually('the test', async () => received.find((body) => body.includes('test')))
      await button(page, 'Remove: Remove the channel on-call').click()
      await button(dialog(page), 'Remove').click()
      await page.getByText('There is no channel yet').waitFor()
    })
  })

  test('what the audit log shows is downloaded as lines of JSON', async () => {
    await visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console/audit?actor=${owner.username}`)
      await page.getByRole('table').first().waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export' }).click()
      const lines = readFileSync(await (await download).path(), 'utf8')
        .trimEnd()
        .split('\n')
      assert.ok(lines.length >= 2, `${lines.length} lines`)
      for (const line of lines) assert.equal(JSON.parse(line).actor, owner.username)
    })
  })

  test('a password is changed by the one before, and every session ends with it', async () => {
    const next = 'another long enough password'
    await visitor.visitAsOwner(async (there) => {
      await visitor.visitAsOwner(
        async (page) => {
          await page.getByRole('link', { name: 'My account' }).click()
          await button(page, 'Change password').click()
          const fill = (name: string, value: string) => page.locator(`input[name=${name}]`).fill(value)
          await fill('currentPassword', 'not the password')
          await fill('newPassword', next)
          await button(dialog(page), 'Change password and sign out everywhere').click()
          await dialog(page).getByRole('alert').waitFor()
          await fill('currentPassword', password)
          await button(dialog(page), 'Change password and sign out everywhere').click()
          await page.getByRole('heading', { name: 'Sign in' }).waitFor()
          await signIn(page, password)
          await page.getByRole('alert').waitFor()
          await signIn(page, next)
          await page.getByRole('heading', { name: 'Overview' }).waitFor()
        },
        { allowed: /status of (400|401|403)/ },
      )
      // It shows the overview, which asks now and then and learns of it by itself.
      await there.getByRole('heading', { name: 'Sign in' }).waitFor()
    })
  })
})

/** The code of somebody else's authenticator, oathtool's. @param seconds from now on */
function codeOf(shared: string, seconds: number): string {
  const now = new Date(Date.now() + seconds * 1000).toISOString()
  const options = ['--totp', '--base32', '--now', now, shared]
  return execFileSync('oathtool', options, { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } }).trim()
}

/** Gives the browser an authenticator with a fingerprint that is always there. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
