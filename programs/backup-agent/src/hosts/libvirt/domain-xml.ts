/**
 * A machine as libvirt's domain XML (https://libvirt.org/formatdomain.html), with the same hardware as with plain QEMU. Our
 * definition travels with it as metadata, which is the tag by which a machine is known to be ours:
 *
 *     <metadata><palisade:machine xmlns:palisade="urn:palisade:machine:1">base64 of JSON</palisade:machine></metadata>
 *
 * libvirt has no name for VHDX: `<driver type='vhdx'>` is refused ("unknown driver format value"), and an overlay over a
 * VHDX is opened with a raw backing file, without a word. Disks of such a machine are therefore handed to QEMU itself,
 * through `<qemu:commandline>`. libvirt then neither lists nor labels them: QEMU's user, and AppArmor or SELinux where they
 * confine it, must let it open the files as they are.
 */

import { isRecord } from '../../json.ts'
import { macOf } from '../mac-address.ts'
import type { MachineDefinition } from '../machine.ts'
import { diskParameters } from '../qemu/command-line.ts'

/** The XML namespace of our definition in a domain's metadata, and the name by which `virsh metadata` gives it. */
export const metadataUri = 'urn:palisade:machine:1'
const qemuUri = 'http://libvirt.org/schemas/domain/qemu/1.0'

/** What a domain needs beside the definition of the machine. */
export interface DomainParts {
  /** `kvm`, or `qemu` for software emulation. */
  readonly type: 'kvm' | 'qemu'
  /** libvirt's name of the network that is the machine's switch. */
  readonly network: string | undefined
  /** Where the serial line is recorded, if it is. */
  readonly serialPath: string
}

type Attributes = Readonly<Record<string, string | number>>

/** The XML that `virsh define` takes. The domain carries the definition; {@link definitionIn} reads it back. */
export function domainXml(definition: MachineDefinition, parts: DomainParts): string {
  const { id, name, firmware, cores, memoryMebibytes } = definition
  const topology = element('topology', { sockets: 1, dies: 1, cores, threads: 1 })
  const cpu = parts.type === 'kvm' ? { mode: 'host-passthrough' } : { mode: 'maximum' }
  return element(
    'domain',
    { type: parts.type, 'xmlns:qemu': qemuUri },
    element('name', {}, escaped(name)),
    element('uuid', {}, id),
    element('metadata', {}, metadata(definition)),
    element('memory', { unit: 'MiB' }, String(memoryMebibytes)),
    element('vcpu', {}, String(cores)),
    operatingSystem(firmware),
    element('features', {}, element('acpi', {}), element('apic', {})),
    element('cpu', cpu, topology),
    // A guest that fell over stays as it is, to be looked at.
    element('on_poweroff', {}, 'destroy'),
    element('on_reboot', {}, 'restart'),
    element('on_crash', {}, 'preserve'),
    devices(definition, parts),
    ...passedThrough(definition),
  )
}

/** The definition that a domain carries; undefined for what is not ours. */
export function definitionIn(metadataXml: string): MachineDefinition | undefined {
  const text = /<(?:\w+:)?machine\b[^>]*>([A-Za-z0-9+/=]+)</.exec(metadataXml)?.[1]
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  if (!isRecord(value) || value.version !== 1) throw new Error('the machine was defined by another version')
  return value.definition as MachineDefinition
}

function metadata(definition: MachineDefinition): string {
  const text = Buffer.from(JSON.stringify({ version: 1, definition })).toString('base64')
  return element('palisade:machine', { 'xmlns:palisade': metadataUri }, text)
}

function operatingSystem(firmware: MachineDefinition['firmware']): string {
  if (firmware === 'bios') return element('os', {}, element('type', { arch: 'x86_64', machine: 'pc' }, 'hvm'))
  // libvirt chooses the firmware's files, and gives the machine a variable store of its own when it starts.
  const noSecureBoot = element('feature', { enabled: 'no', name: 'secure-boot' })
  return element(
    'os',
    { firmware: 'efi' },
    element('type', { arch: 'x86_64', machine: 'q35' }, 'hvm'),
    element('firmware', {}, noSecureBoot),
  )
}

function devices(definition: MachineDefinition, { network, serialPath }: DomainParts): string {
  const { id, recordSerial = false } = definition
  const serial = recordSerial
    ? element('serial', { type: 'file' }, element('source', { path: serialPath, append: 'off' }))
    : element('serial', { type: 'null' })
  return element(
    'devices',
    {},
    ...(isPassedThrough(definition) ? [] : disks(definition)),
    ...(network === undefined ? [] : [networkCard(id, network)]),
    serial,
    element('video', {}, element('model', { type: 'vga' })),
    element('memballoon', { model: 'none' }),
  )
}

function disks({ firmware, disks }: MachineDefinition): string[] {
  return disks.map(({ path, format }, index) => {
    const place =
      firmware === 'bios' ? { bus: Math.floor(index / 2), unit: index % 2 } : { bus: 0, unit: index }
    return element(
      'disk',
      { type: 'file', device: 'disk' },
      element('driver', { name: 'qemu', type: format === 'vhd' ? 'vpc' : format }),
      element('source', { file: path }),
      element('target', {
        dev: `${firmware === 'bios' ? 'hd' : 'sd'}${'abcdef'[index]}`,
        bus: firmware === 'bios' ? 'ide' : 'sata',
      }),
      element('boot', { order: index + 1 }),
      element('address', { type: 'drive', controller: 0, target: 0, ...place }),
    )
  })
}

function isPassedThrough({ disks }: MachineDefinition): boolean {
  return disks.some(({ format }) => format === 'vhdx')
}

function passedThrough(definition: MachineDefinition): string[] {
  if (!isPassedThrough(definition)) return []
  const parameters = definition.disks.flatMap((disk, index) =>
    diskParameters(disk, index, definition.firmware),
  )
  return [element('qemu:commandline', {}, ...parameters.map((value) => element('qemu:arg', { value })))]
}

function networkCard(id: string, network: string): string {
  return element(
    'interface',
    { type: 'network' },
    element('mac', { address: macOf(id) }),
    element('source', { network }),
    element('model', { type: 'e1000' }),
  )
}

function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const attributeTexts = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(String(value))}"`,
  )
  return `<${name}${attributeTexts.join('')}>${content.join('')}</${name}>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
