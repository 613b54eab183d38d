import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasLinearRegExpEngine } from '@palisade/seclang'
import { proxyCommand } from './command.ts'

test('the proxy has the linear engine of V8 from its start on, before it compiles any rule', async () => {
  assert.equal(hasLinearRegExpEngine(), false, 'nothing that it imports decides that')
  assert.equal(await proxyCommand(['--help']), 0)
  assert.equal(hasLinearRegExpEngine(), true)
})
