import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './support/repository/root.ts'

/** Runs the `isCurrent` of a generator in a process of its own. */
function assertCurrent(generator: string): void {
  const program = `
    const { isCurrent } = await import(${JSON.stringify(join(root, 'tools', 'contract', generator))})
    console.log(isCurrent())`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  assert.equal(stdout.trim(), 'true', `run npm run contract\n${stderr}`)
}

test('the schema by which proxies check snapshots is that of the types', () => {
  assertCurrent('snapshot-schema.mjs')
})

test('the types of settings that proxies are told are those of the readers', () => {
  assertCurrent('snapshot-settings.mjs')
})
