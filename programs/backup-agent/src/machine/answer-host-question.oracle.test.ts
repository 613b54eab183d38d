import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { HostAnswer, HostQuestion } from '@palisade/agent-protocol'
import { Hosts } from '../hosts/hosts.ts'
import { QemuHost } from '../hosts/qemu/qemu-host.ts'
import { SimulatedHost } from '../hosts/simulated/simulated-host.ts'
import type { SimulatedLimits } from '../hosts/simulated/simulated-hypervisor.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { SambaServer } from '../testing/samba/samba-server.ts'
import { hasTools, run } from '../testing/tool.ts'
import { attachLoop, whileMounted } from '../testing/volumes/mount.ts'
import type { FolderFacts } from './folder-facts.ts'

/** An agent with a simulated host and one of QEMU, both real to it, and questions to it over a real link. */
async function setUp(
  t: TestContext,
  more: { limits?: Partial<SimulatedLimits>; facts?: FolderFacts; sharePort?: number } = {},
) {
  const simulated = new SimulatedHost(more.limits)
  const machinesPath = `/tmp/palisade-${process.pid}-${Math.random().toString(36).slice(2, 8)}`
  const { facts, sharePort } = more
  const agent = await TestAgent.start(t, {
    hosts: new Hosts([
      { name: 'simulated', driver: simulated.driver() },
      { name: 'qemu', driver: new QemuHost({ machinesPath }) },
      { name: 'nowhere', driver: new QemuHost({ machinesPath: '/proc/version/machines' }) },
      { name: 'missing', driver: new QemuHost({ machinesPath, program: 'palisade-no-such-program' }) },
    ]),
    ...(sharePort === undefined ? {} : { sharePort }),
    ...(facts === undefined ? {} : { factsOf: async () => facts }),
  })
  const ask = (question: HostQuestion) => agent.server.askHost(question)
  return { agent, simulated, ask, machinesPath }
}

/** The codes of what stands against something. */
function codesOf(answer: HostAnswer): string[] {
  return answer.kind === 'checked'
    ? answer.obstacles.map(({ code }) => code)
    : assert.fail(JSON.stringify(answer))
}

test('a host is described as its driver finds it', async (t) => {
  if (!hasTools(t, 'qemu-system-x86_64')) return
  const { ask, machinesPath } = await setUp(t)
  const local = await ask({ about: 'host', host: {} })
  assert.ok(local.kind === 'described')
  assert.deepEqual([local.host.hostName, local.host.unsupported], ['simulated', []])
  assert.equal(local.host.offer?.virtualDisksPath, '/simulated/disks')
  const qemu = await ask({ about: 'host', host: { hostName: 'QEMU' } })
  assert.ok(qemu.kind === 'described')
  const { offer } = qemu.host
  assert.equal(offer?.hypervisor.name, 'QEMU')
  assert.deepEqual(offer?.diskFormats, ['vhd', 'vhdx', 'raw'])
  assert.equal(offer?.virtualDisksPath, join(machinesPath, 'disks'))
  assert.ok(!existsSync(machinesPath), 'asking makes nothing')
})

test('a host that cannot be used is described by why', async (t) => {
  const { ask } = await setUp(t)
  for (const [hostName, code] of [
    ['missing', 'hypervisor-missing'],
    ['nowhere', 'path-unusable'],
  ] as const) {
    const answer = await ask({ about: 'host', host: { hostName } })
    assert.ok(answer.kind === 'described')
    assert.equal(answer.host.unsupported[0]?.code, code)
    assert.equal(answer.host.offer, undefined)
  }
  const unknown = await ask({ about: 'host', host: { hostName: 'elsewhere' } })
  assert.ok(unknown.kind === 'failed')
  assert.deepEqual(unknown.obstacle.code, 'host-unreachable')
  assert.match(unknown.obstacle.message, /no hypervisor called elsewhere; start it with --host/)
})

test('a folder is made with its parents, and nothing stays in it', async (t) => {
  const { agent, ask } = await setUp(t)
  const path = join(agent.target, 'deep', 'folder')
  assert.deepEqual(codesOf(await ask({ about: 'path', folder: { path } })), [])
  assert.deepEqual(codesOf(await ask({ about: 'agent', folder: { path } })), [])
  assert.deepEqual(codesOf(await ask({ about: 'network', folder: { path }, diskFormat: 'Vhd' })), [])
  assert.deepEqual(codesOf(await ask({ about: 'permissions', folder: { path }, host: {} })), [])
  assert.deepEqual(readdirSync(path), [])
})

test('a folder that cannot be made: CreateFolderFailed', async (t) => {
  const { agent, ask } = await setUp(t)
  const file = join(agent.directory, 'file')
  writeFileSync(file, '')
  for (const path of [join(file, 'folder'), file, '/proc/folder', 'C:\\folder', '/sys/kernel']) {
    assert.deepEqual(codesOf(await ask({ about: 'path', folder: { path } })), ['CreateFolderFailed'], path)
  }
})

test('a folder that is not there, or not for this agent', async (t) => {
  const { agent, ask } = await setUp(t)
  for (const path of [agent.target, '/sys/kernel']) {
    assert.deepEqual(codesOf(await ask({ about: 'agent', folder: { path } })), ['no-access'], path)
  }
  assert.ok(!existsSync(agent.target))
})

test('shares: every code of the destination table', { timeout: 120_000 }, async (t) => {
  const samba = await SambaServer.start(t)
  if (samba === undefined) return
  const { ask } = await setUp(t, { sharePort: samba.port })
  const { credentials } = samba
  const codes = async (path: string, who = credentials) =>
    codesOf(await ask({ about: 'path', folder: { path, credentials: who } }))
  assert.deepEqual(await codes('\\\\127.0.0.1\\data\\machines'), [])
  assert.deepEqual(readdirSync(join(samba.folderOf('data'), 'machines')), [])
  assert.deepEqual(await codes('\\\\127.0.0.1\\readonly'), [
    'BackupSetActions_NetworkShareNoWritePermissions',
  ])
  assert.deepEqual(await codes('\\\\127.0.0.1\\nothing'), ['BackupSetActions_NetworkPathNotFound'])
  assert.deepEqual(await codes('\\\\127.0.0.1\\data', { ...credentials, password: 'wrong' }), [
    'BackupSetActions_NetworkShareInvalidAuth',
  ])
  const folder = { path: '\\\\127.0.0.1\\data\\machines', credentials }
  assert.deepEqual(codesOf(await ask({ about: 'agent', folder })), [])
  assert.deepEqual(codesOf(await ask({ about: 'network', folder, diskFormat: 'Vhd' })), [])
  const onQemu = { about: 'permissions', folder, host: { hostName: 'qemu' } } as const
  assert.deepEqual(codesOf(await ask(onQemu)), ['no-access'], 'QEMU does not get at shares')
  assert.deepEqual(readdirSync(join(samba.folderOf('data'), 'machines')), [])
  await samba.stop()
  assert.deepEqual(await codes('\\\\127.0.0.1\\data'), ['BackupSetActions_NetworkShareInaccessible'])
})

test('a drive with sectors of 4096 bytes takes no VHD', async (t) => {
  if (!hasTools(t, 'losetup', 'mke2fs')) return
  const { agent, ask } = await setUp(t)
  const image = join(agent.directory, 'large-sectors.raw')
  run('truncate', '--size=16M', image)
  const device = attachLoop(t, image, '--sector-size', '4096')
  if (device === undefined) return
  run('mke2fs', '-q', '-t', 'ext4', device)
  await whileMounted(t, device, ['mount'], async (folder) => {
    const path = join(folder, 'machines')
    mkdirSync(path)
    const codes = async (diskFormat: 'Vhd' | 'Vhdx') =>
      codesOf(await ask({ about: 'network', folder: { path }, diskFormat }))
    assert.deepEqual(await codes('Vhd'), ['sector-size'])
    assert.deepEqual(await codes('Vhdx'), [])
    assert.deepEqual(readdirSync(path), [])
  })
})

test('file systems that leave out zeros or are FAT take no disks of machines', async (t) => {
  const { agent, ask } = await setUp(t, {
    facts: { isFat: true, leavesOutZeros: true, sectorSizeBytes: 512 },
  })
  const folder = { path: agent.directory }
  for (const diskFormat of ['Vhd', 'Vhdx'] as const) {
    assert.deepEqual(codesOf(await ask({ about: 'network', folder, diskFormat })), ['sparse', 'fat'])
  }
})

test('what a host may and may not do in a folder', async (t) => {
  const { agent, ask } = await setUp(t)
  const folder = { path: agent.directory }
  const codes = async (hostName: string) =>
    codesOf(await ask({ about: 'permissions', folder, host: { hostName } }))
  assert.deepEqual(await codes('nowhere'), ['machines-path'])
  const closed = await setUp(t, { limits: { unusableFolders: [agent.directory] } })
  const question = { about: 'permissions', folder, host: {} } as const
  assert.deepEqual(codesOf(await closed.ask(question)), ['no-access'])
  const failing = await setUp(t, { limits: { failure: { code: 'timed-out', afterMs: 1 } } })
  assert.deepEqual(codesOf(await failing.ask(question)), ['unknown'])
  assert.deepEqual(
    readdirSync(agent.directory).filter((name) => name.includes('probe')),
    [],
  )
})

test('tells when another machine has the name already', async (t) => {
  const { simulated, ask } = await setUp(t)
  simulated.foreignNames.add('files01')
  const codes = async (name: string) => codesOf(await ask({ about: 'name', name, host: {} }))
  assert.deepEqual(await codes('files01'), ['taken'])
  assert.deepEqual(await codes('files02'), [])
})
