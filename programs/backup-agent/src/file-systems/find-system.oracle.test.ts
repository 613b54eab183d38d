import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { bufferSource } from '@palisade/virtual-disk'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { hasTools, run } from '../testing/tool.ts'
import { whileMounted } from '../testing/volumes/mount.ts'
import { findSystem } from './find-system.ts'

const mebibyte = 1024 * 1024

/** An ext image with these files; a name that ends in a slash is a folder. */
function extImage(t: TestContext, files: Readonly<Record<string, string>>, ...parameters: string[]): string {
  const directory = temporaryDirectory(t)
  const [content, image] = [join(directory, 'content'), join(directory, 'image')]
  mkdirSync(content)
  for (const [name, text] of Object.entries(files)) {
    const path = join(content, name)
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (!name.endsWith('/')) writeFileSync(path, text)
  }
  writeFileSync(image, '')
  truncateSync(image, 24 * mebibyte)
  run('mke2fs', '-q', '-F', ...parameters, '-d', content, image)
  return image
}

const find = (image: string) => findSystem(bufferSource(readFileSync(image)))

const manyFiles = Object.fromEntries(
  Array.from({ length: 600 }, (_, index) => [`etc/some-file-${index}`, '']),
)
const release = 'NAME="Example"\nPRETTY_NAME="Example Linux 7 (Fir)"\nID=example\n'

for (const [name, parameters] of [
  ['ext2', ['-t', 'ext2', '-b', '1024']],
  ['ext4', ['-t', 'ext4', '-b', '1024']],
  ['ext4 with large blocks', ['-t', 'ext4', '-b', '4096']],
  ['ext4 with meta block groups', ['-t', 'ext4', '-b', '1024', '-g', '512', '-O', 'meta_bg,^resize_inode']],
] as const) {
  test(`${name}: a Linux is found by /etc and its programs, and says its name`, async (t) => {
    if (!hasTools(t, 'mke2fs')) return
    const image = extImage(t, { ...manyFiles, 'etc/os-release': release, 'usr/bin/': '' }, ...parameters)
    assert.deepEqual(await find(image), { holds: 'system', osVersion: 'Example Linux 7 (Fir)' })
  })
}

test('the name of a distribution is also found where its link in /etc leads to', async (t) => {
  if (!hasTools(t, 'mke2fs')) return
  const image = extImage(t, { 'etc/fstab': '', 'usr/lib/os-release': release }, '-t', 'ext4')
  assert.deepEqual(await find(image), { holds: 'system', osVersion: 'Example Linux 7 (Fir)' })
})

test('a volume for /boot holds boot files, and one with a folder etc among others is data', async (t) => {
  if (!hasTools(t, 'mke2fs')) return
  const boot = extImage(t, { 'vmlinuz-6.1.0-18-amd64': 'x', 'grub/grub.cfg': '' }, '-t', 'ext4')
  assert.equal((await find(boot))?.holds, 'boot-files')
  const data = extImage(t, { 'etc/notes': '', 'photos/1.jpg': '' }, '-t', 'ext4')
  assert.deepEqual(await find(data), { holds: 'data', osVersion: undefined })
})

/** An NTFS with folders and files; undefined where this machine cannot mount one. */
async function ntfsImage(
  t: TestContext,
  files: Readonly<Record<string, Buffer>>,
): Promise<string | undefined> {
  const image = join(temporaryDirectory(t), 'image')
  writeFileSync(image, '')
  truncateSync(image, 48 * mebibyte)
  run('mkntfs', '-q', '-F', '-Q', image)
  const isMounted = await whileMounted(t, image, ['ntfs-3g'], (folder) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
  })
  return isMounted ? image : undefined
}

test('a Windows is found by \\Windows\\System32, whatever the case, and its kernel says the version', async (t) => {
  if (!hasTools(t, 'mkntfs', 'ntfs-3g')) return
  const kernel = randomBytes(3 * mebibyte)
  kernel.write('bd04effe0000010000000a00000063450000', mebibyte * 2 + 77, 'hex')
  const others = Object.fromEntries(
    Array.from({ length: 700 }, (_, index) => [`Windows/System32/library-${index}.dll`, Buffer.from('x')]),
  )
  const image = await ntfsImage(t, {
    ...others,
    'Windows/System32/ntoskrnl.exe': kernel,
    bootmgr: Buffer.from('x'),
  })
  if (image !== undefined) assert.deepEqual(await find(image), { holds: 'system', osVersion: '10.0.17763' })
})

test('a system-reserved volume holds the boot manager and no Windows, and one without either is data', async (t) => {
  if (!hasTools(t, 'mkntfs', 'ntfs-3g')) return
  const reserved = await ntfsImage(t, { bootmgr: Buffer.from('x'), 'Boot/BCD': Buffer.from('x') })
  if (reserved !== undefined) assert.equal((await find(reserved))?.holds, 'boot-files')
  const data = await ntfsImage(t, { 'Windows/pictures.txt': Buffer.from('x') })
  if (data !== undefined) assert.equal((await find(data))?.holds, 'data')
})

test('a tree of extents that leads to the same block again and again is gone through once', async (t) => {
  if (!hasTools(t, 'mke2fs')) return
  const image = readFileSync(extImage(t, {}, '-t', 'ext4', '-b', '4096', '-O', '^metadata_csum'))
  const firstNode = 1000
  const node = (depth: number, entryCount: number) => {
    const bytes = Buffer.alloc(12 * (1 + entryCount))
    for (const [at, value] of [0xf30a, entryCount, entryCount, depth].entries())
      bytes.writeUInt16LE(value, at * 2)
    for (let entry = 1; entry <= entryCount && depth > 0; entry++)
      bytes.writeUInt32LE(firstNode + depth - 1, entry * 12 + 4)
    return bytes
  }
  for (let depth = 0; depth < 5; depth++) image.set(node(depth, 340), (firstNode + depth) * 4096)
  const inodeSizeBytes = image.readUInt16LE(1024 + 0x58)
  const root = image.readUInt32LE(4096 + 8) * 4096 + inodeSizeBytes
  image.set(node(5, 4), root + 40)
  const source = bufferSource(image)
  let reads = 0
  const counted = {
    ...source,
    async read(target: Uint8Array, position: number) {
      assert.ok(reads++ < 1000)
      await source.read(target, position)
    },
  }
  assert.equal((await findSystem(counted))?.holds, 'data')
})

test('random damage never leads to an error', async (t) => {
  if (!hasTools(t, 'mke2fs')) return
  const bytes = readFileSync(
    extImage(t, { ...manyFiles, 'etc/os-release': release, 'usr/x': '' }, '-t', 'ext4', '-b', '1024'),
  )
  const intact = Buffer.from(bytes)
  let count = 0
  for (let round = 0; round < 400; round++) {
    const start = randomInt(round % 2 === 0 ? 4096 : mebibyte)
    randomBytes(randomInt(1, 8)).copy(bytes, start)
    if ((await findSystem(bufferSource(bytes))) !== undefined) count++
    intact.copy(bytes, start, start, start + 8)
  }
  assert.ok(count > 100)
})
