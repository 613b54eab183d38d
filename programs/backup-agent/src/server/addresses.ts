/**
 * The addresses of a server, each as good as the others. An agent uses one at a time: its link, its requests and its threads
 * the same, for as long as it serves. Plain data with memory that is shared, so that threads can be given it.
 */
export interface ServerAddresses {
  /** Base URLs of the backup service, without a slash at their ends. */
  readonly urls: readonly string[]
  /** One number: which of them is in use. */
  readonly current: Int32Array
}

/** Begins with the first of the addresses. */
export function serverAddresses(urls: readonly string[]): ServerAddresses {
  return { urls, current: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) }
}

/** The base URL for the next request. */
export function addressInUse({ urls, current }: ServerAddresses): string {
  const url = urls[Atomics.load(current, 0)]
  if (url === undefined) throw new Error('a server without an address')
  return url
}

/**
 * Has the whole agent use the address that follows one that has failed, unless it left that one already: many threads find out at
 * the same time. From the only address it goes to the same.
 */
export function leaveAddress({ urls, current }: ServerAddresses, failed: string): void {
  const index = urls.indexOf(failed)
  Atomics.compareExchange(current, 0, index, (index + 1) % urls.length)
}

/** Whether the agent can go elsewhere when a server fails. */
export function isOneOfSeveral({ urls }: ServerAddresses): boolean {
  return urls.length > 1
}
