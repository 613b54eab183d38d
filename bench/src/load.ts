import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Extent } from './extent.ts'

const connections = 32

/**
 * Requests per second that an address serves to {@link connections} connections, measured by wrk, from Debian's
 * package, which costs little beside the server.
 *
 * @param script wrk's Lua that makes the requests; GET of the address when left out
 */
export async function requestsPerSecond(
  url: string,
  headers: Readonly<Record<string, string>>,
  { loadSeconds, loadRequests }: Pick<Extent, 'loadSeconds' | 'loadRequests'>,
  script = '',
): Promise<number> {
  const lua = script + endAfter(loadRequests)
  const folder = mkdtempSync(join(tmpdir(), 'palisade-load-'))
  const file = join(folder, 'load.lua')
  writeFileSync(file, lua)
  try {
    const { stdout } = await promisify(execFile)('wrk', [
      '-t1',
      `-c${connections}`,
      `-d${loadSeconds}s`,
      // Of 32 answers of megabytes one may wait for long until it is its turn.
      '--timeout=10s',
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(lua === '' ? [] : ['-s', file]),
      url,
    ])
    if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`the load did not go through:\n${stdout}`)
    const [, requests] = /(\d+) requests in/.exec(stdout) ?? []
    if (!(Number(requests) > 0)) throw new Error(`nothing was answered:\n${stdout}`)
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * What ends a load early, to follow the Lua that makes its requests. wrk itself runs on until its time is over.
 *
 * @param requests how many are sent; nothing is to follow when infinite
 */
export function endAfter(requests: number): string {
  if (requests === Number.POSITIVE_INFINITY) return ''
  return `
local left = ${requests}
local following = request
function request()
  left = left - 1
  if left < 0 then wrk.thread:stop() end
  return (following or wrk.request)()
end
`
}
