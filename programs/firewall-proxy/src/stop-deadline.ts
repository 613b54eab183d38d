/** A process that was asked to end has so long, in milliseconds. */
const stopMaxMs = 9_500

/** Kills this process when it does not end by itself in time: an ordinary exit waits for threads that a file system holds. */
export function limitStop(): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopMaxMs).unref()
}
