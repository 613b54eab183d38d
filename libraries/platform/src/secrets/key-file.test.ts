import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runModule } from '../testing/run-module.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { keyFile } from './key-file.ts'

test('refuses a file that is no key, and leaves it as it is', (t) => {
  const path = join(temporaryDirectory(t), 'secret.key')
  for (const bytes of [0, 31, 33]) {
    writeFileSync(path, Buffer.alloc(bytes), { mode: 0o600 })
    assert.throws(() => keyFile(path), new RegExp(`is not a key file: it holds ${bytes} bytes, not 32`))
    assert.equal(statSync(path).size, bytes)
  }
})

test('refuses a place where no file can be made', (t) => {
  const directory = temporaryDirectory(t)
  assert.throws(() => keyFile(join(directory, 'missing', 'secret.key')), { code: 'ENOENT' })
  assert.throws(() => keyFile(directory), { code: 'EISDIR' })
})

test('makes 32 random bytes for the owner alone, and reads the same ones ever after', (t) => {
  const directory = temporaryDirectory(t)
  const path = join(directory, 'secret.key')
  const key = keyFile(path)
  assert.equal(key.length, 32)
  assert.deepEqual(keyFile(path), key)
  assert.notDeepEqual(keyFile(join(directory, 'other.key')), key)
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('gives processes that make it at the same moment the same key, and leaves nothing else behind', async (t) => {
  const directory = temporaryDirectory(t)
  const source = `
    import { keyFile } from '${new URL('key-file.ts', import.meta.url)}'
    const { path, startAt } = JSON.parse(process.argv[1])
    while (Date.now() < startAt);
    process.stdout.write(keyFile(path).toString('hex'))`
  const settings = { path: join(directory, 'secret.key'), startAt: Date.now() + 400 }
  const keys = await Promise.all(Array.from({ length: 6 }, () => runModule(source, settings)))
  assert.match(keys[0] ?? '', /^[0-9a-f]{64}$/)
  assert.deepEqual([...new Set(keys)], [keys[0]])
  assert.deepEqual(readdirSync(directory), ['secret.key'])
})
