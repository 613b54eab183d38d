import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports that Linux gives to no connection by itself (it takes 32768 to 60999): until the program under test has opened its port, nobody
 * gets it by chance.
 */
const portMin = 12_000
const portsEnd = 32_768

/** A port of loopback over TCP that nobody uses at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portsEnd)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
