/**
 * A program: who has stolen an agent's credential, and knows what the next backup will read. Takes over the link, waits for a
 * backup, sends rubbish under the names of all chunks, each in a request of its own, and cancels the backup.
 *
 *     node --conditions=source poison.ts BASE_URL CREDENTIAL FILE
 *
 * Says `linked` when a backup may be started, and at the end the statuses of its uploads, as a JSON array.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { agentPaths, uploadHeader } from '@palisade/agent-protocol'
import { nameChunk, sealChunk } from '@palisade/vault'
import { FakeAgent } from './fake-agent.ts'

const [baseUrl = '', credential = '', file = ''] = process.argv.slice(2)
const thief = await new FakeAgent(baseUrl, credential).connect()
process.stdout.write('linked\n')
const { id: backupId } = await thief.heard('start-backup')
const { keys, chunkSizeBytes } = await thief.keys()
const content = readFileSync(file)
const statuses: number[] = []
for (let at = 0; at < content.length; at += chunkSizeBytes) {
  const id = nameChunk(content.subarray(at, at + chunkSizeBytes), keys.naming)
  const rubbish = sealChunk(id, randomBytes(1000), keys)
  const body = Buffer.concat([uploadHeader(id, rubbish.length), rubbish])
  statuses.push((await thief.request('POST', agentPaths.chunks(backupId), body)).status)
}
await thief.finish('backup', backupId, { state: 'CANCELED' })
process.stdout.write(`${JSON.stringify(statuses)}\n`)
await thief.disconnect()
