import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '../programs/calls.ts'

/** A span as OTLP has it in JSON, with the program that has sent it. */
export interface ReceivedSpan {
  readonly program: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: Pick<ReceivedSpan, 'attributes'>
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'program'>[] }[]
  }[]
}

/** A collector of OpenTelemetry that takes spans as JSON over HTTP (`POST /v1/traces`), and has all that it was sent. */
export class TraceCollector {
  readonly spans: ReceivedSpan[] = []
  /** Bodies as they came, with their headers. */
  readonly posts: { readonly text: string; readonly headers: object }[] = []
  readonly #server: HttpServer

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      const text = Buffer.concat(pieces).toString()
      if (request.url !== '/v1/traces') {
        response.writeHead(404).end()
        return
      }
      this.posts.push({ text, headers: request.headers })
      this.#take(JSON.parse(text))
      response.setHeader('content-type', 'application/json').end('{}')
    })
  }

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector()
    collector.#server.listen(0, '127.0.0.1')
    await once(collector.#server, 'listening')
    return collector
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The first span of this program and name in a trace, now or later. */
  span(traceId: string, program: string, name: string | RegExp): Promise<ReceivedSpan> {
    const isWanted = (span: ReceivedSpan) =>
      span.traceId === traceId &&
      span.program === program &&
      (typeof name === 'string' ? span.name === name : name.test(span.name))
    return eventually(`a span "${name}" of ${program}`, async () => this.spans.find(isWanted), 20_000)
  }

  /** Ends it with its connections. */
  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #take({ resourceSpans }: Exported): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const program = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue
      for (const { spans } of scopeSpans) {
        this.spans.push(...spans.map((span) => ({ ...span, program: String(program) })))
      }
    }
  }
}
