/** A process that was asked to end has so long, in milliseconds. */
const stopMaxMs = 9_500

/** Ends this process with status 1 when it does not end by itself in time. */
export function limitStop(): void {
  setTimeout(() => process.exit(1), stopMaxMs).unref()
}
