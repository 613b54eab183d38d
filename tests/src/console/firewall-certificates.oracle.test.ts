import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { owner } from '../support/console/owner.ts'
import { openSection, save, setting } from '../support/console/settings.ts'
import { ConsoleVisitor, takePicture } from '../support/console/visitor.ts'
import {
  authorityPrograms,
  cleanUpAuthorities,
  refusedHost,
  TestAuthority,
} from '../support/firewall/authority.ts'
import { application, cleanUpApplications, freePort, Management } from '../support/firewall/proxy.ts'
import { notInstalled } from '../support/programs/not-installed.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'

describe('certificates in the console', { skip: notInstalled(...authorityPrograms) }, () => {
  let browser: Browser
  let visitor: ConsoleVisitor
  before(async () => {
    const [httpPort, tlsPort] = [await freePort(), await freePort()]
    const { directory, caFile, dnsHook } = await TestAuthority.start({ httpPort, tlsPort })
    const server = await Server.start(newFolder(), {
      ...provisioned,
      firewall: {
        ...provisioned.firewall,
        runProxy: true,
        acme: { directory, caFile, dnsHook, email: 'admin@example.com' },
      },
      administration: { operators: [owner] },
    })
    await server.program.line(/"msg":"carrying traffic"/)
    const management = await Management.connect(server)
    const behind = await application((_, response) => response.end('served'))
    const at = { 'ip-address': '127.0.0.1' }
    await management.call('POST', 'services', { name: 'shop', ...at, port: httpPort })
    await management.addServer('shop', 'one', behind)
    await management.call('POST', 'self-signed-certificate', {
      name: 'own',
      'common-name': 'own.example',
      'country-code': 'DE',
      'key-type': 'ECDSA',
    })
    const tls = { type: 'HTTPS', certificate: 'own' }
    await management.call('POST', 'services', { name: 'secure', ...at, port: tlsPort, ...tls })
    await management.addServer('secure', 'one', behind)
    await management.untilHealth('services/secure', 'Up')
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
  })
  after(async () => {
    await browser?.close()
    await cleanUp()
    cleanUpApplications()
    await cleanUpAuthorities()
  })

  test('a certificate is uploaded, shown with its end and its service, and not deleted while that shows it', async () => {
    const folder = newFolder()
    const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '9'],
        ...['-keyout', keyFile, '-out', file, '-subj', '/CN=shop.example.org'],
      ],
      { stdio: 'ignore' },
    )
    await visitor.visitAsOwner(
      async (page) => {
        await page.goto(`${visitor.address}/console/firewall/certificates`)
        await page.getByRole('button', { name: 'Upload a certificate' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Name').fill('shop-2030')
        await dialog.getByLabel(/^Certificate/).setInputFiles(keyFile)
        await dialog.getByLabel(/^Private key/).setInputFiles(keyFile)
        await dialog.getByRole('button', { name: 'Upload a certificate' }).click()
        await dialog
          .getByRole('alert')
          .getByText(/signed-certificate/)
          .waitFor()
        await dialog.getByLabel(/^Certificate/).setInputFiles(file)
        await dialog.getByRole('button', { name: 'Upload a certificate' }).click()
        const row = page.getByRole('row').filter({ hasText: 'shop-2030' })
        await row.getByText('8 days left').waitFor()
        await row.getByText('no service').waitFor()
        await row.getByRole('button', { name: 'Delete shop-2030' }).click()
        await dialog.getByRole('button', { name: 'Delete shop-2030' }).click()
        await page.getByText('Certificate shop-2030 is deleted.', { exact: true }).waitFor()
        await row.waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Undo' }).click()
        await row.getByText('8 days left').waitFor()

        const form = await openSection(page, 'services/shop/settings', '')
        await setting(form, 'certificate').getByRole('combobox').fill('shop-2030')
        await save(form)
        await page.goto(`${visitor.address}/console/firewall/certificates`)
        await row.getByRole('link', { name: 'shop', exact: true }).waitFor()
        await row.getByRole('button', { name: 'Delete shop-2030' }).click()
        await dialog.getByRole('button', { name: 'Delete shop-2030' }).click()
        await dialog
          .getByRole('alert')
          .getByText(/in use by/)
          .waitFor()
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        await row.waitFor()
      },
      { allowed: /status of (400|401|406|409)/ },
    )
  })

  test('a certificate is obtained by ACME and shown by its service, and what the authority refuses is told', async () => {
    await visitor.visitAsOwner(
      async (page) => {
        await page.goto(`${visitor.address}/console/firewall/certificates`)
        await page.getByRole('button', { name: 'Obtain one by ACME' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Name').fill('shop-acme')
        await dialog.getByLabel(/^Host/).fill(refusedHost)
        await dialog.getByLabel('Service that shows it from then on').selectOption('secure')
        await dialog.getByRole('button', { name: 'Obtain one by ACME' }).click()
        await dialog.getByRole('alert').waitFor()
        await takePicture(page, 'firewall-certificate-refused')
        await dialog.getByLabel(/^Host/).fill('shop.example')
        await dialog.getByLabel('Further hosts').fill('www.shop.example')
        await dialog.getByRole('button', { name: 'Obtain one by ACME' }).click()
        const row = page.getByRole('row').filter({ hasText: 'shop-acme' })
        await row.getByRole('link', { name: 'secure' }).waitFor()
        await row.getByText('shop.example').waitFor()
      },
      { allowed: /status of (401|4\d\d|5\d\d)/ },
    )
  })
})
