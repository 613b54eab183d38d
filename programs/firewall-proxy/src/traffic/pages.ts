import { STATUS_CODES } from 'node:http'
import { sendHead } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** What people read when a request does not get through; nothing that helps an attacker. */
const sentences: Readonly<Record<number, string>> = {
  400: 'The request was not understood.',
  403: 'The request was blocked.',
  408: 'The request took too long.',
  413: 'The request is too large.',
  417: 'The request expects something that is not done here.',
  501: 'The request needs something that is not done here.',
  502: 'The server behind this address gave no usable answer.',
  503: 'The service is not available at the moment.',
  504: 'The server behind this address did not answer in time.',
  505: 'This version of HTTP is not spoken here.',
}

/** An answer of our own. @param requestId by which administrators find the request in their logs */
export function pageOf(status: number, requestId: string): string {
  const title = STATUS_CODES[status] ?? 'Error'
  const sentence = sentences[status] ?? 'The request was not served.'
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><p>${sentence}</p><p>Request ${requestId}</p></body>
</html>
`
}

/**
 * Answers with a page of our own where nothing was sent yet, and ends the connection where something was: a client must not
 * take half an answer for a whole one.
 *
 * @param closes whether the connection ends with it, as when the rest of a request is not read
 */
export function sendPage(
  exchange: Exchange,
  status: number,
  { closes, headers = {} }: { readonly closes: boolean; readonly headers?: Readonly<Record<string, string>> },
): void {
  const { response, id } = exchange
  if (response.headersSent) {
    response.destroy()
    return
  }
  const page = pageOf(status, id)
  const all = {
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(page)),
    'cache-control': 'no-store',
    ...(closes ? { connection: 'close' } : {}),
    ...headers,
  }
  sendHead(response, status, Object.entries(all).flat())
  endWithBody(exchange, page)
}

/** Sends the whole body of an answer that comes from no server. */
export function endWithBody(exchange: Exchange, body: string | Buffer): void {
  if (exchange.request.method !== 'HEAD') exchange.bytesSent += Buffer.byteLength(body)
  exchange.response.end(body)
}
