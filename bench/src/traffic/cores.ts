import { readFileSync } from 'node:fs'

const [first = 0, second = first] = allowedCores()

/** The engine under test has this core for itself … */
export const engineCore = first

/** … and load and server share this one. Where there is one only, all share it. */
export const loadCore = second

/** The cores that this process may use, of those of the machine (proc(5), `Cpus_allowed_list`: `0-1,4`). */
function allowedCores(): readonly number[] {
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return list.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}
