import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LearntParameter, LearntUrl } from '@palisade/proxy-protocol'
import { proposeProfiles } from './propose-profiles.ts'

const clients = ['192.0.2.1', '192.0.2.2']

function learntUrl(parameters: readonly Partial<LearntParameter>[]): LearntUrl {
  return {
    service: 'wiki',
    url: '/upload',
    requests: 60,
    clients,
    firstAt: 1,
    lastAt: 2,
    methods: ['POST'],
    contentTypes: ['multipart/form-data'],
    bodyBytes: 100,
    files: 1,
    parameters: parameters.map((more) => ({
      name: 'id',
      in: 'form',
      requests: 60,
      clients,
      instances: 1,
      length: 4,
      classes: [],
      characters: '',
      sentences: 0,
      values: [],
      hasOtherValues: true,
      extensions: [],
      ...more,
    })),
  }
}

function proposedFor(parameters: readonly Partial<LearntParameter>[]): string[][] {
  const [proposal] = proposeProfiles([learntUrl(parameters)], { isTrusted: false, isStrict: false })
  assert.ok(proposal)
  return proposal.parameters.map(({ parameter, type }) => [parameter, type])
}

test('a parameter is proposed although a member of JSON is called like it', () => {
  assert.deepEqual(proposedFor([{}, { in: 'json' }]), [['id', 'Input']])
  assert.deepEqual(proposedFor([{ in: 'json' }, {}]), [['id', 'Input']])
})

test('a field that has brought files is one for files, although text was sent in it, too', () => {
  const file = { name: 'attachment', in: 'file', extensions: ['pdf'] } as const
  assert.deepEqual(proposedFor([{ name: 'attachment' }, file]), [['attachment', 'File Upload']])
})
