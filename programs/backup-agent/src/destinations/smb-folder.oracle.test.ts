import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '@palisade/agent-protocol'
import { parseSharePath } from '../shares/share-path.ts'
import { type Credentials, CredentialsSeal } from '../state/credentials-seal.ts'
import { watchProcesses } from '../testing/agent/process-watch.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { patchRevision } from '../testing/revisions/patch-revision.ts'
import { judgeRestoredDisk } from '../testing/revisions/restored-disk.ts'
import { SambaServer } from '../testing/samba/samba-server.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { hasTools } from '../testing/tool.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'
import { SmbFolder } from './smb-folder.ts'

const mebibyte = 1024 * 1024
const imageSizeBytes = 64 * mebibyte

interface Bench {
  readonly samba: SambaServer
  readonly agent: TestAgent
  /** What the revision was made of. */
  readonly image: string
  readonly revision: number
  restore(what: RestoreWish): Promise<Outcome>
}

interface RestoreWish {
  readonly id?: string
  readonly path: string
  /** Those of the server's user unless given; null for none. */
  readonly credentials?: Credentials | null
  readonly format?: 'Vhd' | 'Vhdx'
  readonly revisions?: readonly number[]
}

/** A Samba server, an agent that has backed up an image, and restores to shares; undefined, skipped, without Samba. */
async function setUp(t: TestContext, options: { sizeBytes?: number } = {}): Promise<Bench | undefined> {
  if (!hasTools(t, 'qemu-img')) return undefined
  const samba = await SambaServer.start(t)
  if (samba === undefined) return undefined
  const agent = await TestAgent.start(t, { sharePort: samba.port })
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, options.sizeBytes ?? imageSizeBytes)
  const revision = await agent.server.backUp('b1', { path: image })
  const restore = ({ id = 'r1', path, credentials, format = 'Vhdx', revisions = [revision] }: RestoreWish) =>
    agent.server.restore(
      id,
      path,
      format,
      revisions,
      'disk',
      credentials === undefined ? samba.credentials : (credentials ?? undefined),
    )
  return { samba, agent, image, revision, restore }
}

function filesOf(outcome: Outcome): readonly string[] {
  return outcome.state === 'SUCCESS' ? (outcome.files ?? []) : assert.fail(JSON.stringify(outcome))
}

function failureOf(outcome: Outcome): { code: string; message: string } {
  return outcome.state === 'ERROR' ? outcome : assert.fail(JSON.stringify(outcome))
}

/** Everything that is below a folder, hidden files too. */
function everythingIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
}

for (const format of ['Vhdx', 'Vhd'] as const) {
  test(`a ${format} on a share is what others read and what was backed up`, async (t) => {
    const bench = await setUp(t)
    if (bench === undefined) return
    const { samba, image } = bench
    const path = '\\\\127.0.0.1\\data\\a;b\\wüst (2)'
    const extension = format.toLowerCase()
    assert.deepEqual(filesOf(await bench.restore({ path, format })), [`${path}\\disk.${extension}`])
    const folder = join(samba.folderOf('data'), 'a;b', 'wüst (2)')
    assert.deepEqual(everythingIn(folder), [`disk.${extension}`])
    judgeRestoredDisk(join(folder, `disk.${extension}`), image)
  })
}

test('every spelling of a path leads to the folder, and no name is given twice', async (t) => {
  const bench = await setUp(t, { sizeBytes: 6 * mebibyte })
  if (bench === undefined) return
  const { samba, image } = bench
  const folder = join(samba.folderOf('data'), 'x')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  writeFileSync(join(folder, 'disk.vhdx'), 'somebody else')
  const spellings = [
    '\\\\127.0.0.1\\data\\x',
    '//127.0.0.1/data/x/',
    'smb://127.0.0.1/data/./x',
    'SMB://127.0.0.1/DATA/y/../x',
  ]
  for (const [index, path] of spellings.entries()) {
    const [file = ''] = filesOf(await bench.restore({ id: `r${index}`, path }))
    assert.match(file, new RegExp(`^\\\\\\\\127.0.0.1\\\\data\\\\x\\\\disk-${index + 2}\\.vhdx$`, 'i'))
    judgeRestoredDisk(join(folder, `disk-${index + 2}.vhdx`), image)
  }
  assert.equal(readFileSync(join(folder, 'disk.vhdx'), 'utf8'), 'somebody else')
  assert.equal(everythingIn(folder).length, spellings.length + 1)
})

test('several volumes are restored together', async (t) => {
  const bench = await setUp(t, { sizeBytes: 24 * mebibyte })
  if (bench === undefined) return
  const { samba, agent, image, revision } = bench
  const other = join(agent.directory, 'other.raw')
  writeVolumeImage(other, 10 * mebibyte + 512)
  const second = await agent.server.backUp('b2', { path: other })
  const revisions = [revision, second, revision]
  const names = filesOf(await bench.restore({ path: '//127.0.0.1/data', revisions, format: 'Vhd' }))
  assert.deepEqual(
    names.map((name) => name.split('\\').at(-1)),
    ['disk.vhd', 'disk-2.vhd', 'disk-3.vhd'],
  )
  const folder = samba.folderOf('data')
  assert.deepEqual(everythingIn(folder), ['disk-2.vhd', 'disk-3.vhd', 'disk.vhd'])
  judgeRestoredDisk(join(folder, 'disk.vhd'), image)
  judgeRestoredDisk(join(folder, 'disk-2.vhd'), other)
  judgeRestoredDisk(join(folder, 'disk-3.vhd'), image)
})

test('a share that is open to anybody takes disks without credentials', async (t) => {
  const bench = await setUp(t, { sizeBytes: 6 * mebibyte })
  if (bench === undefined) return
  const { samba, image } = bench
  filesOf(await bench.restore({ path: '\\\\127.0.0.1\\open\\new', credentials: null }))
  judgeRestoredDisk(join(samba.folderOf('open'), 'new', 'disk.vhdx'), image)
})

test('says in the words of the specification what is wrong with a share, and leaves nothing there', async (t) => {
  const bench = await setUp(t, { sizeBytes: mebibyte })
  if (bench === undefined) return
  const { samba, agent } = bench
  writeFileSync(join(samba.folderOf('data'), 'file'), '')
  mkdirSync(join(samba.folderOf('readonly'), 'there'))
  mkdirSync(join(samba.folderOf('data'), 'roots'), { mode: 0o755 })
  const before = ['data', 'readonly'].map((share) => everythingIn(samba.folderOf(share)))
  const { username, password } = samba.credentials
  const cases: [what: string, wanted: RestoreWish, code: string][] = [
    ['an unknown host', { path: '\\\\no-such-host.invalid\\data' }, 'NetworkShareInaccessible'],
    ['a share that is missing', { path: '\\\\127.0.0.1\\missing\\x' }, 'NetworkPathNotFound'],
    ['a folder below a file', { path: '\\\\127.0.0.1\\data\\file\\x' }, 'NetworkPathNotFound'],
    ['a file instead of a folder', { path: '\\\\127.0.0.1\\data\\file' }, 'NetworkPathNotFound'],
    ['a way out of the share', { path: '\\\\127.0.0.1\\data\\..\\x' }, 'NetworkPathNotFound'],
    ['a server without a share', { path: '\\\\127.0.0.1' }, 'NetworkPathNotFound'],
    ['a name that no folder has', { path: '//127.0.0.1/data/"; rm *' }, 'NetworkPathNotFound'],
    [
      'a wrong password',
      { path: '\\\\127.0.0.1\\data', credentials: { username, password: 'wrong' } },
      'NetworkShareInvalidAuth',
    ],
    [
      'an unknown user',
      { path: '\\\\127.0.0.1\\data', credentials: { username: 'nobody-of-that-name', password } },
      'NetworkShareInvalidAuth',
    ],
    [
      'an empty password',
      { path: '\\\\127.0.0.1\\data', credentials: { username, password: '' } },
      'NetworkShareInvalidAuth',
    ],
    [
      'a password that is too long for the client',
      { path: '\\\\127.0.0.1\\data', credentials: { username, password: 'x'.repeat(128) } },
      'NetworkShareInvalidAuth',
    ],
    [
      'a user whose name carries a password of its own',
      { path: '\\\\127.0.0.1\\data', credentials: { username: `${username}%x`, password } },
      'NetworkShareInvalidAuth',
    ],
    ['no credentials', { path: '\\\\127.0.0.1\\data', credentials: null }, 'NetworkShareInvalidAuth'],
    ['a share for others', { path: '\\\\127.0.0.1\\closed' }, 'NetworkShareNoWritePermissions'],
    ['a read-only share', { path: '\\\\127.0.0.1\\readonly' }, 'NetworkShareNoWritePermissions'],
    [
      'a folder of a read-only share',
      { path: '\\\\127.0.0.1\\readonly\\there' },
      'NetworkShareNoWritePermissions',
    ],
    [
      'a folder to be made on a read-only share',
      { path: '\\\\127.0.0.1\\readonly\\a\\b' },
      'NetworkShareNoWritePermissions',
    ],
    ["somebody else's folder", { path: '\\\\127.0.0.1\\data\\roots' }, 'NetworkShareNoWritePermissions'],
  ]
  let ran = 0
  for (const [what, path, code] of cases) {
    if (what.startsWith('somebody') && process.getuid?.() !== 0) continue
    const failure = failureOf(await bench.restore({ id: `r${ran}`, ...path }))
    assert.equal(failure.code, `BackupSetActions_${code}`, `${what}: ${failure.message}`)
    ran++
  }
  assert.ok(ran > 15)
  await samba.stop()
  const stopped = failureOf(await bench.restore({ id: 'stopped', path: '\\\\127.0.0.1\\data' }))
  assert.equal(stopped.code, 'BackupSetActions_NetworkShareInaccessible')
  assert.deepEqual(
    ['data', 'readonly'].map((share) => everythingIn(samba.folderOf(share))),
    before,
  )
  assert.ok(!agent.log.join('').includes(JSON.stringify(samba.password).slice(1, -1)))
})

test('knows the size of a file of more than 4 GiB', async (t) => {
  const samba = await SambaServer.start(t)
  if (samba === undefined) return
  const sizeBytes = 5 * 1024 * mebibyte + 512
  writeFileSync(join(samba.folderOf('data'), 'large (1).vhd'), '', { mode: 0o666 })
  truncateSync(join(samba.folderOf('data'), 'large (1).vhd'), sizeBytes)
  const folder = folderOn(t, samba)
  assert.equal(await folder.sizeOf(folder.pathOf('large (1).vhd')), sizeBytes)
  assert.equal(await folder.sizeOf(folder.pathOf('missing')), undefined)
})

test('has patience with a file that the server does not let go of at once', async (t) => {
  const samba = await SambaServer.start(t)
  if (samba === undefined) return
  if (process.getuid?.() !== 0) return t.skip('the folder belongs to the user of the share')
  const [folder, data] = [folderOn(t, samba), samba.folderOf('data')]
  writeFileSync(join(data, '.left.partial'), '')
  chmodSync(data, 0o555)
  sleep(6000).then(() => chmodSync(data, 0o777))
  await folder.removePartial(folder.pathOf('.left.partial'))
  assert.deepEqual(everythingIn(data), [])
})

/** A folder on the share `data`, apart from any restore. */
function folderOn(t: TestContext, { port, credentials }: SambaServer): SmbFolder {
  const seal = new CredentialsSeal('x')
  const settings = { platform: process.platform, port, workDirectory: temporaryDirectory(t), seal }
  return new SmbFolder(parseSharePath('//127.0.0.1/data'), credentials, settings)
}

test('says so when Samba’s client is not installed', async (t) => {
  const bench = await setUp(t, { sizeBytes: mebibyte })
  if (bench === undefined) return
  const path = process.env.PATH
  t.after(() => {
    process.env.PATH = path
  })
  process.env.PATH = '/nowhere'
  const failure = failureOf(await bench.restore({ path: '\\\\127.0.0.1\\data' }))
  assert.equal(failure.code, 'BackupSetActions_NetworkShareInaccessible', failure.message)
  assert.match(failure.message, /smbclient is not installed/)
})

test('a share without room is refused before anything is written', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  bench.samba.reportFreeBytes(2 * mebibyte)
  const failure = failureOf(await bench.restore({ path: '\\\\127.0.0.1\\data' }))
  assert.deepEqual([failure.code, everythingIn(bench.samba.folderOf('data'))], ['NotEnoughSpace', []])
})

test('a share that is full in the middle ends the restore, and nothing is left', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba } = bench
  const folder = samba.folderOf('data')
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=0777', 'tmpfs', folder])
  if (mounted.status !== 0) return t.skip('a small file system cannot be mounted here')
  try {
    samba.reportFreeBytes(1024 * mebibyte)
    const failure = failureOf(await bench.restore({ path: '\\\\127.0.0.1\\data' }))
    assert.deepEqual([failure.code, everythingIn(folder)], ['NotEnoughSpace', []], failure.message)
  } finally {
    spawnSync('umount', ['--lazy', folder])
  }
})

/** Does something when so many requests for chunks have been made, before the next is answered. */
function afterRequests({ agent }: Bench, count: number, action: () => Promise<void>): void {
  let requestCount = 0
  agent.server.interfere = async (request) => {
    if (request.url?.includes('?from=') && ++requestCount === count) await action()
    return false
  }
}

test('a server that is gone in the middle ends the restore; what it left is removed when it comes back soon', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba } = bench
  let left: readonly string[] = []
  afterRequests(bench, 6, async () => {
    await samba.stop()
    left = everythingIn(samba.folderOf('data'))
    sleep(1200).then(() => samba.resume())
  })
  const failure = failureOf(await bench.restore({ path: '\\\\127.0.0.1\\data' }))
  assert.equal(failure.code, 'BackupSetActions_NetworkShareInaccessible', failure.message)
  assert.deepEqual(left, ['.palisade-r1-1.partial'])
  assert.deepEqual(everythingIn(samba.folderOf('data')), [])
})

test('a server that stays away keeps an unfinished file, which the failure names', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba } = bench
  afterRequests(bench, 6, () => samba.stop())
  const failure = failureOf(await bench.restore({ path: '\\\\127.0.0.1\\data' }))
  assert.equal(failure.code, 'BackupSetActions_NetworkShareInaccessible', failure.message)
  assert.match(
    failure.message,
    /may be left and cannot be removed: \\\\127\.0\.0\.1\\data\\\.palisade-r1-1\.partial$/,
  )
  assert.deepEqual(everythingIn(samba.folderOf('data')), ['.palisade-r1-1.partial'])
})

test('a cancelled restore leaves nothing on the share', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba, agent } = bench
  afterRequests(bench, 6, async () => {
    agent.server.say({ type: 'cancel', task: 'restore', id: 'r1' })
    await sleep(100)
  })
  assert.deepEqual(await bench.restore({ path: '\\\\127.0.0.1\\data' }), { state: 'CANCELED' })
  assert.deepEqual(everythingIn(samba.folderOf('data')), [])
})

for (const [which, at] of [
  ['first', 0],
  ['last', -1],
] as const) {
  test(`data that is damaged in the vault, the ${which} of all, never becomes a disk on a share`, async (t) => {
    const bench = await setUp(t, { sizeBytes: 24 * mebibyte })
    if (bench === undefined) return
    const { samba, agent } = bench
    const [id, sealed] = [...agent.server.chunks].at(at) ?? assert.fail()
    const damaged = Buffer.from(sealed)
    damaged[100] = (damaged[100] ?? 0) ^ 1
    agent.server.chunks.set(id, damaged)
    assert.equal(failureOf(await bench.restore({ path: '\\\\127.0.0.1\\data' })).code, 'DataDamaged')
    assert.deepEqual(everythingIn(samba.folderOf('data')), [])
  })
}

test('a revision of patches becomes a disk on a share, unless a base is damaged', async (t) => {
  const bench = await setUp(t, { sizeBytes: 24 * mebibyte })
  if (bench === undefined) return
  const { samba, agent, image, revision } = bench
  const [{ base } = assert.fail()] = patchRevision(agent.server, revision)
  const path = '\\\\127.0.0.1\\data'
  const disk = join(samba.folderOf('data'), 'disk.vhdx')
  assert.equal(filesOf(await bench.restore({ path })).length, 1)
  judgeRestoredDisk(disk, image)
  rmSync(disk)
  const sealed = agent.server.chunks.get(base.toString('hex')) ?? assert.fail()
  sealed[100] = (sealed[100] ?? 0) ^ 1
  assert.equal(failureOf(await bench.restore({ id: 'r2', path })).code, 'DataDamaged')
  assert.deepEqual(everythingIn(samba.folderOf('data')), [])
})

test('a disk that changes on the share before it is read back does not get its name', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba, agent } = bench
  const partial = join(samba.folderOf('data'), '.palisade-r1-1.partial')
  const outcome = bench.restore({ path: '\\\\127.0.0.1\\data' })
  // The client that reads it back has yet to be started when this is seen.
  while (!agent.log.some((line) => line.includes('"step":"finishing"'))) await setImmediate()
  const file = openSync(partial, 'r+')
  const lastByte = fstatSync(file).size - 1
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, lastByte)
  writeSync(file, Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, lastByte)
  closeSync(file)
  const failure = failureOf(await outcome)
  assert.deepEqual([failure.code, everythingIn(samba.folderOf('data'))], ['VerificationFailed', []])
})

test('no password is in any process, file or log while a restore runs, nor kept afterwards', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba, agent } = bench
  const watch = watchProcesses([samba.password])
  let journal = ''
  afterRequests(bench, 6, async () => {
    for (const name of everythingIn(agent.stateDirectory)) {
      const path = join(agent.stateDirectory, name)
      if (statSync(path).isFile()) journal += readFileSync(path, 'latin1')
    }
    await sleep(300)
  })
  filesOf(await bench.restore({ path: '\\\\127.0.0.1\\data' }))
  const names = await watch.stop()
  assert.ok(
    names.commands.some((command) => command.includes('put -')),
    'the client was seen at its work',
  )
  assert.ok(names.commands.some((command) => command.includes('get ')))
  assert.deepEqual(names.found, [])
  const clients = names.commands.filter((command) => command.startsWith('smbclient '))
  assert.ok(clients.length > 0 && !clients.some((command) => command.includes(samba.username)))
  assert.match(journal, /"sealedCredentials"/)
  const password = Buffer.from(samba.password).toString('latin1')
  const asJson = JSON.stringify(samba.password).slice(1, -1)
  assert.ok(!journal.includes(password) && !journal.includes(asJson))
  await agent.stop()
  for (const name of everythingIn(agent.stateDirectory)) {
    const path = join(agent.stateDirectory, name)
    if (!statSync(path).isFile()) continue
    const content = readFileSync(path, 'latin1')
    assert.ok(!content.includes(password) && !content.includes('sealedCredentials'), name)
  }
  assert.ok(agent.log.length > 0 && !agent.log.join('').includes(asJson))
})
