/**
 * The server of S3 for tests of whole programs, behind a relay that disturbs requests when it is told to. Prints, as one line of JSON, how
 * to get at its bucket. Each line that it reads is a `Disturbance` that holds from then on; it answers with the number of requests and
 * failures so far. Ends with SIGTERM. Its argument is the address that it listens at, 127.0.0.1 by default.
 */
import { createInterface } from 'node:readline'
import { startS3Relay } from './s3-relay.ts'
import { startS3Server } from './s3-server.ts'

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
const [host = '127.0.0.1'] = process.argv.slice(2)
const server = await startS3Server()
const relay = await startS3Relay(Number(new URL(server.options.endpoint ?? '').port), host)
say({ ...server.options, endpoint: `http://${host}:${relay.port}` })
const wishes = createInterface({ input: process.stdin }).on('line', (line) => {
  relay.disturb(JSON.parse(line))
  say({ requests: relay.requests, failures: relay.failures })
})
process.once('SIGTERM', () => {
  wishes.close()
  process.stdin.destroy()
  relay.close()
  server.close()
})
