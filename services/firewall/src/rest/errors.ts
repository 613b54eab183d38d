import { refusalOfError, sendRefusal } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { ConfigurationRefused } from '../failure.ts'
import { presentedTokenOf } from './admission.ts'
import { envelopeWith, failureReply } from './envelope.ts'

/** Answers whatever goes wrong in the scope's routes in the API's words, with a fresh token where there is one. */
export function answerErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((error, request, reply) => {
    const presented = presentedTokenOf(request)
    const token = (presented?.successor ?? presented)?.text
    reply.header('cache-control', 'no-store')
    if (error instanceof ConfigurationRefused) {
      const { message } = error
      return sendRefusal(reply, { code: 'bad-request', message }, () => failureReply(error, token))
    }
    const refusal = refusalOfError(error, request)
    if (refusal.code === 'internal') request.log.error({ err: error }, 'a request failed')
    return sendRefusal(reply, refusal, envelopeWith(token))
  })
}
