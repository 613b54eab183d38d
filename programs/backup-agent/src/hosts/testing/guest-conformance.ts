import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Firmware, MachineDefinition, MachineDisk, MachineDiskFormat } from '../machine.ts'
import { type BootImages, bootImages, stamp } from './boot-images.ts'
import { heard, hears, startsUp } from './guest-words.ts'
import type { CreateHost, HostUnderTest } from './host-under-test.ts'

const timeout = 480_000
/** What the kernel and the firmware keep of the memory for themselves, at most. */
const memoryTakenMebibytes = 80

/** Real guests on a host that runs them: they say over their serial line what they were given. */
export function testGuestConformance(kind: string, create: CreateHost): void {
  const fact = (title: string, check: (host: HostUnderTest, images: BootImages) => Promise<void>) =>
    test(`${kind}: ${title}`, { timeout }, async (t) => {
      const images = bootImages(t)
      if (images === undefined) return
      const host = await create(t)
      if (host !== undefined) await check(host, images)
    })

  for (const [firmware, format] of [
    ['bios', 'vhd'],
    ['uefi', 'vhdx'],
  ] as const) {
    fact(
      `a ${firmware} machine starts from ${format}, is what was defined, and is alone`,
      async (host, images) => {
        const disks = [
          bootDisk(host, images, firmware, format, 'the first'),
          dataDisk(host, format, 'the second'),
        ]
        const definition = guest(firmware, disks, { cores: 2, memoryMebibytes: 640 })
        await host.driver.define(definition)
        const words = await startsUp(host.driver, definition.id)
        const { memory, ...rest } = words
        const memoryMebibytes = Number(memory?.[0])
        assert.ok(memoryMebibytes <= 640 && memoryMebibytes > 640 - memoryTakenMebibytes, String(memory))
        const expected = {
          id: definition.id,
          cores: '2',
          firmware,
          disks: 'the first;the second;',
          cards: '',
          up: 'yes',
        }
        assert.deepEqual(
          rest,
          Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, [value]])),
        )
        assert.equal(await host.driver.stop(definition.id, 30_000), 'graceful')
        assert.equal(await host.driver.state(definition.id), 'off')
        assert.deepEqual((await heard(host.driver, definition.id)).shutdown, ['asked'])
      },
    )
  }

  fact('two machines reach each other over their switch', async (host, images) => {
    const { switchId } = host
    const machines = [
      guest('bios', [bootDisk(host, images, 'bios', 'vhdx', 'one')], { switchId }),
      guest('uefi', [bootDisk(host, images, 'uefi', 'raw', 'other')], { switchId }),
    ]
    for (const definition of machines) {
      await host.driver.define(definition)
      await host.driver.start(definition.id)
    }
    const words = await Promise.all(machines.map(({ id }) => hears(host.driver, id, 'heard')))
    const [one = '', other = ''] = words.map(({ address = [] }) => address[0])
    assert.ok(one.startsWith('fe80:') && other.startsWith('fe80:') && one !== other)
    assert.ok(words[0]?.heard?.includes(other), `${one} heard ${words[0]?.heard}, not ${other}`)
    assert.ok(words[1]?.heard?.includes(one), `${other} heard ${words[1]?.heard}, not ${one}`)
  })
}

function guest(
  firmware: Firmware,
  disks: readonly MachineDisk[],
  rest: Partial<MachineDefinition>,
): MachineDefinition {
  const id = randomUUID()
  const usual = { cores: 1, memoryMebibytes: 512, recordSerial: true }
  return { id, name: `palisade guest ${id}`, firmware, disks, ...usual, ...rest }
}

function bootDisk(
  host: HostUnderTest,
  images: BootImages,
  firmware: Firmware,
  format: MachineDiskFormat,
  text: string,
): MachineDisk {
  return disk(host, format, text, (path) => copyFileSync(images[firmware], path))
}

/** A disk from which nothing can be started. */
function dataDisk(host: HostUnderTest, format: MachineDiskFormat, text: string): MachineDisk {
  return disk(host, format, text, (path) => {
    writeFileSync(path, '')
    truncateSync(path, 4 * 1024 * 1024)
  })
}

function disk(
  host: HostUnderTest,
  format: MachineDiskFormat,
  text: string,
  fill: (path: string) => void,
): MachineDisk {
  const path = join(host.directory, `${randomUUID()}.${format}`)
  const raw = format === 'raw' ? path : `${path}.source`
  fill(raw)
  stamp(raw, text)
  if (format === 'raw') return { path, format }
  execFileSync('qemu-img', ['convert', '-f', 'raw', ...output[format], raw, path], { stdio: 'pipe' })
  rmSync(raw)
  return { path, format }
}

const output = { vhd: ['-O', 'vpc', '-o', 'force_size=on'], vhdx: ['-O', 'vhdx'] } as const
