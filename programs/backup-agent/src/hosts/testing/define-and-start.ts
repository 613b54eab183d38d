/**
 * A program that makes and removes machines until it is killed: `define-and-start.ts DRIVER OPTIONS DISK`, where DRIVER is
 * `qemu` or `libvirt`, and OPTIONS are the driver's, in JSON. It says "at work" when it begins.
 */
import { randomUUID } from 'node:crypto'
import type { HostDriver } from '../host-driver.ts'
import { LibvirtHost } from '../libvirt/libvirt-host.ts'
import { QemuHost } from '../qemu/qemu-host.ts'

const [kind = '', options = '{}', path = ''] = process.argv.slice(2)
const driver: HostDriver =
  kind === 'qemu' ? new QemuHost(JSON.parse(options)) : new LibvirtHost(JSON.parse(options))
process.stdout.write('at work\n')
for (;;) {
  const id = randomUUID()
  const disks = [{ path, format: 'raw' }] as const
  await driver.define({ id, name: id, firmware: 'uefi', cores: 1, memoryMebibytes: 64, disks })
  await driver.start(id)
  await driver.remove(id, { disks: false })
}
