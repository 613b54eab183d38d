/** Lets timers, sockets and other work have their turn in the middle of a long computation. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
