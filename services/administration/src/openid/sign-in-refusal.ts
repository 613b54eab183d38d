import { RequestRefused } from '@palisade/platform'
import { stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Holds why a sign-in has failed, for the page that the browser returns to. No address holds it: links of others could put
 * words into our mouth.
 */
const refusalCookie = '__Host-palisade-refusal'

/** A page that was not shown by then has not been waited for. */
const lifetimeSeconds = 60

/**
 * Does what a browser was sent here for. When it is refused, a person is sent back to where he began and is told why there;
 * a program gets the refusal itself.
 *
 * @param returnTo a checked address of this server
 * @throws RequestRefused for callers who do not ask for a page
 */
export async function orTellThePerson(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  returnTo: string,
  act: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof RequestRefused) || !/\btext\/html\b/.test(headers.accept ?? '')) throw error
    const cookie = stringifySetCookie({
      name: refusalCookie,
      value: error.message,
      maxAge: lifetimeSeconds,
      path: '/',
      // The page reads it.
      httpOnly: false,
      secure: true,
      sameSite: 'strict',
    })
    return reply.header('set-cookie', cookie).redirect(returnTo, 303)
  }
}
