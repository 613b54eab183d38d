import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiscoveredVolume, parseAgentMessage } from '@palisade/agent-protocol'
import { agentMessageSizeMaxBytes } from '@palisade/agent-protocol/wire'
import { answerDiscovery } from './answer-discovery.ts'

function volumeAt(path: string): DiscoveredVolume {
  return {
    source: { path },
    volume: {
      deviceId: '\\\\?\\Volume{0ec4b538-77c0-5c56-8fcf-d5306fd020d1}\\',
      driveLetter: '',
      label: '',
      fileSystem: 'ext4',
      capacityBytes: 1_048_576,
      usedBytes: 4096,
      isBoot: false,
      firmware: 'bios',
      partitionScheme: 'none',
      partitionType: '',
      sourcePath: path,
    },
    volumeKind: 0,
    driveType: 3,
    unsupportedReason: 0,
  }
}

/** What the server understands of the answer of an agent with so many volumes. */
async function understood(count: number, pathOf: (number: number) => string) {
  const volumes = Array.from({ length: count }, (_volume, number) => volumeAt(pathOf(number)))
  const text = JSON.stringify(await answerDiscovery('q', async () => volumes))
  assert.ok(Buffer.byteLength(text) <= agentMessageSizeMaxBytes)
  const answer = parseAgentMessage(text)
  assert.ok(answer?.type === 'volumes' && answer.id === 'q')
  return answer
}

test('a thousand volumes are told, of more it is said that they are too many', async () => {
  const discovery = await understood(1000, (number) => `/images/${number}.raw`)
  assert.equal(discovery.volumes?.length, 1000)
  const { volumes, failure } = await understood(1001, (number) => `/images/${number}.raw`)
  assert.equal(volumes, undefined)
  assert.match(failure ?? '', /^1001 volumes .* --exclude$/)
})

test('volumes whose names are too long for one message are too many as well', async () => {
  const { volumes, failure } = await understood(700, (number) => `/${'名'.repeat(1000)}/${number}.raw`)
  assert.equal(volumes, undefined)
  assert.match(failure ?? '', /^700 volumes /)
})
