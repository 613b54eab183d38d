import { once } from 'node:events'
import { request } from 'node:http'
import type { ServedService } from '@palisade/platform/testing'

const root = '/restapi/v3.2/'

/** An operation of the description: its method, and what follows the version in its address. */
export type DescribedAddress = readonly [method: string, path: string]

/** Every operation of the description, but those by which one comes and goes, with `default` in the places of braces. */
export function everyOperation(served: ServedService): DescribedAddress[] {
  const { paths } = served.openApiDocument() as { paths: Record<string, object> }
  return Object.entries(paths)
    .filter(([path]) => path !== `${root}login` && path !== `${root}logout`)
    .flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => key !== 'parameters')
        .map(
          (method): DescribedAddress => [
            method.toUpperCase(),
            path.slice(root.length).replaceAll(/\{[^}]+\}/g, 'default'),
          ],
        ),
    )
}

/** Announces a body and sends none of it: whoever waits for the body does not answer. */
export async function statusBeforeBody(
  { baseUrl }: ServedService,
  [method, path]: DescribedAddress,
  headers: object,
): Promise<number> {
  const sent = request(`${baseUrl}${root}${path}`, {
    method,
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': '1000', ...headers },
  })
  sent.on('error', () => undefined)
  sent.flushHeaders()
  const [response] = await once(sent, 'response', { signal: AbortSignal.timeout(60_000) })
  sent.destroy()
  return response.statusCode
}
