import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanUp, newFolder, palisade } from './index.ts'

/** The programs and the command line have megabytes, in bytes. */
const loadedMax = 100_000

after(cleanUp)

test('palisade --version prints the version, and loads no program for that', () => {
  const folder = newFolder()
  const env = { ...process.env, NODE_V8_COVERAGE: folder }
  const output = execFileSync(process.execPath, [palisade, '--version'], { env, encoding: 'utf8' })
  assert.match(output, /^\d+\.\d+\.\d+\n$/)
  const [coverage = ''] = readdirSync(folder)
  const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(folder, coverage), 'utf8'))
  const loaded = result.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
  assert.ok(loaded.includes(palisade))
  const size = loaded.reduce((sum, file) => sum + statSync(file).size, 0)
  assert.ok(size < loadedMax, `${size} bytes of ${loaded.join(', ')}`)
})
