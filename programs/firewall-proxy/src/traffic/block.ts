import type { Exchange } from './exchange.ts'
import { sendPage } from './pages.ts'

/**
 * Answers in the place of the server when the rules want that.
 *
 * @param closes whether a part of the request was not read
 * @returns whether it was answered
 */
export function block(exchange: Exchange, closes: boolean): boolean {
  const { interruption, response, id } = exchange
  if (interruption === undefined) return false
  if (interruption.action === 'drop') response.destroy()
  else if (interruption.action === 'redirect' && interruption.location !== undefined) {
    sendPage(response, interruption.status, id, { closes, headers: { location: interruption.location } })
  } else sendPage(response, interruption.status, id, { closes })
  return true
}
