import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { searchPath } from './run.ts'

/**
 * Takes back all that `attachDisks` and `mountVolume` make. It begins when its standard input ends, which is also when this
 * process is killed: it is a process of its own, and no signal of a terminal reaches it.
 *
 * A folder that somebody still uses is detached at once, and is gone for good when it is no longer used.
 */
const script = `
trap '' HUP INT TERM
target=$1 work=$2 mode=$3
cat >/dev/null
for place in "$target"/revision-*; do
  umount "$place" || umount -l "$place"
  rmdir "$place"
done
for disk in "$work"/*.raw; do
  for loop in $(losetup --noheadings --output NAME --associated "$disk"); do losetup --detach "$loop"; done
done
if read -r pid <"$work/daemon.pid" && read -r name <"/proc/$pid/comm" && [ "$name" = qemu-storage-da ]; then
  kill "$pid"
  tries=0
  while kill -0 "$pid" && [ "$tries" -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -9 "$pid"
fi
for disk in "$work"/*.raw; do umount -l "$disk"; done
rm -f "$work"/*
rmdir "$work"
if [ -n "$mode" ]; then chmod "$mode" "$target"; else rmdir "$target"; fi
`

/** The folders of a mount. */
export interface MountPlaces {
  /** Where the volumes are shown, each in a folder of its own. */
  readonly target: string
  /** The permissions that the target had, such as 0o755, and is to have again; undefined when it was made for this and goes with it. */
  readonly targetMode: number | undefined
  /** A private folder for overlays and the daemon's files. */
  readonly work: string
}

/** Takes a mount back, when it is asked to or when this process is gone. */
export class CleanUp {
  readonly #shell: ReturnType<typeof startShell>

  /** To be started before there is anything to take back. */
  constructor(places: MountPlaces) {
    this.#shell = startShell(places)
    // Somebody may kill the shell; unmounting is then left to do by hand.
    this.#shell.stdin.on('error', () => {})
  }

  /** Resolves when nothing is mounted any more. */
  async run(): Promise<void> {
    const ended = once(this.#shell, 'exit')
    this.#shell.stdin.end()
    if (this.#shell.exitCode === null && this.#shell.signalCode === null) await ended
  }
}

function startShell({ target, work, targetMode }: MountPlaces) {
  const mode = targetMode?.toString(8) ?? ''
  return spawn('/bin/sh', ['-c', script, 'palisade-unmount', target, work, mode], {
    detached: true,
    env: { PATH: searchPath },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}
