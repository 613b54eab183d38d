import assert from 'node:assert/strict'
import { readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { run } from '../../testing/tool.ts'
import { machine, testHostConformance } from '../testing/conformance.ts'
import { testGuestConformance } from '../testing/guest-conformance.ts'
import { directoryWithMachines } from '../testing/host-under-test.ts'
import { type HostToKillOn, testKilledDrivers } from '../testing/kill.ts'
import { type PrivateLibvirt, startPrivateLibvirt } from '../testing/private-libvirt.ts'
import { LibvirtHost } from './libvirt-host.ts'

let daemon: PrivateLibvirt | undefined
after(async () => await daemon?.stop())

async function libvirt(t: TestContext): Promise<HostToKillOn | undefined> {
  daemon ??= await startPrivateLibvirt(t)
  if (daemon === undefined) return undefined
  const { uri, switchId } = daemon
  const optionsIn = (directory: string) => ({
    uri,
    machinesPath: join(directory, 'machines'),
    type: 'qemu' as const,
  })
  const { directory, driver } = directoryWithMachines(t, (path) => new LibvirtHost(optionsIn(path)))
  const options = optionsIn(directory)
  return { kind: 'libvirt', options, driver, again: () => new LibvirtHost(options), directory, switchId }
}

testHostConformance('libvirt', libvirt)
testGuestConformance('libvirt', libvirt)
testKilledDrivers('libvirt', libvirt)

test('libvirt: machines of others are neither listed nor touched, but their names are taken', async (t) => {
  const host = await libvirt(t)
  if (host === undefined || daemon === undefined) return
  const definition = machine(host)
  const xml = `<domain type='qemu'><name>theirs</name><uuid>${definition.id}</uuid><memory unit='MiB'>64</memory>
    <os><type arch='x86_64'>hvm</type></os></domain>`
  run('sh', '-c', 'printf %s "$2" | virsh -q -c "$1" define /dev/stdin', 'sh', daemon.uri, xml)
  const { uri } = daemon
  t.after(() => run('virsh', '-q', '-c', uri, 'undefine', definition.id))
  assert.deepEqual(await host.driver.list(), [])
  assert.deepEqual(await host.driver.find('theirs'), { name: 'theirs' })
  await host.driver.remove(definition.id, { disks: true })
  assert.match(run('virsh', '-q', '-c', uri, 'list', '--all', '--name'), /theirs/)
})

test('libvirt: it confines the QEMU of a machine, whatever disks that has', async (t) => {
  for (const format of ['raw', 'vhdx'] as const) {
    const host = await libvirt(t)
    if (host === undefined) return
    const path = join(host.directory, `confined.${format}`)
    run('qemu-img', 'create', '-q', '-f', format, path, '4M')
    const definition = { ...machine(host), disks: [{ path, format }] }
    await host.driver.define(definition)
    await host.driver.start(definition.id)
    const pids = run('sh', '-c', 'grep -lF -- "$1" /proc/[0-9]*/cmdline || true', 'sh', definition.id)
    const statuses = pids
      .split('\n')
      .filter((name) => name.includes('/proc/') && !name.includes('self'))
      .map((name) => dirname(name))
      .filter((folder) => readlinkIfThere(join(folder, 'exe'))?.includes('qemu-system'))
      .map((folder) => readFileSync(join(folder, 'status'), 'utf8'))
    assert.equal(statuses.length, 1)
    assert.match(statuses[0] ?? '', /^Seccomp:\t2$/m)
    await host.driver.remove(definition.id, { disks: true })
  }
})

function readlinkIfThere(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    // The process has ended meanwhile.
    return undefined
  }
}

test('libvirt: says so when nobody answers', async () => {
  const absent = new LibvirtHost({ uri: 'qemu:///system?socket=/nowhere/libvirt-sock' })
  assert.deepEqual(
    (await absent.unsupportedReasons()).map(({ code }) => code),
    ['host-unreachable'],
  )
})
