import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { open, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { KIB, MIB } from '../extent.ts'
import { differencingFamilies } from '../testing/differencing-families.ts'
import { askOracle, hasOracle } from '../testing/oracle.ts'
import { sparseContent } from '../testing/sparse-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'

const program = fileURLToPath(new URL('./virtual-disk.ts', import.meta.url))
const virtualSizeBytes = 9 * MIB + 512

/** Runs the command in a directory, as one would in a shell. */
function run(directory: string, line: string): { readonly status: number | null; readonly text: string } {
  const ran = spawnSync(process.execPath, [program, ...line.split(' ')], { cwd: directory, encoding: 'utf8' })
  assert.equal(ran.stderr, '', line)
  return { status: ran.status, text: ran.stdout }
}

test('converts between all formats, and QEMU finds the same in them', async (t) => {
  if (!hasOracle(t, 'qemu-img')) return
  const directory = await temporaryDirectory(t)
  const content = await sparseContent(t, directory, virtualSizeBytes, [
    { offsetBytes: 0, sizeBytes: 3 * KIB },
    { offsetBytes: 5 * MIB + 512, sizeBytes: 2 * MIB },
    { offsetBytes: virtualSizeBytes - 512, sizeBytes: 512 },
  ])
  const steps = [
    [content.path, 'a.vhdx', '', 'vhdx'],
    ['a.vhdx', 'b.vhd', '', 'vpc'],
    ['b.vhd', 'c.vhd', ' --fixed', 'vpc'],
    ['c.vhd', 'd.vhdx', ' --fixed --block-size 1', 'vhdx'],
    ['d.vhdx', 'e', ' --to vhd --block-size 0.5', 'vpc'],
    ['e', 'f.raw', ' --format vhd', 'raw'],
  ] as const
  for (const [from, to, options, format] of steps) {
    assert.deepEqual(run(directory, `convert ${from} ${to}${options}`), {
      status: 0,
      text: `${to} holds ${virtualSizeBytes} bytes\n`,
    })
    const judged = askOracle(
      'qemu-img',
      'compare',
      '-f',
      'raw',
      '-F',
      format,
      content.path,
      join(directory, to),
    )
    assert.equal(judged.status, 0, judged.text)
    if (format !== 'raw') assert.equal(run(directory, `check ${to}`).text, 'nothing is wrong\n')
    assert.equal(run(directory, `compare ${content.path} ${to}`).text, 'the disks hold the same\n')
  }
  assert.equal((await readdir(directory)).filter((name) => name.includes('partial')).length, 0)
})

test('replaces no file, and leaves none behind when it fails', async (t) => {
  const directory = await temporaryDirectory(t)
  await writeFile(join(directory, 'odd.raw'), Buffer.alloc(1000))
  await writeFile(join(directory, 'taken.vhd'), 'mine')
  assert.equal(run(directory, 'convert odd.raw new.vhd').status, 2)
  assert.equal(run(directory, 'convert odd.raw taken.vhd').status, 2)
  assert.equal(run(directory, 'convert nothing.raw new.vhd').status, 2)
  assert.equal(run(directory, 'convert odd.raw new.unknown').status, 2)
  assert.deepEqual((await readdir(directory)).sort(), ['odd.raw', 'taken.vhd'])
  assert.equal(await readFile(join(directory, 'taken.vhd'), 'utf8'), 'mine')
})

test('reports what is wrong with a file and with the disk in it', async (t) => {
  const directory = await temporaryDirectory(t)
  await writeFile(join(directory, 'empty.raw'), Buffer.alloc(4 * MIB))
  assert.equal(run(directory, 'convert empty.raw disk.vhdx').status, 0)
  const handle = await open(join(directory, 'disk.vhdx'), 'r+')
  await handle.write(Buffer.from([1]), 0, 1, 192 * KIB + 1000)
  await handle.close()
  const { status, text } = run(directory, 'check disk.vhdx')
  assert.equal(status, 1)
  assert.match(text, /^warning region-table-damaged at byte 196608: region table 1: /)
  const { file } = JSON.parse(run(directory, 'check --json disk.vhdx').text)
  assert.equal(file[0].code, 'region-table-damaged')

  const boot = Buffer.alloc(4 * MIB)
  boot.writeUInt8(0x07, 446 + 4)
  boot.writeUInt32LE(2048, 446 + 8)
  boot.writeUInt32LE(100_000, 446 + 12)
  boot.writeUInt16LE(0xaa55, 510)
  await writeFile(join(directory, 'outside.raw'), boot)
  assert.match(
    run(directory, 'check outside.raw').text,
    /^on the disk: error partition-outside at byte 446: /,
  )
})

test('shows what a disk says of itself, compares it with others, and knows its parents', async (t) => {
  const directory = await temporaryDirectory(t)
  for (const { format, parent, child } of differencingFamilies(8 * MIB)) {
    await writeFile(join(directory, `parent.${format}`), parent)
    await writeFile(join(directory, `child.${format}`), child)
    const { text } = run(directory, `info child.${format}`)
    assert.match(text, new RegExp(`^format {10}differencing ${format.toUpperCase()}\\n`))
    assert.ok(text.includes(`.\\parent.${format}`), text)
    assert.equal(JSON.parse(run(directory, `info --json child.${format}`).text).virtualSizeBytes, 8 * MIB)
    assert.equal(run(directory, `check child.${format}`).status, 0)
  }
  const compared = run(directory, 'compare child.vhd parent.vhd')
  assert.equal(compared.status, 1)
  assert.match(compared.text, /^8192 bytes differ from byte 0 on\n/)
  assert.equal(run(directory, 'compare child.vhd child.vhd --parents /').status, 2)
})

test('says how it is used', async (t) => {
  const directory = await temporaryDirectory(t)
  for (const line of [
    '',
    'help',
    'info',
    'info a b',
    'toString a',
    'check --nothing a',
    'info --format qcow2 a',
  ]) {
    assert.equal(run(directory, line).status, 2, line)
  }
  assert.match(run(directory, 'help').text, /^virtual-disk info FILE\n/)
})

test('writes through no link that somebody else may have put in the folder', async (t) => {
  const directory = await temporaryDirectory(t)
  await writeFile(join(directory, 'a.raw'), Buffer.alloc(MIB, 1))
  await writeFile(join(directory, 'precious'), 'as it was')
  await symlink('precious', join(directory, 'b.vhdx.partial'))
  assert.equal(run(directory, 'convert a.raw b.vhdx').status, 0)
  assert.equal(await readFile(join(directory, 'precious'), 'utf8'), 'as it was')
})
