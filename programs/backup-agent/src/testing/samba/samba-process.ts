/**
 * A Samba server as a program of its own, for tests of other packages. Its only argument is an empty directory; it says
 * where it listens and who may write, as one line of JSON, and ends when its standard input does. Meanwhile the lines
 * `stop` and `resume` take it away and bring it back, and are repeated when that is done.
 */
import { createInterface } from 'node:readline'
import { SambaServer } from './samba-server.ts'

const server = await SambaServer.open(process.argv[2] ?? '')
try {
  const { port, credentials } = server
  say(JSON.stringify({ port, credentials, folder: server.folderOf('data') }))
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'stop') await server.stop()
    if (line === 'resume') await server.resume()
    say(line)
  }
} finally {
  await server.stop()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
