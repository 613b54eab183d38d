import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const connections = 32

/**
 * Requests per second that an address serves to {@link connections} connections, measured by wrk, from Debian's
 * package, which costs little beside the server.
 *
 * @param seconds how long, a whole number
 * @param script a file in wrk's Lua that makes the requests; GET of the address when left out
 */
export async function requestsPerSecond(
  url: string,
  headers: Readonly<Record<string, string>>,
  seconds: number,
  script?: string,
): Promise<number> {
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    // Of 32 answers of megabytes one may wait for long until it is its turn.
    '--timeout=10s',
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(script === undefined ? [] : ['-s', script]),
    url,
  ])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`the load did not go through:\n${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}
