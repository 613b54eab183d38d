import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { RecordedRequest } from './recorded-request.ts'

/** Larger bodies are carried and not recorded. */
const bodyBytesMax = 64 * 1024

/** Stands before an application and writes down what its clients send. WebSockets are carried and not recorded. */
export class Recorder {
  readonly port: number
  readonly requests: RecordedRequest[] = []
  readonly #server: ReturnType<typeof createServer>

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
  }

  static async before(applicationPort: number): Promise<Recorder> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const recorder = new Recorder(server)
    server.on('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks)
        recorder.#write(request, body)
        const { method, url, rawHeaders } = request
        const onward = send({
          host: '127.0.0.1',
          port: applicationPort,
          // Some applications close connections after each answer, and some send more behind it.
          agent: false,
          method,
          path: url,
          headers: onwardHeaders(rawHeaders),
        })
        onward.on('response', (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
          answer.pipe(response)
          answer.on('close', () => response.end())
        })
        onward.on('error', () => {
          if (!response.headersSent) response.destroy()
        })
        onward.end(body)
      })
    })
    server.on('checkContinue', (request, response) => {
      response.writeContinue()
      server.emit('request', request, response)
    })
    server.on('upgrade', (request: IncomingMessage, socket, head) => {
      const onward = connect(applicationPort, '127.0.0.1', () => {
        const { rawHeaders } = request
        const lines = rawHeaders.flatMap((name, index) =>
          index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
        )
        onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
        onward.write(head)
        onward.pipe(socket).pipe(onward)
      })
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
    })
    return recorder
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #write({ method = '', url = '', rawHeaders }: IncomingMessage, body: Buffer): void {
    if (body.length > bodyBytesMax) return
    const text = body.toString('utf8')
    const isText = Buffer.from(text, 'utf8').equals(body)
    this.requests.push({
      method,
      target: url,
      headers: rawHeaders.map((part) => part.replace('HeadlessChrome', 'Chrome')),
      ...(body.length === 0
        ? {}
        : isText
          ? { body: text }
          : { body: body.toString('base64'), encoding: 'base64' as const }),
    })
  }
}

/** Bodies are sent onwards whole, whatever their framing was. */
function onwardHeaders(headers: readonly string[]): string[] {
  return headers.filter(
    (_, index) => !/^(?:transfer-encoding|expect)$/i.test(headers[index - (index % 2)] ?? ''),
  )
}
