/**
 * A libvirtd as a program of its own, for tests of other packages. It says how it is reached and in whose mount namespace it sees its
 * files, or why there can be none, as one line of JSON, and ends when its standard input does.
 */
import { once } from 'node:events'
import { startPrivateLibvirt } from './private-libvirt.ts'

let why = ''
const daemon = await startPrivateLibvirt({
  skip(reason) {
    why = reason ?? ''
  },
})
const answer = daemon === undefined ? { why } : { uri: daemon.uri, pid: daemon.pid }
process.stdout.write(`${JSON.stringify(answer)}\n`)
if (daemon !== undefined) {
  await once(process.stdin.resume(), 'end')
  await daemon.stop()
}
