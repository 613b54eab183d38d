import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './support/repository/root.ts'

test('the schema by which proxies check snapshots is that of the types', () => {
  const program = `
    const { isCurrent } = await import(${JSON.stringify(join(root, 'tools', 'contract', 'snapshot-schema.mjs'))})
    console.log(isCurrent())`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  assert.equal(stdout.trim(), 'true', `run npm run contract\n${stderr}`)
})
