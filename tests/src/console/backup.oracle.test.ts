/** Backups by the console alone: from a computer that is added to a volume that comes back, with real programs behind. */
import assert from 'node:assert/strict'
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { Backups } from '../support/backup/backups.ts'
import { assertHolds, makeExt4 } from '../support/backup/images.ts'
import { Share } from '../support/backup/share.ts'
import { auditor as everybodysAuditor } from '../support/console/full-installation.ts'
import { owner } from '../support/console/owner.ts'
import { expectNothingToChange } from '../support/console/read-only.ts'
import { createApiToken } from '../support/console/same-call.ts'
import { ConsoleVisitor, expectReadable, takePicture } from '../support/console/visitor.ts'
import { notInstalled } from '../support/programs/not-installed.ts'
import { Program, palisade } from '../support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'

const timeout = 600_000
/** An agent has to come, and a volume to be read, on a machine that has much else to do. */
const patience = { timeout: 60_000 }
const grace = {
  username: 'grace',
  password: 'another long password',
  grants: [{ role: 'operator', service: 'backup', account: 'acme' }],
}

const auditor = { ...everybodysAuditor, username: 'mary' }

describe('backups in the console', {
  skip: notInstalled('/usr/bin/qemu-img', '/usr/bin/chromium', '/usr/sbin/smbd'),
}, () => {
  let server: Server
  let browser: Browser
  let visitor: ConsoleVisitor
  let share: Share
  /** Of web-01. */
  let agent: Program | undefined
  const home = newFolder()
  const image = join(home, 'web.img')
  const restored = join(home, 'restored')
  const pages = '/backup/computers/acme/web-01'
  before(async () => {
    makeExt4(image, 48)
    share = await Share.start()
    server = await Server.start(newFolder(), {
      ...provisioned,
      backup: {
        ...provisioned.backup,
        accounts: [...provisioned.backup.accounts, { id: 'other', computers: [] }],
      },
      administration: { operators: [owner, grace, auditor] },
    })
    browser = await startConsoleBrowser()
    // Its certificate is trusted by the agent only if the copied command brings it along.
    visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
  })
  after(async () => {
    await browser?.close()
    await cleanUp()
    await share?.remove()
  })

  /** Runs what was copied as a shell would, with the places of this test besides. */
  const runCopied = (command: string) => {
    const shim = join(home, 'palisade')
    writeFileSync(shim, `#!/bin/sh\nexec ${process.execPath} ${palisade} "$@"\n`)
    chmodSync(shim, 0o755)
    // What is sent so slowly can be watched.
    const places = `--state ${join(home, 'state')} --include '${home}/*' --restore-to ${restored} --bandwidth 2M ${share.agentFlags.join(' ')}`
    return new Program(['-c', `PATH=${home}:$PATH; ${command} ${places}`], {}, home, ['/bin/bash'])
  }
  const go = (page: Page, path: string) => page.goto(`${visitor.address}/console${path}`)
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

  test('a computer is enrolled by the copied command, backed up by a set, and restored byte for byte', {
    timeout,
  }, async () => {
    await visitor.visitAsOwner(async (page) => {
      await go(page, '/backup/computers/acme/0001')
      await page.getByText('No agent runs on this computer yet').waitFor()
      await expectReadable(page, 'backup-no-agent')
      await page.getByRole('link', { name: 'Start the agent' }).click()
      await button(page, 'Make the command').waitFor()

      await page.getByRole('link', { name: 'Computers' }).click()
      await button(page, 'Add a computer').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('web-01')
      await dialog.getByRole('button', { name: 'Add' }).click()
      await dialog.getByText('Waiting for the agent').waitFor()
      await takePicture(page, 'backup-enrolment')
      await dialog.getByLabel('Let it make virtual machines there').check()
      await dialog.getByText('--host qemu:').waitFor()
      await dialog.getByLabel('Let it make virtual machines there').uncheck()
      const command = (await dialog.locator('code.command').textContent()) ?? ''
      agent = runCopied(command)
      await dialog.getByText(/The agent on .* is online/).waitFor(patience)
      await dialog.getByRole('link', { name: 'Choose what is backed up' }).click()

      await page.getByRole('heading', { name: 'New backup set', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Computers' }).click()
      const row = page.getByRole('row').filter({ hasText: 'web-01' })
      await row.getByText('No backup set: nothing backs it up by itself.').waitFor(patience)
      await expectReadable(page, 'backup-computers-without-set')
      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByText('1 has no backup set').waitFor()
      await expectReadable(page, 'overview-without-set')
      await page.getByRole('link', { name: 'Choose what is backed up' }).click()
      await page.getByRole('heading', { name: 'New backup set', level: 1 }).waitFor()
      await page.getByRole('radio', { name: /Some volumes/ }).check()
      await page.getByLabel('Others, such as images').fill(image)
      await page.getByLabel('How often').selectOption('manual')
      for (const kept of ['Newest', 'Days', 'Weeks', 'Months']) {
        await page.getByRole('spinbutton', { name: kept, exact: true }).fill('')
      }
      await button(page, 'Make the set').click()
      await button(page, 'Run now').waitFor()
      await page.getByRole('link', { name: 'Backups', exact: true }).click()
      await page.getByText('The backup set “nightly” has not run yet.').waitFor()
      await page.getByRole('link', { name: 'Run it now' }).click()
      await button(page, 'Run now').click()
      const running = page.getByRole('region', { name: 'Running now' })
      await running
        .getByText(/^reads the volume · .* of 50.3 MB · .* a second · about .* left$/)
        .waitFor(patience)
      await running.getByRole('progressbar', { name: /^[1-9]\d? % done$/ }).waitFor()
      await takePicture(page, 'backup-running')
      await page.getByText('Everything of the set is backed up.').waitFor(patience)

      await page.getByRole('link', { name: 'Restore', exact: true }).click()
      await page.getByText('The newest backup:').waitFor()
      await page.locator('input[name=path]').fill(restored)
      await takePicture(page, 'backup-restore-guide')
      await button(page, 'Restore 1 volume').click()
      await page.getByRole('heading', { name: 'Restored', level: 1 }).waitFor(patience)
      await takePicture(page, 'backup-restored')
      const [file = ''] = readdirSync(restored).filter((name) => name.endsWith('.vhdx'))
      await page.getByText(join(restored, file), { exact: true }).waitFor()
      assertHolds(join(restored, file), image)

      await go(page, '/')
      await page.getByText('Last 24 hours: 2 backups and restores done, none failed').waitFor()
      await go(page, '/backup/tasks?account=acme&since=24h&type=RESTORE')
      const rows = page.getByRole('main').locator('tbody tr')
      await rows.first().waitFor()
      assert.equal(await rows.count(), 1)
      await page.getByLabel('State').selectOption('failed')
      await page.getByText('No task fits this choice.').waitFor()
      await page.waitForURL(/account=acme.*status=ERROR/)
      await page.getByLabel('Task', { exact: true }).selectOption('Backups and restores')
      await page.getByLabel('State').selectOption('However they ended')
      await rows.nth(1).waitFor()
    })
  })

  test('the command that enrol prints brings the certificate along, as that of the console does', async () => {
    let token = ''
    await visitor.visitAsOwner(async (page) => {
      token = await createApiToken(page)
    })
    const enrol = new Program(['backup', 'enrol', '--account', 'other', '--computer', 'files', '--quiet'], {
      PALISADE_SERVER: visitor.address,
      PALISADE_TOKEN: token,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    })
    assert.equal((await enrol.ended()).status, 0, enrol.output)
    assert.match(
      enrol.output,
      /-----BEGIN CERTIFICATE-----[^']*' > palisade\.pem && palisade agent .* --ca palisade\.pem$/m,
    )
  })

  test('a folder that the agent may not write to is refused before anything begins, in the words of the service', {
    timeout,
  }, async () => {
    await visitor.visitAsOwner(
      async (page) => {
        // What the page hears late of the computer takes nothing away of what was typed.
        await page.route(/\/computers\/web-01$/, async (route) => {
          await page.getByText('The newest backup:').waitFor()
          await setTimeout(1_000)
          await route.continue()
        })
        await go(page, `${pages}/restore`)
        await page.locator('input[name=path]').fill('/etc/restored')
        await page.locator('datalist option').first().waitFor({ state: 'attached' })
        await button(page, 'Restore 1 volume').click()
        await page
          .getByText(/The folder can be written to: the agent may not .*CreateFolderFailed/)
          .waitFor(patience)
        assert.match(page.url(), /\/restore$/)
      },
      { allowed: /status of (400|401)/ },
    )
  })

  test('a volume is restored to a network share, after a wrong password was refused beside the form', {
    timeout,
  }, async () => {
    const { path, credentials } = share.destination('console')
    await visitor.visitAsOwner(
      async (page) => {
        await go(page, `${pages}/restore`)
        await page.getByRole('radio', { name: /Files on a network share/ }).check()
        const field = (name: string) => page.locator(`input[name=${name}]`)
        assert.equal(await field('path').inputValue(), '//127.0.0.1/data')
        await field('path').fill(path.replaceAll('\\', '/'))
        await field('username').fill(credentials.username)
        await field('password').fill('not the password')
        await button(page, 'Restore 1 volume').click()
        await page.getByText(/the share does not take this user and password/).waitFor(patience)
        await expectReadable(page, 'backup-share-refused')
        assert.match(page.url(), /\/restore$/)
        await field('password').fill(credentials.password)
        await button(page, 'Restore 1 volume').click()
        await page.getByRole('heading', { name: 'Restored', level: 1 }).waitFor(patience)
        await page.getByText('sudo mount -t cifs //127.0.0.1/data /media').waitFor()
        await page.getByText(/^guestmount --add \/media\/console\/\S+\.vhdx --mount/).waitFor()
        await expectReadable(page, 'backup-share-restored')
        const backups = await Backups.connect(server, 'web-01')
        const id = new URL(page.url()).pathname.split('/').at(-1)
        const text = await (await backups.call('GET', `/restores/${id}`)).text()
        assert.doesNotMatch(text, new RegExp(credentials.password))
        const { files } = JSON.parse(text) as { files: string[] }
        assert.equal(files.length, 1)
        await page.getByText(files[0] ?? '', { exact: true }).waitFor()
        assertHolds(share.fileAt(files[0] ?? ''), image)
      },
      { allowed: /status of (400|401)/ },
    )
  })

  test('what retention would delete is shown, and is what it deletes', { timeout }, async () => {
    const backups = await Backups.connect(server, 'web-01')
    const [set] = (await (await backups.call('GET', '/backupsets')).json()) as { id: string }[]
    assert.ok(set)
    for (let run = 0; run < 2; run++) {
      const action = await backups.actionEnded(
        await backups.call('POST', '/backupsets/run', { backupSetId: set.id }),
      )
      assert.equal(action.state, 'SUCCESS', action.reason)
    }
    const idsOf = async () =>
      ((await (await backups.call('GET', '/revisions')).json()) as { Id: number }[]).map(({ Id }) => Id)
    const before = await idsOf()
    assert.equal(before.length, 3)
    await visitor.visitAsOwner(async (page) => {
      await go(page, `${pages}/revisions/${before[1]}`)
      await button(page, 'Pin').click()
      await page.getByText('neither retention nor anybody deletes it').waitFor(patience)
      await go(page, `${pages}/sets/${set.id}`)
      await page.getByRole('spinbutton', { name: 'Newest', exact: true }).fill('1')
      await button(page, 'Show what would be deleted').click()
      const preview = page.getByRole('region', { name: 'What would be deleted' })
      await preview.getByText('would be deleted').waitFor(patience)
      const shown = [...((await preview.textContent()) ?? '').matchAll(/Revision (\d+)/g)].map(([, id]) =>
        Number(id),
      )
      assert.deepEqual(shown, [before[2]], 'the newest and the pinned one stay')
      await takePicture(page, 'backup-retention')
      assert.deepEqual(await idsOf(), before, 'looking deletes nothing')
      await button(page, 'Save').click()
      await button(page, 'Run now').click()
      await page.getByText('Everything of the set is backed up.').waitFor(patience)
    })
    // The run has made a newer one, so that the newest of before is not kept either.
    const gone = before.filter((id) => id !== before[1])
    const left = await idsOf()
    assert.deepEqual(
      gone.filter((id) => left.includes(id)),
      [],
    )
    assert.ok(left.includes(before[1] ?? 0), 'the pinned one is there')
    assert.equal(left.length, 2)
  })

  test('every page can be read on a desktop and on a phone, and axe finds nothing, in light and in dark', {
    timeout,
  }, async () => {
    const backups = await Backups.connect(server, 'web-01')
    const [revision] = (await (await backups.call('GET', '/revisions')).json()) as { Id: number }[]
    const [set] = (await (await backups.call('GET', '/backupsets')).json()) as { id: string }[]
    const [restore] = (await (await backups.call('GET', '/restores')).json()) as { id: string }[]
    const at = { account: 'acme', computer: 'web-01' }
    await visitor.lookAt([
      { name: 'backup-computers', route: '/backup/computers', search: '?account=acme', heading: 'Computers' },
      { name: 'backup-accounts', route: '/backup/accounts', heading: 'Backup accounts' },
      { name: 'backup-tasks', route: '/backup/tasks', heading: 'Tasks' },
      { name: 'backup-vault', route: '/backup/vault', heading: 'Vault' },
      {
        name: 'backup-revisions',
        route: '/backup/computers/$account/$computer',
        at,
        heading: 'Backups',
        pressKeys: true,
      },
      {
        name: 'backup-revision',
        route: '/backup/computers/$account/$computer/revisions/$revision',
        at: { ...at, revision: String(revision?.Id) },
        heading: 'linux-data',
      },
      {
        name: 'backup-restore',
        route: '/backup/computers/$account/$computer/restore',
        at,
        heading: 'Restore',
      },
      {
        name: 'backup-progress',
        route: '/backup/computers/$account/$computer/restores/$restore',
        at: { ...at, restore: String(restore?.id) },
        heading: 'Restored',
      },
      { name: 'backup-sets', route: '/backup/computers/$account/$computer/sets', at, heading: 'Backup sets' },
      {
        name: 'backup-set',
        route: '/backup/computers/$account/$computer/sets/$set',
        at: { ...at, set: String(set?.id) },
        heading: 'Backup set nightly',
      },
      {
        name: 'backup-computer-tasks',
        route: '/backup/computers/$account/$computer/tasks',
        at,
        heading: 'Tasks',
      },
      {
        name: 'backup-machines',
        route: '/backup/computers/$account/$computer/machines',
        at,
        heading: 'Machines',
      },
      { name: 'backup-agent', route: '/backup/computers/$account/$computer/agent', at, heading: 'Agent' },
    ])
  })

  test('an account and an API client are made, the client calls with its secret and with the next one, and both are taken away', {
    timeout,
  }, async () => {
    const called = async (clientSecret: string) => {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'reports',
        client_secret: clientSecret,
      })
      const reply = await fetch(`${server.services}/backup/oauth2/token`, { method: 'POST', body })
      return reply.status
    }
    await visitor.visitAsOwner(
      async (page) => {
        const dialog = page.getByRole('dialog')
        const secretShown = async () => {
          await dialog.getByText('This is shown now and never again.').waitFor()
          const secret = (await dialog.locator('code.command').textContent()) ?? ''
          await dialog.getByRole('button', { name: 'I have copied it' }).click()
          return secret
        }
        await go(page, '/backup/accounts')
        await button(page, 'Add an account').click()
        await dialog.getByLabel('Id').fill('acme')
        await dialog.getByRole('button', { name: 'Add an account' }).click()
        await dialog.getByRole('alert').waitFor()
        await dialog.getByLabel('Id').fill('branch')
        await dialog.getByRole('button', { name: 'Add an account' }).click()
        await page.getByRole('link', { name: 'branch', exact: true }).waitFor()

        await button(page, 'Add an API client').click()
        await dialog.getByLabel('Client id').fill('reports')
        await dialog.getByLabel('branch').check()
        await expectReadable(page, 'backup-api-client')
        await dialog.getByRole('button', { name: 'Add an API client' }).click()
        const first = await secretShown()
        assert.equal(await called(first), 200)
        await button(page, 'New secret of reports').click()
        await dialog.getByText('goes on for 24 hours').waitFor()
        await dialog.getByRole('button', { name: 'New secret' }).click()
        const second = await secretShown()
        assert.notEqual(second, first)
        assert.deepEqual([await called(first), await called(second)], [200, 200])
        await button(page, /Delete API client reports/).click()
        await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
        await page.getByRole('cell', { name: 'reports', exact: true }).waitFor({ state: 'detached' })
        assert.deepEqual([await called(first), await called(second)], [401, 401])

        await button(page, /Delete account branch/).click()
        await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
        await button(page, 'Take branch back').click()
        await page.getByRole('link', { name: 'branch', exact: true }).waitFor()
      },
      { allowed: /status of (401|409)/ },
    )
  })

  test('an operator of one account sees that account alone in the console', { timeout }, async () => {
    await visitor.visit(
      async (page) => {
        await go(page, '/backup/computers')
        await page.getByLabel('Username').fill(grace.username)
        await page.locator('input[name=password]').fill(grace.password)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.getByRole('link', { name: 'web-01', exact: true }).waitFor()
        assert.equal(await page.getByLabel('Account').count(), 0, 'there is nothing to choose')
        await go(page, '/backup/computers/other/0001')
        await page.getByText(/could not be found|not found|no such/i).waitFor()
      },
      { allowed: /status of (401|403|404)/ },
    )
  })

  test('an auditor sees everything of backups, and no button that would be refused', {
    timeout,
  }, async () => {
    await visitor.visit(
      async (page) => {
        await go(page, pages)
        await page.getByLabel('Username').fill(auditor.username)
        await page.locator('input[name=password]').fill(auditor.password)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.getByRole('heading', { name: 'linux-data' }).waitFor()
        const backups = await Backups.connect(server, 'web-01')
        const [set] = (await (await backups.call('GET', '/backupsets')).json()) as { id: string }[]
        const [revision] = (await (
          await (await Backups.connect(server, 'web-01')).call('GET', '/revisions')
        ).json()) as {
          Id: number
        }[]
        for (const [path, sight] of [
          [pages, 'linux-data'],
          [`${pages}/revisions/${revision?.Id}`, 'Last proved to start'],
          [`${pages}/sets`, 'Last run'],
          [`${pages}/sets/${set?.id}`, 'What is kept'],
          [`${pages}/restore`, 'You may look at these backups'],
          [`${pages}/tasks`, 'Tasks'],
          ['/backup/tasks?account=acme', 'Tasks'],
          ['/backup/vault?account=acme', 'Vault'],
          [`${pages}/machines`, 'Does it start from its newest backup?'],
          [`${pages}/agent`, 'Last seen'],
          ['/backup/computers?account=acme', 'Last backup of each volume'],
          ['/backup/accounts', 'Each has computers of its own'],
        ] as const) {
          await go(page, path)
          await page.getByText(sight).first().waitFor()
          while ((await page.getByLabel('Loading').count()) > 0) await page.waitForTimeout(20)
          await expectNothingToChange(page)
        }
      },
      { allowed: /status of (401|403)/ },
    )
  })

  test('a damaged revision is shown as such on its time line', { timeout }, async () => {
    const backups = await Backups.connect(server, 'web-01')
    const [revision] = (await (await backups.call('GET', '/revisions')).json()) as { Id: number }[]
    const vault = join(server.dataDirectory, 'vault')
    const packs = readdirSync(vault, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.parentPath.split('/').includes('packs'),
    )
    assert.ok(packs.length > 0)
    for (const { parentPath, name } of packs) rmSync(join(parentPath, name))
    await visitor.visitAsOwner(async (page) => {
      await go(page, `${pages}/revisions/${revision?.Id}`)
      await button(page, 'Verify').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click()
      await page.getByText('The revision was not found whole.').waitFor(patience)
      await page.getByRole('toolbar').getByRole('button', { name: 'damaged' }).waitFor(patience)
      await page
        .getByText(/chunks that were read are damaged/)
        .first()
        .waitFor()
      await takePicture(page, 'backup-damaged')
    })
  })

  test('a computer that was deleted by mistake is taken back, after its losses were told', {
    timeout,
  }, async () => {
    await visitor.visitAsOwner(
      async (page) => {
        await go(page, `${pages}/agent`)
        await button(page, 'Delete the computer').click()
        const dialog = page.getByRole('dialog')
        await dialog
          .getByText(/revision/)
          .first()
          .waitFor()
        assert.doesNotMatch((await dialog.textContent()) ?? '', /\d{4}-\d\d-\d\dT|\d{5,} bytes/)
        await takePicture(page, 'backup-losses')
        await dialog.getByRole('button', { name: 'Delete the computer' }).click()
        await button(page, /Take web-01 .*back/).click()
        await page.getByRole('link', { name: 'web-01', exact: true }).waitFor(patience)
      },
      // Its pages ask for it now and then, also while it goes.
      { allowed: /status of (401|404)/ },
    )
  })

  test('the overview leads to the restore of the one computer whose agent is away', { timeout }, async () => {
    await agent?.kill()
    await visitor.visitAsOwner(async (page) => {
      await page.getByRole('link', { name: 'Get web-01 back' }).click(patience)
      await page.getByRole('heading', { name: 'Restore', level: 1 }).waitFor()
      await page.getByText('The agent of this computer is offline').waitFor()
      await page.getByRole('link', { name: 'start its agent on another machine' }).click()
      await button(page, 'Make an enrolment key').waitFor()
    })
  })
})
