/**
 * A program of somebody without rights who may write in a folder that restores go to. It says `ready`, and `swapped` each time
 * it has done its thing; it goes on until it is killed.
 *
 *     swap-files FOLDER TARGET    puts links to TARGET in the place of partial files
 *     swap-folder FOLDER TARGET   puts a link to TARGET in the place of FOLDER, and FOLDER back
 *     swap-file FILE TARGET       puts a link to TARGET in the place of FILE, and FILE back
 */
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const [action = '', path = '', target = ''] = process.argv.slice(2)

const actions: Readonly<Record<string, () => boolean>> = {
  'swap-files': () => {
    const names = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { name } of names.filter((entry) => entry.name.endsWith('.partial'))) {
      renameSync(join(path, name), join(path, `${name}-taken`))
      symlinkSync(target, join(path, name))
    }
    return names.some(({ name }) => name.endsWith('.partial'))
  },
  'swap-folder': () => swapOnce(() => mkdirSync(path)),
  'swap-file': () => swapOnce(() => {}),
}

/** @param make makes what is to be swapped, when it is not there */
function swapOnce(make: () => void): boolean {
  const aside = `${path}-aside`
  attempt(make)
  if (!attempt(() => renameSync(path, aside))) return false
  symlinkSync(target, path)
  pause()
  rmSync(path)
  renameSync(aside, path)
  pause()
  return true
}

/** For up to a millisecond, so that the agent comes to every step of it. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random())
}

function attempt(action: () => void): boolean {
  try {
    action()
    return true
  } catch {
    // The agent was there first.
    return false
  }
}

process.stdout.write('ready\n')
let isNotified = false
const act = actions[action]
if (act === undefined) throw new Error(`there is no ${action}`)
for (;;) {
  let isDone = false
  attempt(() => {
    isDone = act()
  })
  if (isDone && !isNotified) {
    process.stdout.write('swapped\n')
    isNotified = true
  }
}
