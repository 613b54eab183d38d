import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { requirePackages } from './packages.ts'

const connections = 32
const seconds = 4

/**
 * Requests per second that an address serves to {@link connections} connections, measured by wrk.
 *
 * @param script a file in wrk's Lua that makes the requests; GET of the address when left out
 */
export async function requestsPerSecond(
  url: string,
  headers: Readonly<Record<string, string>>,
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

/** A load generator that costs little beside the server: wrk, from Debian's package. */
export function requireWrk(): void {
  requirePackages({ '/usr/bin/wrk': 'wrk' })
}
