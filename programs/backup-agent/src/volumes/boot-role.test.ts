import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partitionTypes } from '@palisade/virtual-disk'
import type { SystemFacts } from '../file-systems/facts.ts'
import { bootRoleOf } from './boot-role.ts'

const { efiSystem, basicData, recovery, linux } = partitionTypes.gpt
const windows: SystemFacts = { holds: 'system', osVersion: '10.0.17763' }
const bootFiles: SystemFacts = { holds: 'boot-files', osVersion: undefined }
const data: SystemFacts = { holds: 'data', osVersion: undefined }

function role(type: string, facts: { active?: boolean; at?: string[]; system?: SystemFacts } = {}): string {
  const { isBoot, isSystem } = bootRoleOf(
    { type, isActive: facts.active ?? false },
    facts.at ?? [],
    facts.system,
  )
  return isSystem ? 'starts others' : isBoot ? 'starts' : 'data'
}

test('an EFI system partition starts others, in either scheme', () => {
  assert.equal(role(efiSystem), 'starts others')
  assert.equal(role(partitionTypes.mbr.efiSystem), 'starts others')
})

test('of the other partitions of a GPT disk only those with a system are boot volumes', () => {
  assert.equal(role(basicData, { system: windows }), 'starts')
  assert.equal(role(basicData, { system: data }), 'data')
  assert.equal(role(basicData), 'data')
  assert.equal(role(recovery, { system: data }), 'data')
  assert.equal(role(linux, { system: bootFiles }), 'starts others')
  assert.equal(role('4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709'), 'starts')
})

test('on an MBR disk the active partition is one, and so is a Windows beside it', () => {
  assert.equal(role('07', { active: true, system: data }), 'starts')
  assert.equal(role('07', { active: true, system: bootFiles }), 'starts others')
  assert.equal(role('07', { system: windows }), 'starts')
  assert.equal(role('07', { system: data }), 'data')
})

test('where this machine has mounted a volume says what it is for, whatever its file system', () => {
  assert.equal(role(linux, { at: ['/'] }), 'starts')
  assert.equal(role(linux, { at: ['/srv', '/boot'] }), 'starts others')
  assert.equal(role(linux, { at: ['/srv'] }), 'data')
})
