import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestedArguments } from '../suggestions.ts'
import { firewallCommand } from './index.ts'

const suggested = async (name: string, ...words: string[]) => {
  const command = firewallCommand().commands.find((one) => one.name() === name)
  assert.ok(command)
  return (await suggestedArguments(command, words)).map(([word]) => word)
}

test('shells are given kinds, sections, fields and values to complete', async () => {
  assert.ok((await suggested('list', '')).includes('service'))
  assert.ok((await suggested('kinds', 'service', '')).includes('basic-security'))
  const ofService = await suggested('set', 'service', 'shop', '')
  assert.ok(ofService.includes('basic-security') && ofService.includes('port='))
  const ofSection = await suggested('set', 'service', 'shop', 'basic-security', '')
  assert.ok(ofSection.includes('mode=') && !ofSection.includes('port='))
  assert.deepEqual(await suggested('set', 'service', 'shop', 'basic-security', 'mode='), [
    'mode=Passive',
    'mode=Active',
  ])
  assert.ok((await suggested('create', 'service', 'shop', 'port=80', '')).includes('ip-address='))
  assert.ok((await suggested('set', 'system', '')).includes('dns'))
})
