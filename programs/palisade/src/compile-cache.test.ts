import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ageMaxMs, removeOld } from './compile-cache.ts'

const program = `
import { cacheCompiledCode } from ${JSON.stringify(import.meta.resolve('./compile-cache.ts'))}
cacheCompiledCode()
await import(${JSON.stringify(import.meta.resolve('./small-process.ts'))})
console.log('ran')
`

function run(folder: string): string {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...env, CACHE_DIRECTORY: folder },
    encoding: 'utf8',
  })
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

test('compiled code is kept in a folder that is open to nobody else, and in no other', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const compiled = join(folder, 'compiled')
  assert.equal(run(folder), 'ran\n')
  assert.equal(statSync(compiled).mode & 0o777, 0o700)
  assert.ok(filesIn(compiled).length > 0)

  const open = join(folder, 'open')
  mkdirSync(join(open, 'compiled'), { recursive: true })
  chmodSync(join(open, 'compiled'), 0o770)
  assert.equal(run(open), 'ran\n')
  assert.deepEqual(filesIn(open), [])

  const shared = join(folder, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o777)
  assert.equal(run(shared), 'ran\n')
  assert.deepEqual(filesIn(shared), [])

  const elsewhere = join(folder, 'elsewhere')
  const link = join(folder, 'link')
  for (const made of [elsewhere, link]) mkdirSync(made, { mode: 0o700 })
  symlinkSync(elsewhere, join(link, 'compiled'))
  assert.equal(run(link), 'ran\n')
  assert.deepEqual(filesIn(elsewhere), [])
})

test('old files are removed from the cache, and the others stay', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'release'))
  for (const [name, ageMs] of [
    ['old', ageMaxMs + 60_000],
    ['young', ageMaxMs - 60_000],
  ] as const) {
    const file = join(folder, 'release', name)
    writeFileSync(file, '')
    const written = new Date(Date.now() - ageMs)
    utimesSync(file, written, written)
  }
  removeOld(folder)
  assert.deepEqual(
    filesIn(folder).map(({ name }) => name),
    ['young'],
  )
})
