import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/**
 * For `--import` of a program that is to hang: a request for /hang keeps its event loop busy for ever, as soon as the program has begun
 * to work on it.
 */
subscribe('http.server.request.start', (message) => {
  const { request } = message as { readonly request: IncomingMessage }
  if (request.url !== '/hang') return
  queueMicrotask(() => {
    for (;;);
  })
})
