import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openFile } from '../byte-source.ts'
import type { VirtualDisk } from '../disk/virtual-disk.ts'
import { KIB, MIB } from '../extent.ts'
import { askOracle, hasOracle } from '../testing/oracle.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { sparseContent } from '../testing/sparse-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { openDisk } from './open-disk.ts'

const virtualSizeBytes = 33 * MIB + 4 * KIB
const data = [
  { offsetBytes: 0, sizeBytes: 64 * KIB },
  { offsetBytes: 7 * MIB + 512, sizeBytes: 6 * MIB },
  { offsetBytes: virtualSizeBytes - 4 * KIB, sizeBytes: 4 * KIB },
]

test('reads every disk that QEMU makes', async (t) => {
  if (!hasOracle(t, 'qemu-img')) return
  const directory = await temporaryDirectory(t)
  const content = await sparseContent(t, directory, virtualSizeBytes, data)
  const variants = [
    { format: 'vpc', options: 'subformat=dynamic,force_size=on' },
    { format: 'vpc', options: 'subformat=fixed,force_size=on' },
    { format: 'vhdx', options: 'subformat=dynamic' },
    { format: 'vhdx', options: 'subformat=dynamic,block_size=1048576' },
    { format: 'vhdx', options: 'subformat=dynamic,block_size=33554432,log_size=2097152' },
    { format: 'vhdx', options: 'subformat=fixed' },
  ]
  let ran = 0
  for (const [index, { format, options }] of variants.entries()) {
    const path = join(directory, `disk${index}`)
    const output = askOracle(
      'qemu-img',
      'convert',
      '-f',
      'raw',
      '-O',
      format,
      '-o',
      options,
      content.path,
      path,
    )
    assert.equal(output.status, 0, output.text)
    const disk = await openPath(t, path)
    assert.equal(disk.format, format === 'vpc' ? 'vhd' : 'vhdx')
    assert.equal(disk.allocation, options.includes('fixed') ? 'fixed' : 'dynamic')
    await assertSameContent(disk, content.source)
    ran++
  }
  assert.equal(ran, variants.length)
})

test('reads a VHDX after QEMU has written into it', async (t) => {
  if (!hasOracle(t, 'qemu-io')) return
  const directory = await temporaryDirectory(t)
  const paths = { vhdx: join(directory, 'disk.vhdx'), raw: join(directory, 'disk.raw') }
  for (const [format, path] of Object.entries(paths)) {
    assert.equal(askOracle('qemu-img', 'create', '-f', format, path, '64M').status, 0)
    const commands = ['write -P 0x5a 1M 3M', 'write -P 0xa5 33M 64k', 'write -z 2M 64k'].flatMap((write) => [
      '-c',
      write,
    ])
    const written = askOracle('qemu-io', '-f', format, ...commands, path)
    assert.equal(written.status, 0, written.text)
  }
  await assertSameContent(await openPath(t, paths.vhdx), await openSource(t, paths.raw))
})

async function openPath(t: TestContext, path: string): Promise<VirtualDisk> {
  return openDisk(await openSource(t, path))
}

async function openSource(t: TestContext, path: string): ReturnType<typeof openFile> {
  const file = await openFile(path)
  t.after(() => file.close())
  return file
}
