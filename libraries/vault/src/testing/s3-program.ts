/** The server of S3 for tests of whole programs: prints, as one line of JSON, how to get at its bucket; ends with SIGTERM. */
import { startS3Server } from './s3-server.ts'

const server = await startS3Server()
process.stdout.write(`${JSON.stringify(server.options)}\n`)
process.once('SIGTERM', () => {
  server.close()
})
