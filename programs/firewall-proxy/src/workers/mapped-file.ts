import koffi from 'koffi'

/** As Linux numbers them (mmap(2)). */
const readAndWrite = 0x1 | 0x2
const shared = 0x1

/**
 * The first bytes of an open file as memory: what is written there is in the file at once, for every process that reads it, without a call of
 * the system. It stays so until this process ends. Undefined where that is not to be had.
 *
 * @param sizeBytes at most as long as the file is, and stays
 */
export function mappedFile(descriptor: number, sizeBytes: number): Buffer | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const map = koffi.load('libc.so.6').func('void *mmap(void *, size_t, int, int, int, long)')
    const address: unknown = map(null, sizeBytes, readAndWrite, shared, descriptor, 0)
    // A failure is an address of ones only; others begin a page.
    if (typeof address !== 'bigint' || BigInt.asIntN(32, address) === -1n) return undefined
    return Buffer.from(koffi.view(address, sizeBytes))
  } catch {
    // Another C library.
    return undefined
  }
}
