import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { listenOnLoopback } from './servers.ts'

/** A request as it came to a server. */
export interface RawRequest {
  /** Without its line break. */
  readonly line: string
  /** As a byte string. */
  readonly body: string
}

/**
 * An application that takes requests as bytes, with any method, which Node's own server does not. It answers each with its request line.
 * Bodies have a length or none.
 *
 * @returns its port, and the requests that it got
 */
export async function rawApplication(t: TestContext): Promise<{ port: number; received: RawRequest[] }> {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let text = ''
    sockets.add(socket)
    socket.setEncoding('latin1').on('error', () => undefined)
    socket.on('data', (more) => {
      text += more
      for (;;) {
        const bodyAt = text.indexOf('\r\n\r\n') + 4
        if (bodyAt < 4) return
        const [head = ''] = text.split('\r\n\r\n', 1)
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (text.length < bodyAt + length) return
        const [line = ''] = head.split('\r\n', 1)
        requests.push({ line, body: text.slice(bodyAt, bodyAt + length) })
        text = text.slice(bodyAt + length)
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${line.length}\r\n\r\n${line}`, 'latin1')
      }
    })
  })
  const port = await listenOnLoopback(t, server)
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { port, received: requests }
}
