import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { kindsModule } from './kinds-module.ts'

test('the table of kinds is that of the contract', () => {
  const contract = new URL('../../../contract/openapi/firewall.json', import.meta.url)
  const module = kindsModule(JSON.parse(readFileSync(contract, 'utf8')))
  const committed = readFileSync(new URL('kinds.generated.ts', import.meta.url), 'utf8')
  assert.ok(module === committed, '"npm run contract" brings kinds.generated.ts up to date')
})
