import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { makeExt4, range, tool } from './support/backup/images.ts'
import { Agent } from './support/programs/agent.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'
import { root } from './support/repository/root.ts'

after(cleanUp)

const mebibyte = 2 ** 20
const skip = notInstalled(
  '/usr/bin/qemu-img',
  '/usr/sbin/mke2fs',
  '/usr/lib/python3/dist-packages/cryptography',
  '/usr/lib/python3/dist-packages/zstandard',
)

describe('a computer whose backups are sealed with a key of its own', { skip }, () => {
  const home = newFolder()
  const image = join(home, 'linux.img')
  const keyFile = join(home, 'own.key')
  const sealing = ['--whole-volumes', '--end-to-end-key-file', keyFile]
  let server: Server
  let agent: Agent
  let backups: Backups
  let revision = 0
  before(async () => {
    makeExt4(image, 48)
    server = await Server.start(home)
    agent = await Agent.start(server, home, sealing)
    backups = await Backups.connect(server)
    revision = await backups.backUp(image)
  })
  after(async () => {
    await agent.program.stop()
    await server.program.stop()
  })

  const show = async (path: string) =>
    (await (await backups.call('GET', path)).json()) as Record<string, unknown>
  /** Has the reader that shares no code with us read the revision from the vault's own files. */
  const readByOthers = (...more: string[]) =>
    spawnSync(
      '/usr/bin/python3',
      [
        join(root, 'docs', 'formats', 'read-vault.py'),
        join(home, 'data', 'vault'),
        ...['--key-file', join(home, 'data', 'vault.key'), '--trust', ...more],
        ...['read', 'acme/0001', String(revision)],
      ],
      { maxBuffer: 2 ** 30 },
    )

  test('is shown as such, and so is the revision', async () => {
    const [computer, sealed] = [await show(''), await show(`/revisions/${revision}`)]
    assert.equal(computer.endToEnd, true)
    assert.match(String(computer.endToEndKeyCheck), /^[0-9a-f]{32}$/)
    assert.deepEqual([sealed.EndToEnd, sealed.EndToEndKeyCheck], [true, computer.endToEndKeyCheck])
    assert.match(agent.program.output, /every backup of this computer is lost for good/)
  })

  test("cannot be read with the server's own key, by a reader of others, but with the computer's", () => {
    const refused = readByOthers()
    assert.notEqual(refused.status, 0)
    assert.match(String(refused.stderr), /sealed end to end/)
    const read = readByOthers('--end-to-end-key-file', keyFile)
    assert.equal(read.status, 0, String(read.stderr))
    assert.ok(read.stdout.equals(readFileSync(image)))
  })

  test('restores as a disk that others read', async () => {
    const file = await backups.restore(revision, join(home, 'restored'))
    assert.match(tool('qemu-img', 'check', '-f', 'vhdx', file), /No errors were found/)
    const compared = tool(
      ...(['qemu-img', 'compare'] as const),
      range('raw', image, 0, 48 * mebibyte),
      range('vhdx', file, mebibyte, 48 * mebibyte),
    )
    assert.match(compared, /Images are identical/)
  })

  test('is not started without the key once it has used it', async () => {
    await agent.program.stop()
    const without = new Program([
      ...['agent', '--server', `${server.services}/backup`, '--account', 'acme', '--computer', '0001'],
      ...['--state', join(home, 'agent-state')],
    ])
    assert.equal((await without.ended()).status, 1)
    assert.match(without.output, /name its file with --end-to-end-key-file/)
  })

  test('restores nothing and backs nothing up on a new machine without the key, and everything with it', async () => {
    rmSync(join(home, 'agent-state'), { recursive: true })
    agent = await Agent.start(server, home)
    await backups.untilOnline()
    const target = join(home, 'without')
    const restore = await backups.ended('restores', await backups.startRestore([revision], target))
    assert.deepEqual([restore.state, restore.error?.code], ['ERROR', 'EndToEndKeyMissing'])
    assert.equal(existsSync(target), false)
    const backup = await backups.ended('backups', await backups.startBackup(image))
    assert.deepEqual([backup.state, backup.error?.code], ['ERROR', 'EndToEndKeyMissing'])
    await agent.program.stop()

    const copy = join(home, 'copy.key')
    copyFileSync(keyFile, copy)
    agent = await Agent.start(server, home, ['--whole-volumes', '--end-to-end-key-file', copy])
    await backups.untilOnline()
    assert.ok(existsSync(await backups.restore(revision, join(home, 'again'))))
  })

  test('has its key in nothing that the server or the agent keeps or says', () => {
    const key = readFileSync(keyFile)
    const files = ['data', 'agent-state'].flatMap((folder) => contentOfFiles(join(home, folder)))
    assert.ok(files.length > 5)
    const contents = [...files, Buffer.from(server.program.output + agent.program.output)]
    for (const form of [key, key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
      assert.equal(
        contents.some((content) => content.includes(form)),
        false,
      )
    }
  })
})

/** What all files below a folder hold. Its owner goes on working: a file that is gone has kept nothing. */
function contentOfFiles(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    try {
      return statSync(join(folder, name)).isFile() ? [readFileSync(join(folder, name))] : []
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  })
}
