import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeExt4 } from './support/backup/images.ts'
import { Administration } from './support/programs/administration.ts'
import { eventually } from './support/programs/calls.ts'
import { Program, palisade } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'
import { Terminal } from './support/programs/terminal.ts'

after(cleanUp)

const computer = ['--account', 'customer', '--computer', 'files02']

describe('backups on the command line, as an operator', () => {
  const folder = newFolder()
  const image = join(folder, 'linux.img')
  let server: Server
  let token: string
  let agent: ChildProcess | undefined
  before(async () => {
    // Nothing is provisioned: the command line makes all of it.
    server = await Server.start(newFolder(), { ...provisioned, backup: {} })
    const administration = await Administration.connect(server)
    const reply = await administration.call('POST', '/operators/admin/tokens', {
      name: 'laptop',
      grants: [{ role: 'operator' }],
      lifetimeDays: 1,
    })
    token = Object(await reply.json()).token
    makeExt4(image, 48)
  })
  after(async () => {
    if (agent !== undefined && agent.exitCode === null) {
      agent.kill()
      await once(agent, 'exit')
    }
    await server.remove()
  })

  const run = async (...argv: string[]) => {
    const program = new Program(['backup', ...argv], {
      PALISADE_SERVER: server.services,
      PALISADE_TOKEN: token,
    })
    const { status } = await program.ended()
    return { status, output: program.output }
  }
  const succeed = async (...argv: string[]) => {
    const { status, output } = await run(...argv)
    assert.equal(status, 0, `${argv.join(' ')}\n${output}`)
    return output
  }
  const read = async (...argv: string[]) =>
    JSON.parse(await succeed(...argv, ...computer, '--output', 'json'))

  test('enrol adds account and computer, and prints the one command that starts the agent there', async () => {
    const reply = await succeed('enrol', ...computer, '--name', 'the second')
    const command = await succeed('enrol', ...computer, '--quiet')
    assert.match(reply, /--account customer --computer files02 --key-file enrolment\.key/)
    assert.equal(command.split('\n').length, 1)
    agent = spawn(
      'sh',
      [
        '-ec',
        `${command.replace(' palisade agent', ` exec ${process.execPath} ${palisade} agent`)} --include '${folder}/*' --restore-to '${folder}'`,
      ],
      { cwd: folder, stdio: 'ignore' },
    )
    await eventually('the agent connects', async () => (await read('computers', 'show')).online || undefined)
    assert.equal((await read('computers', 'show')).name, 'the second')
    assert.equal(await succeed('computers', '--account', 'customer', '--quiet'), 'files02')
  })

  test('a set is made, changed, run and listed; a partition and a path are written in one word', async () => {
    assert.match(
      await succeed(
        'sets',
        'create',
        'nightly',
        ...computer,
        '--volume',
        image,
        '--at',
        '22:30',
        '--days',
        'Mon',
        'thu',
        '--keep-last',
        '5',
      ),
      /^Set [0-9a-f-]{36} is made\.$/,
    )
    const [set] = await read('sets')
    assert.deepEqual(set.selection, [{ path: image }])
    assert.deepEqual(set.schedule, [{ type: 'weekly', days: ['Monday', 'Thursday'], hour: 22, minute: 30 }])
    await succeed(
      'sets',
      'change',
      'nightly',
      ...computer,
      '--work-days',
      '--at',
      '3:05',
      '--keep-last',
      '2',
      '--exclude',
      `${folder}/other.img#2`,
    )
    const changed = await read('sets', 'show', set.id)
    assert.deepEqual(changed.schedule, [{ type: 'daily', hour: 3, minute: 5, workDaysOnly: true }])
    assert.deepEqual(changed.settings, { retention: { keepLast: 2 } })
    assert.deepEqual(changed.exclusions, [{ path: `${folder}/other.img`, partition: 2 }])
    await succeed('sets', 'disable', 'nightly', ...computer)
    assert.equal((await read('sets', 'show', 'nightly')).enabled, false)
    for (let times = 0; times < 2; times++) {
      assert.match(
        await succeed('sets', 'run', 'nightly', ...computer),
        /^Everything of nightly is backed up\.$/,
      )
    }
    assert.equal((await read('backups')).length, 2)
    assert.match(await succeed('history', '--account', 'customer'), /BACKUP.*files02.*nightly.*SUCCESS/)
  })

  test('usage tells that what is equal is stored once', async () => {
    const [ofComputer] = await read('usage')
    assert.equal(ofComputer.computer, 'files02')
    assert.equal(ofComputer.revisions, 2)
    assert.ok(ofComputer.storedBytes > 0, 'something is stored')
    assert.ok(ofComputer.chunkBytes < 2 * 48 * 2 ** 20, 'two of an image are not twice as much')
    const [ofAccount] = JSON.parse(await succeed('usage', '--account', 'customer', '--output', 'json'))
    assert.deepEqual(ofAccount, ofComputer)
    assert.match(await succeed('usage', '--account', 'customer'), /files02.* \d+ %/)
  })

  test('retention is tried before it counts, and deletes nothing by that', async () => {
    const revisions = (await read('revisions')).map(({ Id }: { Id: number }) => Id)
    const [newest, oldest] = revisions
    assert.deepEqual(await read('sets', 'retention', 'nightly'), { kept: [oldest, newest], deleted: [] })
    assert.deepEqual(await read('sets', 'retention', 'nightly', '--keep-last', '1'), {
      kept: [newest],
      deleted: [oldest],
    })
    assert.equal(
      await succeed('sets', 'retention', 'nightly', ...computer, '--keep-last', '1', '--quiet'),
      String(oldest),
    )
    assert.equal((await read('revisions')).length, 2)
    await succeed('sets', 'change', 'nightly', ...computer, '--keep-last', '1')
    await succeed('sets', 'run', 'nightly', ...computer)
    const left = (await read('revisions')).map(({ Id }: { Id: number }) => Id)
    assert.equal(left.length, 1)
    assert.ok(!revisions.includes(left[0]))
  })

  test('a revision that is pinned is shown so, and deleted when it is unpinned; the audit log says who pinned it', async () => {
    const [{ Id: id }] = await read('revisions')
    assert.equal(await succeed('revisions', 'pin', String(id), ...computer), `Revision ${id} is pinned.`)
    assert.match(await succeed('revisions', ...computer), /^REVISION +STATE +PINNED .*\n\d+ +\S.* +yes /i)
    const unasked = await run('revisions', 'delete', String(id), ...computer)
    assert.match(unasked.output, /There is no terminal to ask at: give --yes\./)
    const refused = await run('revisions', 'delete', String(id), '--yes', ...computer)
    assert.notEqual(refused.status, 0)
    assert.match(refused.output, /This revision is pinned: unpin it before you delete it\./)
    const administration = await Administration.connect(server)
    const entries = await (await administration.call('GET', '/audit?action=pinRevision')).json()
    assert.deepEqual(
      Object(entries).items.map(({ actor, target }: Record<string, unknown>) => [actor, target]),
      [['admin/laptop', `/backup/v2/accounts/customer/computers/files02/revisions/${id}/pin`]],
    )
    assert.equal(
      await succeed('revisions', 'unpin', String(id), ...computer),
      `Revision ${id} is not pinned.`,
    )
    assert.equal((await read('revisions', 'show', String(id))).Pinned, false)
  })

  test('a revision is shown, verified, restored and deleted', async () => {
    const [{ Id: id }] = await read('revisions')
    assert.equal(await succeed('verify', String(id), ...computer), `Revision ${id} is whole.`)
    assert.equal((await read('revisions', 'show', String(id))).Verification.State, 'SUCCESS')
    const to = join(folder, 'restored')
    const restoreId = await succeed('restore', ...computer, '--revision', String(id), '--to', to, '--quiet')
    const restore = await read('restores', 'show', restoreId)
    assert.equal(restore.state, 'SUCCESS')
    assert.ok(existsSync(restore.files[0]), restore.files[0])
    assert.match(await succeed('restores', 'follow', restoreId, ...computer), /100 %/)
    const cancelled = await run('restores', 'cancel', restoreId, ...computer)
    assert.notEqual(cancelled.status, 0, 'it has ended')
    await succeed('revisions', 'delete', String(id), '--yes', ...computer)
    assert.deepEqual(await read('revisions'), [])
    const words = ['backup', 'sets', 'delete', 'nightly', ...computer]
    const terminal = new Terminal(`${process.execPath} ${palisade} ${words.join(' ')}`, {
      PALISADE_SERVER: server.services,
      PALISADE_TOKEN: token,
    })
    await terminal.answer(/Delete set nightly\? Nothing is backed up by it any more;.* \[y\/N\] /, 'n')
    assert.equal(await terminal.ended(), 1, terminal.screen)
    assert.equal((await read('sets')).length, 1)
    await succeed('sets', 'delete', 'nightly', ...computer)
    assert.deepEqual(await read('sets'), [])
  })

  test('accounts, computers and API clients are added, changed, deleted and taken back', async () => {
    const json = async (...argv: string[]) => JSON.parse(await succeed(...argv, '--output', 'json'))
    const at = ['--account', 'second']
    const ids = async (...argv: string[]) => (await json(...argv)).map(({ id }: { id: string }) => id)
    await succeed('accounts', 'create', 'id=second')
    const { enrolmentKey } = await json('computers', 'create', 'id=web-01', 'name=web', ...at)
    assert.ok(enrolmentKey, 'the key is shown')
    const renewed = await json('computers', 'enrolment-key', 'web-01', ...at)
    assert.notEqual(renewed.enrolmentKey, enrolmentKey)
    assert.equal((await json('computers', 'set', 'web-01', 'name=website', ...at)).name, 'website')
    assert.equal((await json('computers', 'show', '--computer', 'web-01', ...at)).name, 'website')
    assert.equal(
      await succeed('computers', 'delete', 'web-01', '--yes', ...at),
      'web-01 is deleted. "palisade backup computers undelete web-01 --account second" takes it back for a while.',
    )
    assert.deepEqual(await ids('computers', ...at), [])
    assert.deepEqual(await ids('computers', 'list', '--deleted', ...at), ['web-01'])
    await succeed('computers', 'undelete', 'web-01', ...at)
    assert.deepEqual(await ids('computers', ...at), ['web-01'])
    assert.deepEqual(await ids('computers', 'list', '--deleted', ...at), [])
    const scopes = 'scopes=accounts_read,computers_read'
    const { clientSecret } = await json('api-clients', 'create', 'clientId=watch', 'accounts=second', scopes)
    const another = await json('api-clients', 'secret', 'watch', 'overlapHours=0')
    assert.notEqual(another.clientSecret, clientSecret)
    const asClient = new Program(['backup', 'computers', ...at, '--client-id', 'watch', '--quiet'], {
      PALISADE_SERVER: server.services,
      PALISADE_CLIENT_SECRET: another.clientSecret,
    })
    assert.equal((await asClient.ended()).status, 0, asClient.output)
    assert.equal(asClient.output, 'web-01')
    assert.equal(await succeed('api-clients', 'delete', 'watch', '--yes'), 'watch is deleted.')
    await succeed('accounts', 'delete', 'second', '--yes')
    assert.deepEqual(await ids('accounts', 'list', '--deleted', 'true'), ['second'])
    await succeed('accounts', 'undelete', 'second')
    assert.deepEqual(await ids('computers', ...at), ['web-01'])
  })

  test('what makes no sense is said in a sentence', async () => {
    for (const [words, expected] of [
      [['sets', 'show', 'nothing'], /^There is no backup set nothing; there are none\.$/],
      [['sets', 'create', 'x', '--days', 'Mon'], /^Say at what time, too: --at\.$/],
      [['sets', 'create', 'x', '--every', '2', '--at', '1:00'], /^Say one of --every, --at and --manual\.$/],
      [['sets', 'create', 'x', '--keep-daily', '2'], /^Say --keep-last too/],
      [['run', '--source', image, '--partition', '1'], /unknown option '--partition'/],
      [['hosts', 'register', '--username', 'x'], /^Give both of --username and --password-file/],
    ] as const) {
      const { status, output } = await run(...words, ...computer)
      assert.notEqual(status, 0, output)
      assert.match(output.split('\n')[0] ?? '', expected)
    }
  })
})
