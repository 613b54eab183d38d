import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { RequestReader } from './request-reader.ts'

type Listener = (...args: unknown[]) => void

/**
 * Puts a {@link RequestReader} before Node's parser, on a connection that an HTTP server of Node was just given.
 *
 * @param takeRequest gives the request of which the server has just told, once
 * @throws Error when the server does not read the connection by a listener
 */
export function readRequests(
  connection: Duplex,
  takeRequest: () => IncomingMessage | undefined,
): RequestReader {
  const [parse] = listenersOf(connection, 'data')
  if (parse === undefined) throw new Error('no parser listens to the connection')
  const read = (bytes: Buffer) => reader.read(bytes)
  const end = () => reader.end()
  const reader = new RequestReader(connection, {
    parse: parse.bind(connection),
    takeRequest,
    stopReading: () => connection.off('data', read).off('end', end),
  })
  const stops = listenersOf(connection, 'pause')
  const goesOn = listenersOf(connection, 'resume')
  // From then on the parser no longer reads past the stream. What it does when the stream is paused and resumed is still needed:
  // the system shall be read from no further, and by itself the stream would fill its own memory first.
  connection.off('data', parse).on('data', read)
  for (const stop of stops) connection.off('pause', stop).on('pause', stop)
  for (const goOn of goesOn) connection.off('resume', goOn).on('resume', goOn)
  connection.prependListener('end', end)
  return reader
}

/** Node declares them as functions without more. */
function listenersOf(connection: Duplex, event: string): Listener[] {
  return connection.listeners(event) as Listener[]
}
