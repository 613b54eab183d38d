import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { HostFailure } from './failure.ts'
import { hostsOf } from './flags.ts'
import { Hosts } from './hosts.ts'
import { HyperVHost } from './hyper-v/hyper-v-host.ts'
import { LibvirtHost } from './libvirt/libvirt-host.ts'
import { QemuHost } from './qemu/qemu-host.ts'

test('hosts are named by their machine or by the operator, and the first one is that of the machine', async () => {
  const hosts = hostsOf({
    host: ['qemu:/machines', 'lab=libvirt:qemu:///session', 'other=libvirt:', 'win=hyper-v'],
    switch: ['bridge:br0', 'multicast:239.1.2.3:5000'],
  })
  const local = hosts.find({})
  assert.deepEqual([local.name, local.driver instanceof QemuHost], [hostname(), true])
  assert.equal(hosts.find({ hostName: hostname() }).driver, local.driver)
  assert.ok(hosts.find({ hostName: 'LAB' }).driver instanceof LibvirtHost)
  assert.ok(hosts.find({ hostName: 'other' }).driver instanceof LibvirtHost)
  assert.ok(hosts.find({ hostName: 'win' }).driver instanceof HyperVHost)
  const switches = await local.driver.virtualSwitches()
  assert.deepEqual(
    switches.map(({ name }) => name),
    ['bridge:br0', 'multicast:239.1.2.3:5000'],
  )
  const again = await hostsOf({ host: ['qemu:/m'], switch: ['bridge:br0'] })
    .find({})
    .driver.virtualSwitches()
  assert.equal(again[0]?.id, switches[0]?.id, 'the same switch has the same id at every start')
  assert.match(switches[0]?.id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a wrong host or switch is named', () => {
  for (const host of ['qemu', 'qemu:relative', 'xen:/x', '', 'hyper-v:x', 'a=b=qemu:/x']) {
    assert.throws(() => hostsOf({ host: [host] }), /--host must be qemu:DIR/, host)
  }
  for (const network of ['br0', 'bridge:', 'bridge:a b', 'multicast:10.0.0.1:5', 'multicast:239.1.2.3:0']) {
    assert.throws(() => hostsOf({ switch: [network] }), /--switch must be bridge:NAME/, network)
  }
  assert.throws(
    () => hostsOf({ host: ['qemu:/x'], 'machine-user': 'nobody-here' }),
    /--machine-user: there is no user/,
  )
  assert.throws(() => hostsOf({ host: ['qemu:/x', 'libvirt:'] }), /name them with --host NAME=/)
})

test('on Windows Hyper-V needs not be named, and others are reached by the names of their machines', () => {
  const windows = new Hosts([], 'win32')
  assert.equal(windows.find({}).name, hostname())
  assert.ok(windows.find({}).driver instanceof HyperVHost)
  assert.equal(windows.find({ hostName: 'hv02' }).name, 'hv02')
  assert.throws(() => new Hosts([], 'linux').find({}), HostFailure)
  assert.throws(() => new Hosts([], 'linux').find({ hostName: 'hv02' }), /no hypervisor called hv02/)
})
