import assert from 'node:assert/strict'
import { createCipheriv, createHash } from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { keepCopy, makeExt4, range, tool } from './support/backup/images.ts'
import { startS3 } from './support/backup/s3.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

const mebibyte = 2 ** 20
const skip = notInstalled('/usr/bin/qemu-img', '/usr/sbin/mke2fs')

describe('a server whose vault is in S3-compatible storage', { skip }, () => {
  const home = newFolder()
  const image = join(home, 'linux.img')
  let s3: Awaited<ReturnType<typeof startS3>>
  let server: Server
  let configuration: object
  let revision = 0
  before(async () => {
    s3 = await startS3()
    const passphraseFile = join(home, 'passphrase')
    writeFileSync(passphraseFile, 'a horse, a battery\n', { mode: 0o600 })
    const vault = { s3: s3.bucket, passphraseFile }
    configuration = { ...provisioned, log: { level: 'trace' }, backup: { ...provisioned.backup, vault } }
    makeExt4(image, 64)
    keepCopy(image)
    server = await Server.start(home, configuration)
  })
  after(async () => {
    await server.program.stop()
    await s3.stop()
  })

  const restored = async (backups: Backups, folder: string) => {
    const file = await backups.restore(revision, join(home, folder))
    assert.match(tool('qemu-img', 'check', '-f', 'vhdx', file), /No errors were found/)
    const original = `${image}.original`
    const compared = tool(
      ...(['qemu-img', 'compare'] as const),
      range('raw', original, 0, 64 * mebibyte),
      range('vhdx', file, mebibyte, 64 * mebibyte),
    )
    assert.match(compared, /Images are identical/)
  }

  function noiseImage(seed: string, mebibytes: number): string {
    const file = join(home, `${seed}.img`)
    const cipher = createCipheriv('aes-128-ctr', createHash('md5').update(seed).digest(), Buffer.alloc(16))
    writeFileSync(file, cipher.update(Buffer.alloc(mebibytes * mebibyte)))
    return file
  }

  function assertSame(file: string, seed: string): void {
    const original = join(home, `${seed}.img`)
    const { size } = statSync(original)
    assert.match(
      tool('qemu-img', 'compare', range('raw', original, 0, size), range('vhdx', file, mebibyte, size)),
      /Images are identical/,
    )
  }

  async function revisions(backups: Backups): Promise<number[]> {
    const reply = await backups.call('GET', '/revisions')
    return ((await reply.json()) as { Id: number }[]).map(({ Id }) => Id)
  }

  test('takes a backup and gives it back, and keeps nothing of it in its data directory', async () => {
    const agent = await Agent.start(server, home)
    const backups = await Backups.connect(server)
    revision = await backups.backUp(image)
    await restored(backups, 'first')
    await agent.program.stop()
    assert.equal(existsSync(join(home, 'data', 'vault')), false)
    assert.equal(existsSync(join(home, 'data', 'vault.key')), false)
    assert.match(server.program.output, /whoever loses its key or passphrase loses every backup/)
  })

  test('has the backup after it was killed and started again', async () => {
    await server.program.stop('SIGKILL')
    server = await Server.start(home, configuration)
    const agent = await Agent.start(server, home)
    const backups = await Backups.connect(server)
    await backups.untilOnline()
    await restored(backups, 'second')
    await agent.program.stop()
  })

  test('keeps and gives back every byte while one request in twenty fails, and while all are late', async () => {
    const agent = await Agent.start(server, home)
    const backups = await Backups.connect(server)
    await s3.disturb({ delayMs: 50, failEvery: 20 })
    const revision = await backups.backUp(noiseImage('first', 24))
    assertSame(await backups.restore(revision, join(home, 'failing')), 'first')
    await s3.disturb({ delayMs: 500 })
    assertSame(await backups.restore(revision, join(home, 'late')), 'first')
    const { failures } = await s3.disturb({})
    assert.ok(failures > 0)
    await agent.program.stop()
  })

  test('goes on with a backup and a restore when the storage was away meanwhile, and lists nothing half', async () => {
    const agent = await Agent.start(server, home)
    const backups = await Backups.connect(server)
    await s3.disturb({ delayMs: 100 })
    const backup = await backups.startBackup(noiseImage('second', 96))
    await away('backups', backup)
    const before = await revisions(backups)
    const { state, revisionId, error } = await backups.ended('backups', backup)
    assert.equal(state, 'SUCCESS', JSON.stringify(error))
    assert.deepEqual(
      (await revisions(backups)).filter((id) => !before.includes(id)),
      [revisionId],
    )
    await s3.disturb({ delayMs: 100 })
    const restore = await backups.startRestore([revisionId ?? 0], join(home, 'away'))
    await away('restores', restore)
    const ended = await backups.ended('restores', restore)
    assert.equal(ended.state, 'SUCCESS', JSON.stringify(ended.error))
    assertSame(ended.files?.[0] ?? '', 'second')
    await agent.program.stop()

    /** Takes the storage away in the middle of a task, and brings it back when the server has said that something failed. */
    async function away(kind: 'backups' | 'restores', id: string): Promise<void> {
      await eventually('the middle of the task', async () => {
        return (await backups.task(kind, id)).bytesDone > 0 || undefined
      })
      const said = server.program.output.length
      await s3.disturb({ away: 'refusing' })
      try {
        await eventually('the log of the failure', async () => {
          const log = server.program.output.slice(said)
          return /the vault could not do what an agent needs|could not be read/.test(log) || undefined
        })
      } finally {
        await s3.disturb({})
      }
    }
  })

  test('shows neither the passphrase nor the credentials of the storage', () => {
    for (const secret of ['a horse, a battery', s3.bucket.secretAccessKey]) {
      assert.equal(server.program.output.includes(secret), false)
    }
  })

  test('keeps others out of the vault while it runs, and lets the operator in when it does not', async () => {
    const check = () =>
      new Program(['vault', 'check', '--read-data', '--config', join(home, 'palisade.json')])
    const refused = check()
    assert.equal((await refused.ended()).status, 1)
    assert.match(refused.output, /backup\.vault\.s3: s3:.* is in use/)
    assert.match(refused.output, /Stop the server first/)
    await server.program.stop()
    const checking = check()
    assert.equal((await checking.ended()).status, 0, checking.output)
    assert.match(checking.output, /0 findings about 1 computers/)
  })

  test('does not start with a storage that says it is empty, another passphrase, a bucket that is not there, or credentials cut in half', async () => {
    const passphraseFile = join(home, 'other')
    writeFileSync(passphraseFile, 'another one\n', { mode: 0o600 })
    await s3.disturb({ hidden: { names: '', from: 'both' } })
    const empty = new Program(['serve', '--config', join(home, 'palisade.json')])
    assert.equal((await empty.ended()).status, 1, empty.output)
    assert.match(empty.output, /says that it is empty, and it had vault [0-9a-f-]{36} when/)
    await s3.disturb({})
    const cases: [object, RegExp][] = [
      [
        { s3: s3.bucket, passphraseFile },
        /backup\.vault\.passphraseFile: the key is not a key of this vault/,
      ],
      [{ s3: { ...s3.bucket, bucket: 'nowhere' } }, /backup\.vault\.s3: .*NoSuchBucket/],
      [{ s3: { ...s3.bucket, secretAccessKey: undefined } }, /backup\.vault\.s3\.secretAccessKey is missing/],
    ]
    for (const [vault, message] of cases) {
      const file = join(home, 'wrong.json')
      const backup = { ...provisioned.backup, vault }
      writeFileSync(file, JSON.stringify({ ...provisioned, dataDirectory: join(home, 'data'), backup }))
      const program = new Program(['serve', '--config', file])
      assert.equal((await program.ended()).status, 1, program.output)
      assert.match(program.output, message)
      assert.doesNotMatch(program.output, /\n\s+at /, 'no stack trace')
    }
  })
})
