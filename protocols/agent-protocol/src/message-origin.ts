import { type Static, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { ServerMessage } from './messages.ts'

/** The request that made the server send a message; the agent's own log, and its requests, name it. */
export const MessageOrigin = Type.Object({
  /** As in the header `X-Request-Id`. */
  requestId: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' }),
  /** The server's span, as in the header of W3C Trace Context; only where the trace is recorded. */
  traceparent: Type.Optional(Type.String({ maxLength: 256 })),
})
export type MessageOrigin = Static<typeof MessageOrigin>

let validator: Validator<Record<never, never>, typeof MessageOrigin> | undefined

/** Any message of the server may say what it comes of. It is passed over by agents that do not know it, and where it is wrong. */
export type OriginatedMessage = ServerMessage & { readonly origin?: MessageOrigin }

/** What a message of the server comes of; undefined when it does not say so, or not in this form. */
export function originOf(message: OriginatedMessage): MessageOrigin | undefined {
  const { origin } = message
  validator ??= Compile(MessageOrigin)
  return validator.Check(origin) ? origin : undefined
}
