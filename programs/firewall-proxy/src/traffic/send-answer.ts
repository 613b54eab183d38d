import type { Answer } from '../exchange/answer.ts'
import { isHttp2, sendHead } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { endWithBody, sendPage } from './pages.ts'

/**
 * Gives the client what a filter wants it to get.
 *
 * @param closes whether a part of the request was not read
 */
export function sendAnswer(exchange: Exchange, answer: Answer, closes: boolean): void {
  const { response } = exchange
  const { status, headers = {}, cookies = [], body, resets, endsSession } = answer
  if (resets || response.headersSent) {
    if (endsSession && isHttp2(response)) response.stream.session?.destroy()
    response.destroy()
    return
  }
  if (body === undefined) {
    sendPage(exchange, status, { closes, headers })
    return
  }
  const all = {
    // One that says that nothing has changed has no body, and says nothing of its length.
    ...(status === 304 ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...(closes ? { connection: 'close' } : {}),
    ...headers,
  }
  const setCookies = cookies.flatMap((cookie) => ['set-cookie', cookie])
  sendHead(response, status, [...Object.entries(all).flat(), ...setCookies])
  endWithBody(exchange, body)
}
