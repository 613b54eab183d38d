import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../testing/eventually.ts'
import { hasTools, run } from '../../testing/tool.ts'
import type { MachineDefinition } from '../machine.ts'
import { machine } from '../testing/conformance.ts'
import { directoryWithMachines, type HostUnderTest } from '../testing/host-under-test.ts'
import { userOfMachine } from './machine-user.ts'
import { findQemuOf } from './processes.ts'
import { QemuHost } from './qemu-host.ts'
import type { QemuSwitch } from './qemu-switch.ts'

/** A host of this machine, where this is root; each of its machines has a user of its own. */
function rootHost(
  t: TestContext,
  switches: readonly QemuSwitch[] = [],
): (HostUnderTest & { readonly driver: QemuHost }) | undefined {
  if (!hasTools(t, 'qemu-system-x86_64')) return undefined
  if (process.getuid?.() !== 0) {
    t.skip('only root can run machines as other users')
    return undefined
  }
  const driverIn = (path: string) =>
    new QemuHost({ machinesPath: join(path, 'machines'), accelerator: 'tcg', switches })
  const { directory, driver } = directoryWithMachines(t, driverIn)
  return { directory, driver, again: () => driverIn(directory), switchId: switches[0]?.id ?? '' }
}

/** What the kernel says of a process. */
function statusOf(pid: number | undefined): ReadonlyMap<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n')
  return new Map(lines.map((line) => [line.split(':')[0] ?? '', line.split(':')[1]?.trim() ?? '']))
}

test('plain QEMU: each machine has a user of its own, no rights and no other programs, and its disks stay those of root', {
  timeout: 120_000,
}, async (t) => {
  const host = rootHost(t)
  if (host === undefined) return
  const users = new Set<string>()
  for (const firmware of ['bios', 'uefi'] as const) {
    const definition: MachineDefinition = { ...machine(host), firmware, name: firmware }
    await host.driver.define(definition)
    await host.driver.start(definition.id)
    const [pid] = await findQemuOf(definition.id)
    const status = statusOf(pid)
    const uid = userOfMachine(definition.id, undefined)?.uid
    assert.ok(uid !== undefined && uid >= 0x7000_0000)
    assert.equal(status.get('Uid'), [uid, uid, uid, uid].join('\t'))
    assert.equal(status.get('Groups'), '')
    for (const name of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) assert.match(status.get(name) ?? '', /^0+$/)
    assert.deepEqual([status.get('NoNewPrivs'), status.get('Seccomp')], ['1', '2'])
    users.add(status.get('Uid') ?? '')
    const folder = join(host.directory, 'machines', definition.id)
    for (const { path } of definition.disks) assert.equal(statSync(path).uid, 0)
    for (const name of readdirSync(folder)) {
      const { uid: owner, mode } = statSync(join(folder, name))
      assert.deepEqual([owner, mode & 0o077], [name === 'run' ? uid : 0, 0], name)
    }
    assert.equal(await host.driver.state(definition.id), 'running')
    assert.ok((await host.driver.screen(definition.id))?.png.length)
  }
  assert.equal(users.size, 2)
})

test('plain QEMU: machines run as the user that the owner of the computer names', {
  timeout: 60_000,
}, async (t) => {
  const host = rootHost(t)
  if (host === undefined) return
  for (const [machineUser, expected] of [
    [{ uid: 65_533, gid: 65_533 }, 65_533],
    [{ uid: 0, gid: 0 }, 0],
  ] as const) {
    const machinesPath = join(host.directory, `machines-${expected}`)
    const driver = new QemuHost({ machinesPath, accelerator: 'tcg', machineUser })
    const definition = machine(host)
    await driver.define(definition)
    await driver.start(definition.id)
    t.after(() => driver.remove(definition.id, { disks: false }))
    const [pid] = await findQemuOf(definition.id)
    assert.equal(statusOf(pid).get('Uid')?.split('\t')[0], String(expected))
    assert.equal(statusOf(pid).get('Seccomp'), '2')
    await driver.remove(definition.id, { disks: false })
  }
})

/**
 * What somebody can do who has broken out of a machine: a program with its user, in the machine's own folder.
 *
 * @param script for Node; `target` is what it is to get at
 */
async function breakOut(t: TestContext, folder: string, id: string, script: string, target: string) {
  const user = userOfMachine(id, undefined)
  // In a folder that it may enter: it finds the machine's folder as QEMU does, by where it was started.
  const program: ChildProcess = spawn(process.execPath, ['-e', script, target, id], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...user,
  })
  t.after(() => program.kill('SIGKILL'))
  assert.ok(program.stdout)
  await once(program.stdout, 'data')
}

/** Puts a link to the target in the place of its own socket. */
const swapSocket = `
  require('fs').rmSync('run/qmp')
  require('fs').symlinkSync(process.argv[1], 'run/qmp')
  console.log('done')
`

test('plain QEMU: a machine that puts a link to the socket of another in the place of its own moves that one to nothing', {
  timeout: 60_000,
}, async (t) => {
  const host = rootHost(t)
  if (host === undefined) return
  const [first, second] = [
    { ...machine(host), name: 'first' },
    { ...machine(host), name: 'second' },
  ]
  for (const definition of [first, second]) {
    await host.driver.define(definition)
    await host.driver.start(definition.id)
  }
  const folderOf = ({ id }: { id: string }) => join(host.directory, 'machines', id)
  await breakOut(t, folderOf(first), first.id, swapSocket, join(folderOf(second), 'run', 'qmp'))
  assert.equal(await host.driver.screen(first.id), undefined)
  await host.driver.stop(first.id, 1)
  assert.equal(await host.driver.state(second.id), 'running')
  assert.deepEqual(await findQemuOf(first.id), [])
})

/** Speaks as QEMU would, and puts a link to the target, or a pipe, in the place of the picture that it is to write. */
const lyingScreen = (put: string) => `
  const fs = require('fs')
  fs.rmSync('run/qmp')
  require('net').createServer((socket) => {
    const say = (value) => socket.write(JSON.stringify(value) + '\\n')
    say({ QMP: {} })
    socket.on('data', (data) => {
      for (const line of data.toString().trim().split('\\n')) {
        const { execute } = JSON.parse(line)
        if (execute === 'screendump') { fs.rmSync('run/screen.png', { force: true }); ${put} }
        say({ return: execute === 'query-uuid' ? { UUID: process.argv[2] } : {} })
      }
    })
  }).listen('run/qmp', () => console.log('done'))
`

for (const [what, put] of [
  ['a link', "fs.symlinkSync(process.argv[1], 'run/screen.png')"],
  ['a pipe', "require('child_process').execFileSync('mkfifo', ['run/screen.png'])"],
  ['a folder', "fs.mkdirSync('run/screen.png')"],
] as const) {
  test(`plain QEMU: ${what} in the place of a picture shows nothing of this computer, and holds nothing up`, {
    timeout: 60_000,
  }, async (t) => {
    const host = rootHost(t)
    if (host === undefined) return
    const secret = mkdtempSync(join(tmpdir(), 'palisade-secret-'))
    t.after(() => rmSync(secret, { recursive: true }))
    const target = join(secret, 'key')
    writeFileSync(target, 'x'.repeat(100), { mode: 0o600 })
    const definition = machine(host)
    await host.driver.define(definition)
    await host.driver.start(definition.id)
    const folder = join(host.directory, 'machines', definition.id)
    await breakOut(t, folder, definition.id, lyingScreen(put), target)
    assert.equal(await host.driver.screen(definition.id), undefined)
  })
}

test('plain QEMU: a machine is in the bridge of its switch while it runs, without a helper', {
  timeout: 60_000,
}, async (t) => {
  if (!hasTools(t, 'ip')) return
  const bridge = `plt${process.pid}`
  const network = { kind: 'bridge', bridge } as const
  const host = rootHost(t, [{ id: '7c1c3a0e-6a53-4f0d-8a3b-2f6c1f0f9a11', name: 'test', network }])
  if (host === undefined) return
  try {
    run('ip', 'link', 'add', bridge, 'type', 'bridge')
  } catch (error) {
    t.skip(`there can be no bridge here: ${error}`)
    return
  }
  t.after(() => run('ip', 'link', 'delete', bridge))
  const members = () => run('ip', '-o', 'link', 'show', 'master', bridge).trim()
  const definition = { ...machine(host), switchId: host.switchId }
  await host.driver.define(definition)
  await host.driver.start(definition.id)
  assert.match(members(), /palisade\d+: .*UP/)
  const [pid] = await findQemuOf(definition.id)
  assert.equal(statusOf(pid).get('Seccomp'), '2')
  await host.driver.stop(definition.id, 0)
  await eventually('the end of the network device', () => members() === '')
})
