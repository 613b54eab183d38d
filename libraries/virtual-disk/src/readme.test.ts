import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFile, readBytes } from './byte-source.ts'
import { MIB } from './extent.ts'
import * as library from './index.ts'
import { openDisk } from './read/open-disk.ts'
import { temporaryDirectory } from './testing/temporary-directory.ts'

const readmePath = new URL('../README.md', import.meta.url)

test('the examples of the README run, one after the other, and make equal disks', async (t) => {
  const directory = await temporaryDirectory(t)
  const readme = await readFile(readmePath, 'utf8')
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, example = '']) => example)
  assert.ok(examples.length >= 5, 'the README lost an example')
  for (const example of examples) {
    const entry = JSON.stringify(new URL('./index.ts', import.meta.url))
    await writeFile(join(directory, 'example.mts'), example.replace("'@palisade/virtual-disk'", entry))
    const run = spawnSync(process.execPath, ['example.mts'], { cwd: directory, encoding: 'utf8' })
    assert.equal(run.status, 0, `${run.stderr}\n${example}`)
  }
  const outputs = ['copy.vhd', 'example.mts', 'restored.vhdx', 'share.vhdx']
  assert.deepEqual((await readdir(directory)).sort(), outputs)
  const [local, share] = await Promise.all(
    ['restored.vhdx', 'share.vhdx'].map((name) => readFile(join(directory, name))),
  )
  assert.ok(share !== undefined && local?.equals(share))
  assert.equal((await stat(join(directory, 'share.vhdx'))).size, share.byteLength)

  const file = await openFile(join(directory, 'restored.vhdx'))
  t.after(() => file.close())
  const disk = await openDisk(file)
  assert.equal(disk.sizeBytes, 42 * MIB)
  assert.ok((await readBytes(disk, 40 * MIB, MIB)).equals(Buffer.alloc(MIB, 'last')))
})

test('the README names every function there is', async () => {
  const readme = await readFile(readmePath, 'utf8')
  const functions = Object.entries(library).filter(([name, value]) => {
    return typeof value === 'function' && name[0] === name[0]?.toLowerCase()
  })
  const unnamed = functions.map(([name]) => name).filter((name) => !readme.includes(name))
  assert.ok(functions.length > 15)
  assert.deepEqual(unnamed, [], 'edit README.md, "What there is"')
})
